/** The list of messages: grouped, with day separators, at its end unless somebody scrolled up. */

import { dateOf, dayKey, dayName } from "./dates.js";
import { h, keepingFocus, patchList } from "./dom.js";
import { messageNode } from "./message.js";
import { page } from "./page.js";
import { countsAsNew, isReply, remembered } from "./remember.js";

const GROUPED_WITHIN = 5 * 60; // seconds
const NEAR_END = 60; // px
const PLACE = document.getElementById("messages");
let shownConversation = null;

export function renderMessages(conversation) {
  const moved = shownConversation !== conversation.id;
  const atEnd = moved || isAtEnd(PLACE);
  shownConversation = conversation.id;
  keepingFocus(
    PLACE,
    () => showMessages(PLACE, itemsOf(conversation)),
    () => PLACE,
  );
  if (atEnd) PLACE.scrollTop = PLACE.scrollHeight;
}

/** Keeps the end in sight while what is below the list, or a picture in it, changes its height. */
export function keepEndInSight() {
  let atEnd = true;
  PLACE.addEventListener("scroll", () => (atEnd = isAtEnd(PLACE)), { passive: true });
  new ResizeObserver(() => atEnd && (PLACE.scrollTop = PLACE.scrollHeight)).observe(PLACE);
}

export function showMessages(parent, items) {
  patchList(parent, items, {
    key: (item) => item.key,
    signature: (item) => JSON.stringify(item.sign),
    make: (item, old) => (item.message ? messageNode(item, old) : item.node()),
  });
}

/** The items of a thread: its first message, then the replies. */
export function threadItems(conversation, ts) {
  const inThread = conversation.messages.filter((message) => message.ts === ts || message.thread_ts === ts);
  return visible(conversation, inThread).map((message) =>
    item({ message, conversation, compact: false, inThread: true, replies: [] }),
  );
}

export function repliesTo(conversation, ts) {
  return conversation.messages.filter((message) => message.thread_ts === ts && isReply(message));
}

function itemsOf(conversation) {
  const items = [];
  let before = null;
  for (const message of visible(
    conversation,
    conversation.messages.filter((it) => !isReply(it) || it.broadcast),
  )) {
    const day = dayKey(dateOf(message.ts));
    if (!before || dayKey(dateOf(before.ts)) !== day) items.push(daySeparator(day, message));
    if (isFirstNew(message, before)) items.push(newSeparator());
    const compact = belongsTo(before, message) && !["day", "new"].includes(items.at(-1)?.key.split(" ")[0]);
    items.push(item({ message, conversation, compact, inThread: false, replies: repliesTo(conversation, message.ts) }));
    before = message;
  }
  return items.length ? items : [emptyNote(conversation)];
}

function visible(conversation, messages) {
  const hidden = new Set(remembered().hidden);
  return messages.filter((message) => !(message.ephemeral && hidden.has(`${conversation.id} ${message.ts}`)));
}

function item(facts) {
  const { message, conversation, compact, replies } = facts;
  const sign = [message, compact, replies.map(({ ts, user }) => [ts, user]), page.directory.names];
  return { key: `message ${conversation.id} ${message.ts}`, sign, ...facts };
}

function belongsTo(before, message) {
  if (!before || [before, message].some((it) => it.blocks?.length || it.ephemeral || it.broadcast)) return false;
  return before.user === message.user && before.name === message.name && message.ts - before.ts < GROUPED_WITHIN;
}

function isFirstNew(message, before) {
  const { newAfter, newUntil, state } = page;
  if (!newAfter || !before || message.ts > newUntil) return false;
  return countsAsNew(message, newAfter, state.me.id) && !countsAsNew(before, newAfter, state.me.id);
}

function daySeparator(day, message) {
  const name = dayName(dateOf(message.ts));
  return { key: `day ${day}`, sign: [day, name], node: () => separator("separator", name) };
}

function newSeparator() {
  return { key: "new", sign: [], node: () => separator("separator separator-new", "New") };
}

function separator(className, text) {
  return h("div", { class: className, role: "separator", "aria-label": text }, h("span", {}, text));
}

function emptyNote(conversation) {
  const direct = conversation.kind === "dm";
  const name = direct ? page.directory.titleOf(conversation) : `#${conversation.name}`;
  const note = direct
    ? "What the two of you write shows up here at once."
    : "What is said here shows up at once in everybody's tab.";
  const node = () =>
    h(
      "div",
      { class: "empty" },
      h("p", { class: "empty-title" }, direct ? `Nothing from ${name} yet` : `Nothing in ${name} yet`),
      h("p", {}, note),
    );
  return { key: "empty", sign: [name], node };
}

function isAtEnd(list) {
  return list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
}
