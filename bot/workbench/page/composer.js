/** Where a person writes: messages, replies, and slash commands with suggestions. */

import { post } from "./api.js";
import { fill, h, icon, patchList } from "./dom.js";
import { page } from "./page.js";
import { offersFor } from "./suggest.js";
import { toast } from "./toasts.js";
import { shortcutMenu } from "./tools.js";

const TALLEST = 200; // px
const drafts = new Map();

/** A writer `{node, update(conversation)}`; in a thread there are no commands, as in Slack. */
export function composer({ id, label, thread = null }) {
  const text = h("textarea", { id, class: "composer-text", rows: "1", autocomplete: "off", spellcheck: "true" });
  const list = h("div", {
    class: "suggestions",
    id: `${id}-suggestions`,
    role: "listbox",
    "aria-label": "Suggestions",
    hidden: true,
  });
  const tools = h("div", { class: "composer-tools" });
  const send = h("button", { type: "submit", class: "send", "aria-label": "Send", disabled: true }, icon("send"));
  const node = h("form", { class: "composer" }, list, !thread && tools, text, send);
  const writer = { node, text, list, tools, send, label, thread, conversation: null, offers: [], picked: 0 };
  text.addEventListener("input", () => onInput(writer));
  text.addEventListener("keydown", (event) => onKey(event, writer));
  text.addEventListener("blur", () => fold(writer));
  text.addEventListener("focus", () => suggest(writer));
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(writer);
  });
  listboxOf(text, list);
  return { node, update: (conversation) => update(writer, conversation) };
}

function listboxOf(text, list) {
  text.setAttribute("role", "combobox");
  text.setAttribute("aria-autocomplete", "list");
  text.setAttribute("aria-controls", list.id);
  text.setAttribute("aria-expanded", "false");
}

function update(writer, conversation) {
  const { text, label, tools } = writer;
  const moved = writer.conversation?.id !== conversation.id;
  writer.conversation = conversation;
  patchList(tools, [page.state.shortcuts], { key: () => "shortcuts", make: () => shortcutMenu() ?? h("span", {}) });
  const name = conversation.kind === "dm" ? page.directory.titleOf(conversation) : `#${conversation.name}`;
  const closed = conversation.archived ? "This channel is archived" : "You cannot write here";
  text.placeholder = conversation.writable ? (label ?? `Message ${name}`) : closed;
  text.setAttribute("aria-label", label ?? `Message ${name}`);
  text.disabled = !conversation.writable;
  text.setAttribute("data-conversation", conversation.id);
  if (!moved) return;
  text.value = drafts.get(draftKey(writer)) ?? "";
  onInput(writer);
}

function draftKey({ conversation, thread }) {
  return `${conversation.id} ${thread ?? ""}`;
}

function onInput(writer) {
  const { text, send } = writer;
  drafts.set(draftKey(writer), text.value);
  send.disabled = !text.value.trim();
  text.style.setProperty("height", "auto");
  text.style.setProperty("height", `${Math.min(text.scrollHeight, TALLEST)}px`);
  writer.picked = 0;
  suggest(writer);
}

function onKey(event, writer) {
  if (event.isComposing) return;
  const { offers, picked } = writer;
  if (offers.length && ["ArrowDown", "ArrowUp"].includes(event.key)) {
    event.preventDefault();
    writer.picked = (picked + (event.key === "ArrowDown" ? 1 : offers.length - 1)) % offers.length;
    showOffers(writer);
  } else if (offers.length && event.key === "Escape") {
    event.preventDefault();
    fold(writer);
  } else if (offers.length && !offers[picked].done && ["Tab", "Enter"].includes(event.key)) {
    event.preventDefault();
    complete(writer, offers[picked]);
  } else if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    submit(writer);
  }
}

function complete(writer, { from, insert }) {
  const { text } = writer;
  text.focus();
  text.setRangeText(insert, from, text.selectionStart, "end");
  onInput(writer);
}

function suggest(writer) {
  const { text, thread } = writer;
  const watched = document.activeElement === text && text.selectionStart === text.selectionEnd;
  writer.offers = watched ? offersFor(text.value, text.selectionStart, { commands: !thread }) : [];
  showOffers(writer);
}

function showOffers(writer) {
  const { text, list, offers, picked } = writer;
  list.hidden = !offers.length;
  fill(
    list,
    offers.map((offer, at) => suggestion(writer, offer, at)),
  );
  text.setAttribute("aria-expanded", String(Boolean(offers.length)));
  if (offers.length) text.setAttribute("aria-activedescendant", `${list.id}-${picked}`);
  else text.removeAttribute("aria-activedescendant");
}

function suggestion(writer, offer, at) {
  return h(
    "div",
    {
      id: `${writer.list.id}-${at}`,
      class: "suggestion",
      role: "option",
      "aria-selected": String(at === writer.picked),
      onpointerdown: (event) => {
        event.preventDefault();
        complete(writer, offer);
      },
    },
    offer.sign && h("span", { class: "suggestion-sign" }, offer.sign),
    h("span", { class: "suggestion-name" }, offer.name, h("span", { class: "suggestion-usage" }, offer.usage)),
    h("span", { class: "suggestion-about" }, offer.about),
  );
}

function fold(writer) {
  writer.offers = [];
  showOffers(writer);
}

async function submit(writer) {
  const typed = writer.text.value.trim();
  if (!typed || !writer.conversation.writable) return;
  const key = draftKey(writer);
  put(writer, key, "");
  const { ok, error } = await sent(typed, writer);
  if (ok) return;
  if (!drafts.get(key)) put(writer, key, typed);
  toast(error);
}

function put(writer, key, value) {
  drafts.set(key, value);
  if (draftKey(writer) !== key) return;
  writer.text.value = value;
  onInput(writer);
}

function sent(typed, { conversation, thread }) {
  if (typed.startsWith("/") && !thread) return post("command", { channel: conversation.id, text: typed });
  return post("say", { channel: conversation.id, text: typed, ...(thread ? { thread_ts: thread } : {}) });
}
