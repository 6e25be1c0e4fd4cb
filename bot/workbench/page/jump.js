/** The way to any conversation by its name: Ctrl or ⌘ with K, or the button in the sidebar. */

import { combobox } from "./combobox.js";
import { h } from "./dom.js";
import { closeLayer, openLayer } from "./layers.js";
import { plainText } from "./mrkdwn.js";
import { page } from "./page.js";
import { conversations } from "./places.js";
import { unreadCount } from "./remember.js";

let layer = null;

export function openJump() {
  if (layer || !page.state) return;
  const box = combobox({
    start: [],
    prompt: "Jump to a conversation",
    search: (typed) => ({ groups: [{ options: fitting(typed) }] }),
    changed: () => go(box.chosen()[0]?.value),
  });
  const panel = h(
    "div",
    { class: "dialog jump", role: "dialog", "aria-modal": "true", "aria-label": "Jump" },
    box.node,
  );
  layer = openLayer(panel, { onEscape: close, className: "layer-jump" });
  box.input.focus();
  box.input.click();
}

/** The conversations with these letters in their name, those with something unread first. */
function fitting(typed) {
  const wanted = typed.toLowerCase();
  const unread = new Map(page.state.conversations.map((it) => [it.id, unreadCount(it, page.state.me.id)]));
  return conversations({})
    .filter(({ text }) => plainText(text).toLowerCase().includes(wanted))
    .map((option) => ({ ...option, description: noteOf(unread.get(option.value)) }))
    .sort((one, other) => unread.get(other.value) - unread.get(one.value));
}

function noteOf(count) {
  return count ? { type: "plain_text", text: `${count} unread` } : undefined;
}

function close() {
  closeLayer(layer);
  layer = null;
}

function go(id) {
  close();
  if (id) page.openConversation(id);
}
