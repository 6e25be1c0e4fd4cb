/** One message: who, when, what; brought up to date in place so that nothing in it loses focus. */

import { post } from "./api.js";
import { attachmentsNode } from "./attachments.js";
import { blockKey, blockNode } from "./blocks.js";
import { dateOf, timeNode } from "./dates.js";
import { authorOf, face } from "./directory.js";
import { fill, h, icon, keepingFocus, patchList } from "./dom.js";
import { emojiOf } from "./emoji.js";
import { mrkdwn, spoken } from "./mrkdwn.js";
import { page } from "./page.js";
import { filesNode } from "./pictures.js";
import { messageTools } from "./tools.js";
import { valuesIn } from "./values.js";

const SHEET_FROM = 3; // blocks from which an app's message is laid out as a card
const FACES = 4;
const last = new WeakMap(); // a message's node → the content that it showed before

/** The node for `{message, conversation, compact, inThread, replies}`; brings `old` up to date where there is one. */
export function messageNode(item, old) {
  const node = old ?? emptyMessage(item);
  const content = JSON.stringify([item.message.blocks, item.message.text, item.message.attachments]);
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
      h("div", { class: "message-attached" }),
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
  patchList(body, blocks ?? textAlone(message), {
    key: blockKey,
    signature: (block) => JSON.stringify(block) + page.directory.names,
    make: (block, oldBlock) => bodyPart(block, item, { node, oldBlock }),
  });
  patchList(node.querySelector(".message-attached"), message.attachments.length ? [message.attachments] : [], {
    key: () => "attachments",
    signature: (attachments) => JSON.stringify(attachments) + page.directory.names,
    make: attachmentsNode,
  });
  fill(node.querySelector(".message-foot"), filesNode(message.files), reactionsNode(item), foot(item));
  patchList(node.querySelector(".message-tools"), [[message.ephemeral, item.inThread, page.state.shortcuts]], {
    key: () => "tools",
    make: () => messageTools(item),
  });
}

function textAlone({ text }) {
  return text ? [{ type: "", text }] : [];
}

function bodyPart(block, item, { node, oldBlock }) {
  if (!block.type) return h("div", { class: "block-text" }, mrkdwn(block.text ?? "", { named: false }));
  return blockNode(block, placeOf(item, node, oldBlock && valuesIn(oldBlock)));
}

function isSheet(blocks) {
  return blocks.length >= SHEET_FROM || blocks.some(({ type }) => type === "header" || type === "actions");
}

/** Where the blocks of a message stand; the root of a thread is drawn twice, and each has a state of its own. */
function placeOf({ message, conversation }, node, carried) {
  const where = { channel: conversation.id, ts: message.ts };
  return {
    hooks: { "data-ts": message.ts, "data-conversation": conversation.id },
    key: `${conversation.id} ${message.ts}`,
    carried,
    send: (blockId, element, { type: _, ...part }) =>
      post("click", { ...where, ...idsOf(blockId, element), state: valuesIn(node), ...part }),
    suggest: (blockId, element, typed) => post("suggest", { ...where, ...idsOf(blockId, element), typed }),
  };
}

function idsOf(blockId, element) {
  return { block_id: blockId, action_id: element.action_id };
}

function head({ message, compact, inThread }) {
  const parts = [];
  if (message.ephemeral) parts.push(h("p", { class: "only-you" }, icon("eye"), "Only visible to you"));
  if (message.broadcast) parts.push(broadcastNote(message, inThread));
  if (compact) return [...parts, message.edited && h("span", { class: "unseen" }, "edited")];
  parts.push(h("span", { class: "author" }, authorOf(message).real_name));
  if (message.is_bot) parts.push(h("span", { class: "badge" }, "APP"));
  parts.push(stamp(message));
  if (message.edited) parts.push(h("span", { class: "edited" }, "edited"));
  return parts;
}

function broadcastNote({ thread_ts: root }, inThread) {
  if (inThread) return h("p", { class: "only-you" }, "Also sent to the channel");
  const open = { type: "button", class: "thread-link", onclick: () => page.openThread(root) };
  return h("p", { class: "only-you" }, icon("reply"), h("button", open, "replied to a thread"));
}

function stamp(message) {
  const node = timeNode(dateOf(message.ts), "{time}");
  node.classList.add("stamp");
  return node;
}

function reactionsNode({ message, conversation }) {
  if (!message.reactions.length) return null;
  const react = (name) => post("react", { channel: conversation.id, ts: message.ts, name });
  const chips = message.reactions.map(({ name, users }) => {
    const who = users.map((id) => page.directory.nameOf(id)).join(", ");
    const label = `${name.replaceAll("_", " ")}: ${who}`;
    const attributes = { "aria-pressed": String(users.includes(page.state.me.id)), "aria-label": label, title: label };
    const sign = h("span", { "aria-hidden": "true" }, emojiOf(name) ?? `:${name}:`, ` ${users.length}`);
    return h(
      "button",
      { type: "button", class: "reaction", "data-role": name, onclick: () => react(name), ...attributes },
      sign,
    );
  });
  return h("div", { class: "reactions", role: "group", "aria-label": "Reactions" }, chips);
}

function shortTime(message) {
  const node = stamp(message);
  node.classList.add("stamp-side");
  return node;
}

function foot({ message, conversation, inThread, replies }) {
  if (inThread || !replies.length) return [];
  const names = [...new Set(replies.map((reply) => reply.user))].slice(0, FACES);
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

function flash(node) {
  node.classList.remove("message-changed");
  node.getBoundingClientRect(); // lets the animation start over
  node.classList.add("message-changed");
}
