/** The page's own keys, as in Slack: arrows through lists, Alt with arrows through the conversations, Ctrl K to any. */

import { openJump } from "./jump.js";
import { page } from "./page.js";

const APP = document.getElementById("app");
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
const LISTS = [
  { place: "#sidebar .side-scroll", items: ".row" },
  { place: "#messages, .thread-messages", items: "article.message" },
  { place: ".traffic", items: ".entry > summary" },
];

export function keepKeys() {
  document.addEventListener("keydown", (event) => {
    if (APP.inert) return; // a dialog is open
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) taken(event, openJump);
    const by = STEPS[event.key];
    if (!by || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.altKey) taken(event, () => stepConversation(by));
    else walk(event, by);
  });
}

function taken(event, act) {
  event.preventDefault();
  act();
}

function stepConversation(by) {
  if (!page.state) return;
  const rows = [...document.querySelectorAll("#sidebar .row")].map((row) => row.dataset.conversation);
  const at = rows.indexOf(page.conversation);
  page.openConversation(rows[(at + by + rows.length) % rows.length]);
}

/** Moves among the items of the list in which the focus is, where it is on an item or on the list itself. */
function walk(event, by) {
  const { activeElement } = document;
  for (const { place, items } of LISTS) {
    const list = activeElement?.closest(place);
    if (!list || !(activeElement === list || activeElement.matches(items))) continue;
    const all = [...list.querySelectorAll(items)];
    const at = all.indexOf(activeElement);
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
    taken(event, () => all[Math.max(0, Math.min(all.length - 1, next))]?.focus());
    return;
  }
}
