/** One message: who, when, what; brought up to date in place so that nothing in it loses focus. */

import { post } from "./api.js";
import { blockKey, blockNode } from "./blocks.js";
import { dateOf, timeNode } from "./dates.js";
import { face } from "./directory.js";
import { fill, h, icon, keepingFocus, patchList } from "./dom.js";
import { mrkdwn, spoken } from "./mrkdwn.js";
import { page } from "./page.js";
import { remember, remembered } from "./remember.js";
import { valuesIn } from "./values.js";

const SHEET_FROM = 3; // blocks from which an app's message is laid out as a card
const last = new WeakMap(); // a message's node → the content that it showed before

/** The node for `{message, conversation, compact, inThread, replies}`; brings `old` up to date where there is one. */
export function messageNode(item, old) {
  const node = old ?? emptyMessage(item);
  const content = JSON.stringify([item.message.blocks, item.message.text]);
  if (old && last.get(old) !== content) flash(old);
  last.set(node, content);
  keepingFocus(
    node,
    () => show(node, item),
    () => node,
  );
  return node;
}

function emptyMessage({ message, conversation }) {
  return h(
    "article",
    { class: "message", "data-ts": message.ts, "data-conversation": conversation.id, tabindex: "-1" },
    h("div", { class: "message-side" }),
    h(
      "div",
      { class: "message-main" },
      h("div", { class: "message-head" }),
      h("div", { class: "message-body" }),
      h("div", { class: "message-foot" }),
    ),
    h("div", { class: "message-tools" }),
  );
}

function show(node, item) {
  const { message, compact } = item;
  const blocks = message.blocks?.length ? message.blocks : null;
  node.classList.toggle("message-compact", compact);
  node.classList.toggle("message-ephemeral", message.ephemeral);
  node.setAttribute("aria-label", `${authorOf(message).real_name}: ${spoken(message.text)}`.slice(0, 200));
  fill(node.querySelector(".message-side"), compact ? shortTime(message) : face(authorOf(message)));
  fill(node.querySelector(".message-head"), head(item));
  const body = node.querySelector(".message-body");
  body.classList.toggle("sheet", Boolean(blocks) && isSheet(blocks));
  patchList(body, blocks ?? [{ type: "", text: message.text }], {
    key: blockKey,
    signature: (block) => JSON.stringify(block) + page.directory.names,
    make: (block, oldBlock) => bodyPart(block, item, oldBlock),
  });
  fill(node.querySelector(".message-foot"), foot(item));
  fill(node.querySelector(".message-tools"), tools(item));
}

function bodyPart(block, item, oldBlock) {
  if (!block.type) return h("div", { class: "block-text" }, mrkdwn(block.text ?? ""));
  return blockNode(block, placeOf(item, oldBlock && valuesIn(oldBlock)));
}

function isSheet(blocks) {
  return blocks.length >= SHEET_FROM || blocks.some(({ type }) => type === "header" || type === "actions");
}

function placeOf({ message, conversation }, carried) {
  const channel = conversation.id;
  const { ts } = message;
  return {
    hooks: { "data-ts": ts, "data-conversation": channel },
    key: `${channel} ${ts}`,
    carried,
    send: (blockId, element, { type: _, ...part }) =>
      post("click", { channel, ts, block_id: blockId, action_id: element.action_id, state: stateOf(ts), ...part }),
  };
}

function stateOf(ts) {
  const node = document.querySelector(`article[data-ts="${CSS.escape(ts)}"]`);
  return node ? valuesIn(node) : {};
}

function authorOf(message) {
  const person = page.directory.person(message.user);
  const name = message.name || person?.real_name || person?.name || message.user || "Somebody";
  return {
    color: null,
    ...person,
    real_name: message.is_bot ? name : page.directory.nameOf(message.user),
    is_bot: message.is_bot,
  };
}

function head({ message, compact }) {
  const parts = [];
  if (message.ephemeral) parts.push(h("p", { class: "only-you" }, icon("eye"), "Only visible to you"));
  if (compact) return [...parts, message.edited && h("span", { class: "unseen" }, "edited")];
  parts.push(h("span", { class: "author" }, authorOf(message).real_name));
  if (message.is_bot) parts.push(h("span", { class: "badge" }, "APP"));
  parts.push(stamp(message));
  if (message.edited) parts.push(h("span", { class: "edited" }, "edited"));
  return parts;
}

function stamp(message) {
  const node = timeNode(dateOf(message.ts), "{time}");
  node.classList.add("stamp");
  return node;
}

function shortTime(message) {
  const node = stamp(message);
  node.classList.add("stamp-side");
  return node;
}

function foot({ message, conversation, inThread, replies }) {
  if (inThread || !replies.length) return [];
  const names = [...new Set(replies.map((reply) => reply.user))].slice(0, 4);
  const count = replies.length === 1 ? "1 reply" : `${replies.length} replies`;
  return h(
    "button",
    {
      type: "button",
      class: "thread-link",
      "data-role": "open-thread",
      "data-ts": message.ts,
      "data-conversation": conversation.id,
      onclick: () => page.openThread(message.ts),
    },
    h(
      "span",
      { class: "faces" },
      names.map((id) => face(page.directory.person(id))),
    ),
    h("span", { class: "thread-count" }, count),
    h("span", { class: "thread-last" }, "last ", timeNode(dateOf(replies.at(-1).ts), "{date_short_pretty} at {time}")),
  );
}

function tools({ message, conversation, inThread }) {
  if (message.ephemeral) return tool("Hide", "hide", "close", message, () => hide(conversation, message));
  if (inThread) return [];
  return tool("Reply in thread", "reply", "reply", message, () => page.openThread(message.ts, { write: true }));
}

function tool(label, role, picture, message, onclick) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      title: label,
      "aria-label": label,
      "data-role": role,
      "data-ts": message.ts,
      onclick,
    },
    icon(picture),
  );
}

function hide(conversation, message) {
  remember({ hidden: [...remembered().hidden, `${conversation.id} ${message.ts}`].slice(-200) });
  page.render();
}

function flash(node) {
  node.classList.remove("message-changed");
  node.getBoundingClientRect(); // lets the animation start over
  node.classList.add("message-changed");
}
