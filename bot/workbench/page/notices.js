/** Notifications as Slack would show them: the author and the message's `text`, nothing of its blocks. */

import { authorOf, face } from "./directory.js";
import { h, icon, patchList } from "./dom.js";
import { spoken } from "./mrkdwn.js";
import { page } from "./page.js";
import { isReply } from "./remember.js";

const STAY = 8000; // ms
const MOST = 3;
const PLACE = document.getElementById("notices");
let shown = [];

/** Shows what the notification of this message says; it leaves by itself. */
export function showNotice({ conversation, message }) {
  const key = `${conversation.id} ${message.ts}`;
  shown = [...shown.filter((it) => it.key !== key), { key, conversation, message }].slice(-MOST);
  renderNotices();
  setTimeout(() => drop(key), STAY);
}

function drop(key) {
  shown = shown.filter((it) => it.key !== key);
  renderNotices();
}

function renderNotices() {
  patchList(PLACE, shown, { key: ({ key }) => key, signature: ({ message }) => message.text, make: noticeNode });
}

function noticeNode({ key, conversation, message }) {
  const author = authorOf(message);
  const title = page.directory.titleOf(conversation);
  const where = conversation.kind === "dm" ? "Direct message" : `#${title}`;
  const go = () => {
    drop(key);
    page.openConversation(conversation.id);
    if (isReply(message)) page.openThread(message.thread_ts);
  };
  return h(
    "div",
    { class: "notice", "data-notice": message.ts },
    h(
      "button",
      { type: "button", class: "notice-open", onclick: go },
      face(author),
      h(
        "span",
        { class: "notice-words" },
        h("span", { class: "notice-head" }, h("strong", {}, author.real_name), h("small", {}, where)),
        h("span", { class: "notice-text" }, spoken(message.text) || "(no text: this notification would be empty)"),
      ),
    ),
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": "Dismiss the notification", onclick: () => drop(key) },
      icon("close"),
    ),
  );
}
