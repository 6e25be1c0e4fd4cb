/** The panel beside the conversation that shows one thread. */

import { composer } from "./composer.js";
import { showMessages, threadItems } from "./conversation.js";
import { fill, h, icon, isEscape, keepingFocus } from "./dom.js";
import { page } from "./page.js";

const PLACE = document.getElementById("thread");
let shown = null; // {key, list, writer, count}

PLACE.addEventListener("keydown", (event) => {
  if (isEscape(event)) page.openThread(null);
});

export function renderThread(conversation) {
  const there = page.thread && conversation.messages.some((message) => message.ts === page.thread);
  PLACE.hidden = !there;
  document.getElementById("app").classList.toggle("app-threaded", Boolean(there));
  if (!there) return close();
  const key = `${conversation.id} ${page.thread}`;
  if (shown?.key !== key) shown = build(conversation, key);
  const items = threadItems(conversation, page.thread);
  const grown = shown.count !== items.length;
  shown.count = items.length;
  keepingFocus(
    shown.list,
    () => showMessages(shown.list, items),
    () => shown.list,
  );
  if (grown) shown.list.scrollTop = shown.list.scrollHeight;
  return shown.writer.update(conversation);
}

export function writeInThread() {
  PLACE.querySelector("textarea")?.focus();
}

function close() {
  shown = null;
  fill(PLACE);
}

function build(conversation, key) {
  const list = h("div", {
    class: "messages thread-messages",
    tabindex: "0",
    role: "log",
    "aria-live": "off",
    "aria-label": "Thread",
  });
  const writer = composer({ id: "thread-text", label: "Reply in thread", thread: page.thread });
  writer.update(conversation);
  fill(
    PLACE,
    h(
      "header",
      { class: "header" },
      h(
        "div",
        { class: "header-title" },
        h("h2", {}, "Thread"),
        h("p", { class: "topic clip" }, page.directory.titleOf(conversation)),
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": "Close the thread",
          "data-role": "close-thread",
          onclick: () => page.openThread(null),
        },
        icon("close"),
      ),
    ),
    list,
    h("div", { class: "composer-place" }, writer.node),
  );
  return { key, list, writer, count: 0 };
}
