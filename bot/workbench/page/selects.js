/** Elements that offer options: selects of one or many, radio buttons, checkboxes. */

import { h, icon } from "./dom.js";
import { page } from "./page.js";
import { plainText, textNodes } from "./mrkdwn.js";
import { stateful } from "./values.js";

const MANY_FROM = 8; // options from which a list gets its own filter
let counter = 0;

/** How the value object names what was chosen: options by themselves, people and places by id. */
const KINDS = {
  static_select: { one: "selected_option", initial: "initial_option" },
  external_select: { one: "selected_option", initial: "initial_option" },
  users_select: { one: "selected_user", initial: "initial_user", ids: people },
  channels_select: { one: "selected_channel", initial: "initial_channel", ids: channels },
  conversations_select: { one: "selected_conversation", initial: "initial_conversation", ids: conversations },
  multi_static_select: { many: "selected_options", initial: "initial_options" },
  multi_external_select: { many: "selected_options", initial: "initial_options" },
  multi_users_select: { many: "selected_users", initial: "initial_users", ids: people },
  multi_channels_select: { many: "selected_channels", initial: "initial_channels", ids: channels },
  multi_conversations_select: { many: "selected_conversations", initial: "initial_conversations", ids: conversations },
  radio_buttons: { one: "selected_option", initial: "initial_option", listed: true },
  checkboxes: { many: "selected_options", initial: "initial_options", listed: true },
};

/** The control for an element with options, or null for other elements. */
export function selectFor(element, context) {
  const kind = KINDS[element.type];
  if (!kind) return null;
  const groups = groupsOf(element, kind);
  const start = startOf(element, kind, context.carried);
  if (kind.listed) return listedOptions(element, kind, groups, start, context);
  return kind.one
    ? oneSelect(element, kind, groups, start, context)
    : manySelect(element, kind, groups, start, context);
}

function groupsOf(element, { ids }) {
  if (ids) return [{ options: ids() }];
  return element.option_groups ?? [{ options: element.options ?? [] }];
}

function startOf(element, { one, many, initial, ids }, carried) {
  const start = carried ? carried[one ?? many] : element[initial];
  const list = [start ?? []].flat();
  return new Set(ids ? list : list.map(({ value }) => value));
}

function oneSelect(element, kind, groups, start, { ids, act }) {
  const control = h("select", { class: "field" });
  const prompt = plainText(element.placeholder) || "Choose one";
  control.append(h("option", { value: "", class: "prompt" }, prompt), ...groups.flatMap(optionGroup));
  control.value = [...start][0] ?? "";
  const read = () => ({ type: element.type, [kind.one]: chosen(groups, new Set([control.value]), kind)[0] ?? null });
  const settle = () => control.classList.toggle("field-empty", control.value === "");
  control.addEventListener("change", () => {
    settle();
    act?.(read());
  });
  settle();
  stateful(control, ids, element, read);
  return h("span", { class: "select" }, control, icon("down"));
}

function optionGroup({ label, options }) {
  const nodes = options.map((option) => h("option", { value: option.value }, plainText(option.text)));
  return label ? h("optgroup", { label: plainText(label) }, nodes) : nodes;
}

function manySelect(element, kind, groups, start, context) {
  const box = optionBoxes(element, kind, groups, start, context);
  const chips = h("span", { class: "chips" });
  const summary = h("summary", { class: "field many-summary" }, chips, icon("down"));
  const settle = () => chips.replaceChildren(...chipNodes(box, plainText(element.placeholder) || "Choose any"));
  box.addEventListener("change", settle);
  settle();
  const node = h("details", { class: "many" }, summary, h("div", { class: "many-list" }, filterFor(box, groups), box));
  node.addEventListener("keydown", (event) => foldOnEscape(event, node, summary));
  return node;
}

function foldOnEscape(event, node, summary) {
  if (event.key !== "Escape" || !node.open) return;
  event.preventDefault();
  node.open = false;
  summary.focus();
}

function chipNodes(box, prompt) {
  const checked = [...box.querySelectorAll("input:checked")];
  if (!checked.length) return [h("span", { class: "prompt" }, prompt)];
  return checked.map((input) => h("span", { class: "chip" }, input.dataset.label));
}

function filterFor(box, groups) {
  if (groups.flatMap(({ options }) => options).length < MANY_FROM) return null;
  const filter = h("input", {
    class: "field",
    type: "search",
    placeholder: "Filter",
    "aria-label": "Filter the options",
  });
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const row of box.querySelectorAll(".choice")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  filter.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  return filter;
}

function listedOptions(element, kind, groups, start, context) {
  return optionBoxes(element, kind, groups, start, context);
}

function optionBoxes(element, kind, groups, start, { ids, act }) {
  counter += 1;
  const name = `options-${counter}`;
  const type = kind.many ? "checkbox" : "radio";
  const rows = groups.map(({ label, options }) => [
    label && h("p", { class: "choice-group" }, plainText(label)),
    options.map((option) => optionRow(option, { type, name, checked: start.has(option.value) })),
  ]);
  const box = h("div", { class: "choices", role: kind.many ? "group" : "radiogroup" }, rows);
  const picked = () => new Set([...box.querySelectorAll("input:checked")].map((input) => input.value));
  const read = () => valueObject(element, kind, chosen(groups, picked(), kind));
  box.addEventListener("change", () => act?.(read()));
  return stateful(box, ids, element, read);
}

function valueObject(element, { one, many }, list) {
  return many ? { type: element.type, [many]: list } : { type: element.type, [one]: list[0] ?? null };
}

function optionRow(option, { type, name, checked }) {
  const input = h("input", { type, name, value: option.value, "data-label": plainText(option.text) });
  input.checked = checked;
  const note = option.description && h("span", { class: "choice-note" }, textNodes(option.description));
  return h("label", { class: "choice" }, input, h("span", { class: "choice-text" }, textNodes(option.text), note));
}

function chosen(groups, values, { ids }) {
  const list = groups.flatMap(({ options }) => options).filter(({ value }) => values.has(value));
  return ids ? list.map(({ value }) => value) : list;
}

function people() {
  return page.state.people
    .filter((person) => !person.is_bot)
    .map((person) => named(person.id, page.directory.nameOf(person.id)));
}

function channels() {
  return page.state.conversations.filter(({ kind }) => kind !== "dm").map(({ id, name }) => named(id, `#${name}`));
}

function conversations() {
  const { directory } = page;
  return page.state.conversations.map((it) => named(it.id, it.kind === "dm" ? directory.titleOf(it) : `#${it.name}`));
}

function named(value, text) {
  return { value, text: { type: "plain_text", text, emoji: false } };
}
