/** The panel beside the conversation: what goes to and fro, what is made to fail, and what the app may do. */

import { fetchJson } from "./api.js";
import { fill, h, icon, isEscape, keepingFocus } from "./dom.js";
import { faultsNode, renderFaults } from "./faults.js";
import { page } from "./page.js";
import { remember, remembered } from "./remember.js";
import { toast } from "./toasts.js";
import { renderTraffic, trafficNode } from "./traffic.js";
import { renderWorkspace, workspaceNode } from "./workspace.js";

const APP = document.getElementById("app");
const PLACE = document.getElementById("panel");
const PARTS = {
  traffic: { label: "Traffic", make: trafficNode, show: renderTraffic },
  faults: { label: "Faults", make: faultsNode, show: renderFaults },
  workspace: { label: "Workspace", make: workspaceNode, show: renderWorkspace },
};
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
let built = null; // {name → {tab, body}}
let asking = false; // whether an answer is on its way
let again = false; // whether something happened meanwhile

PLACE.addEventListener("keydown", (event) => {
  if (isEscape(event)) page.openPanel(false);
});

/** Shows the panel where it is wanted; what is new in it is asked for, as after each line of the traffic. */
export function renderPanel() {
  PLACE.hidden = !page.panelOpen;
  APP.classList.toggle("app-panelled", page.panelOpen);
  if (!page.panelOpen) return;
  built ??= build();
  showPart();
  refresh();
}

function build() {
  const made = Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, partNodes(name, part)]));
  const list = h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Parts of the panel", onkeydown: onTabKey },
    Object.values(made).map(({ tab }) => tab),
  );
  const close = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "Close the panel",
      "data-role": "close-panel",
      onclick: () => page.openPanel(false),
    },
    icon("close"),
  );
  fill(
    PLACE,
    h("header", { class: "header panel-header" }, list, close),
    Object.values(made).map(({ body }) => body),
  );
  return made;
}

function partNodes(name, { label, make }) {
  const tab = h(
    "button",
    {
      type: "button",
      class: "tab",
      role: "tab",
      id: `tab-${name}`,
      "aria-controls": `part-${name}`,
      "data-role": `panel-${name}`,
      onclick: () => choose(name),
    },
    label,
  );
  const body = h(
    "div",
    { class: "panel-body", role: "tabpanel", id: `part-${name}`, "aria-labelledby": tab.id },
    make(),
  );
  return { tab, body };
}

function choose(name) {
  remember({ part: name });
  renderPanel();
}

function onTabKey(event) {
  if (!(event.key in STEPS)) return;
  event.preventDefault();
  const names = Object.keys(PARTS);
  const next = names[(names.indexOf(chosenPart()) + STEPS[event.key] + names.length) % names.length];
  choose(next);
  built[next].tab.focus();
}

function chosenPart() {
  const { part } = remembered();
  return Object.hasOwn(PARTS, part) ? part : "traffic";
}

function showPart() {
  const chosen = chosenPart();
  for (const [name, { tab, body }] of Object.entries(built)) {
    tab.setAttribute("aria-selected", String(name === chosen));
    tab.tabIndex = name === chosen ? 0 : -1;
    body.hidden = name !== chosen;
  }
}

/** Asks for what is new, one question at a time; what happens meanwhile is asked for after it. */
async function refresh() {
  again = asking;
  if (asking) return;
  asking = true;
  const { ok, error, answer } = await fetchJson("/workbench/panel");
  asking = false;
  if (!ok) toast(error);
  else keepingFocus(PLACE, () => Object.values(PARTS).forEach(({ show }) => show(answer)));
  if (again) refresh();
}
