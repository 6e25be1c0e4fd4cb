/** What a person's browser keeps between visits: the open conversation, what was read, what was hidden. */

import { page } from "./page.js";

let kept = null;

export function remembered() {
  kept ??= {
    conversation: null,
    tab: "messages",
    read: {},
    hidden: [],
    hintsFolded: false,
    panel: false,
    part: "",
    ...load(),
  };
  return kept;
}

export function remember(changes) {
  Object.assign(remembered(), changes);
  try {
    localStorage.setItem(name(), JSON.stringify(kept));
  } catch {
    // Private windows may refuse; the page then remembers until it is closed.
  }
}

export function markRead(conversation, ts) {
  const { read } = remembered();
  if (ts && (read[conversation] ?? "") < ts) remember({ read: { ...read, [conversation]: ts } });
}

export function unreadCount(conversation, me) {
  const mark = remembered().read[conversation.id] ?? "";
  return conversation.messages.filter((message) => countsAsNew(message, mark, me)).length;
}

export function countsAsNew(message, mark, me) {
  return message.user !== me && message.ts > mark && (!isReply(message) || message.broadcast);
}

export function isReply(message) {
  return Boolean(message.thread_ts) && message.thread_ts !== message.ts;
}

function name() {
  return `workbench:${page.as}`;
}

function load() {
  try {
    return JSON.parse(localStorage.getItem(name())) ?? {};
  } catch {
    return {};
  }
}
