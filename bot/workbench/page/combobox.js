/** A field with suggestions: for options that the app looks up, and for lists too long to scroll through. */

import { fill, h, icon } from "./dom.js";
import { plainText, textNodes } from "./mrkdwn.js";
import { placeAt } from "./placement.js";

const PAUSE = 180; // ms without typing before somebody is asked
let counter = 0;

/**
 * A combobox `{node, input, chosen()}`. `search(typed)` resolves to `{groups}` of options, or `{note}` where there is
 * nothing to choose from; `changed()` is called after each choice. With `many` the chosen ones stand as chips before it.
 */
export function combobox({ many = false, most = Infinity, start, prompt, search, changed }) {
  counter += 1;
  const id = `combo-${counter}`;
  const input = h("input", {
    class: "field combo-input",
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": id,
    placeholder: prompt,
  });
  const list = h("div", { id, class: "combo-list", role: "listbox", "aria-label": prompt, hidden: true });
  const note = h("p", { class: "combo-note", role: "status", hidden: true });
  const popup = h("div", { class: "combo-popup", hidden: true }, list, note);
  const chips = h("ul", { class: "chips combo-chips", "aria-label": "Chosen", hidden: true });
  const clear = h("button", { type: "button", class: "quiet combo-clear", "aria-label": "Clear" }, icon("close"));
  const field = h("div", { class: "combo-field" }, input, clear, icon("down"));
  const node = h("div", { class: "combo" }, chips, field, popup);
  const box = { id, node, field, input, list, note, popup, chips, clear, many, most, search, changed };
  Object.assign(box, { picked: [...start], offers: [], at: -1, asked: 0, timer: 0 });
  listen(box);
  show(box);
  return { node, input, chosen: () => box.picked };
}

function listen(box) {
  const { input, clear, node, field } = box;
  input.addEventListener("input", (event) => {
    event.stopPropagation();
    clearTimeout(box.timer);
    box.timer = setTimeout(() => ask(box), PAUSE);
  });
  input.addEventListener("keydown", (event) => onKey(event, box));
  input.addEventListener("focus", () => input.select());
  field.addEventListener("click", ({ target }) => clear.contains(target) || box.popup.hidden === false || ask(box, ""));
  clear.addEventListener("click", () => {
    settle(box, []);
    input.focus();
  });
  node.addEventListener("focusout", ({ relatedTarget }) => node.contains(relatedTarget) || close(box));
}

function onKey(event, box) {
  if (event.isComposing) return;
  const open = !box.popup.hidden;
  if (["ArrowDown", "ArrowUp"].includes(event.key)) {
    event.preventDefault();
    if (open) point(box, box.at + (event.key === "ArrowDown" ? 1 : -1));
    else ask(box, "");
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (open && box.at >= 0) choose(box, box.offers[box.at]);
  } else if (event.key === "Escape" && open) {
    event.preventDefault();
    event.stopPropagation();
    close(box);
  } else if (event.key === "Backspace" && box.many && !box.input.value && box.picked.length) {
    settle(box, box.picked.slice(0, -1));
  }
}

/** Asks for what fits `typed`; an answer that comes after a newer question is dropped. */
async function ask(box, typed = box.input.value.trim()) {
  box.asked += 1;
  const mine = box.asked;
  const waiting = setTimeout(() => mine === box.asked && tell(box, "Searching…"), PAUSE);
  const found = await box.search(typed);
  clearTimeout(waiting);
  if (mine === box.asked && box.node.contains(document.activeElement)) offer(box, found);
}

function offer(box, { groups = [], note = "" }) {
  const taken = new Set(box.many ? box.picked.map(({ value }) => value) : []);
  const left = groups.map((group) => ({ ...group, options: group.options.filter(({ value }) => !taken.has(value)) }));
  box.offers = left.flatMap(({ options }) => options);
  if (!box.offers.length) return tell(box, note || "Nothing fits.");
  let at = 0;
  const rows = left.map(({ label, options }) => {
    const own = options.map((option) => optionRow(box, option, at++));
    return label && own.length ? groupNode(`${box.id}-group-${at}`, label, own) : own;
  });
  fill(box.list, rows);
  open(box, { listed: true });
  return point(box, 0);
}

function groupNode(id, label, rows) {
  return h(
    "div",
    { role: "group", "aria-labelledby": id },
    h("p", { id, class: "choice-group", role: "presentation" }, plainText(label)),
    rows,
  );
}

function optionRow(box, option, at) {
  const pick = (event) => {
    event.preventDefault();
    choose(box, option);
  };
  const about = option.description && h("span", { class: "choice-note" }, textNodes(option.description));
  return h(
    "div",
    { id: `${box.id}-${at}`, class: "combo-option", role: "option", "aria-selected": "false", onpointerdown: pick },
    h("span", {}, textNodes(option.text)),
    about,
  );
}

function tell(box, words) {
  box.offers = [];
  box.at = -1;
  fill(box.list);
  box.note.textContent = words;
  open(box, { listed: false });
}

function open(box, { listed }) {
  box.popup.hidden = false;
  box.list.hidden = !listed;
  box.note.hidden = listed;
  if (listed) box.note.textContent = "";
  box.input.setAttribute("aria-expanded", String(listed));
  placeAt(box.field, box.popup, { wide: true });
}

function close(box) {
  box.asked += 1;
  clearTimeout(box.timer);
  box.popup.hidden = true;
  box.input.setAttribute("aria-expanded", "false");
  box.input.removeAttribute("aria-activedescendant");
  show(box);
}

function point(box, to) {
  box.at = (to + box.offers.length) % box.offers.length;
  const rows = box.list.querySelectorAll("[role=option]");
  for (const [at, row] of rows.entries()) row.setAttribute("aria-selected", String(at === box.at));
  rows[box.at].scrollIntoView({ block: "nearest" });
  box.input.setAttribute("aria-activedescendant", rows[box.at].id);
}

function choose(box, option) {
  const { text, value, description } = option;
  const plain = description ? { text, value, description } : { text, value };
  if (box.many) box.input.value = "";
  settle(box, box.many ? [...box.picked, plain].slice(0, box.most) : [plain]);
  close(box);
}

function settle(box, picked) {
  box.picked = picked;
  show(box);
  box.node.dispatchEvent(new Event("input", { bubbles: true })); // for whoever watches whether the field was edited
  box.changed();
}

function show(box) {
  const { many, picked, input, chips, clear } = box;
  if (!many) input.value = picked.length ? plainText(picked[0].text) : "";
  else if (!input.matches(":focus")) input.value = "";
  clear.hidden = many || !picked.length;
  chips.hidden = !many || !picked.length;
  input.disabled = many && picked.length >= box.most;
  if (many)
    fill(
      chips,
      picked.map((option) => chip(box, option)),
    );
}

function chip(box, option) {
  const words = plainText(option.text);
  const remove = () => {
    settle(
      box,
      box.picked.filter(({ value }) => value !== option.value),
    );
    box.input.focus();
  };
  return h(
    "li",
    { class: "chip" },
    h("span", { class: "chip-words" }, words),
    h(
      "button",
      { type: "button", class: "chip-remove", "aria-label": `Remove ${words}`, onclick: remove },
      icon("close"),
    ),
  );
}
