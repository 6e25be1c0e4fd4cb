/** Elements that offer options: selects of one or many, radio buttons, checkboxes. */

import { combobox } from "./combobox.js";
import { h, icon } from "./dom.js";
import { plainText, textNodes } from "./mrkdwn.js";
import { channels, conversations, currentConversation, people } from "./places.js";
import { stateful } from "./values.js";

const MANY_FROM = 8; // options from which a list gets its own filter
const LONG_FROM = 25; // options from which one is typed for rather than looked for
const LEAST_TYPED = 3; // characters; Slack's own default for min_query_length
let counter = 0;

/** How the value object names what was chosen: options by themselves, people and places by id. */
const KINDS = {
  static_select: { one: "selected_option", initial: "initial_option" },
  external_select: { one: "selected_option", initial: "initial_option", asks: true },
  users_select: { one: "selected_user", initial: "initial_user", ids: people },
  channels_select: { one: "selected_channel", initial: "initial_channel", ids: channels },
  conversations_select: { one: "selected_conversation", initial: "initial_conversation", ids: conversations },
  multi_static_select: { many: "selected_options", initial: "initial_options" },
  multi_external_select: { many: "selected_options", initial: "initial_options", asks: true },
  multi_users_select: { many: "selected_users", initial: "initial_users", ids: people },
  multi_channels_select: { many: "selected_channels", initial: "initial_channels", ids: channels },
  multi_conversations_select: { many: "selected_conversations", initial: "initial_conversations", ids: conversations },
  radio_buttons: { one: "selected_option", initial: "initial_option", listed: true },
  checkboxes: { many: "selected_options", initial: "initial_options", listed: true },
};

/** The control for an element with options, or null for other elements. */
export function selectFor(element, context) {
  if (!Object.hasOwn(KINDS, element.type)) return null;
  const kind = KINDS[element.type];
  const groups = groupsOf(element, kind);
  const start = startOf(element, kind, context.carried);
  if (kind.listed) return optionBoxes(element, kind, groups, start, context);
  if (kind.asks || isLong(groups, kind)) return typedSelect(element, kind, groups, start, context);
  return kind.one
    ? oneSelect(element, kind, groups, start, context)
    : manySelect(element, kind, groups, start, context);
}

function groupsOf(element, { ids, asks }) {
  if (asks) return [];
  if (ids) return [{ options: ids(element) }];
  return element.option_groups ?? [{ options: element.options ?? [] }];
}

function isLong(groups, { one }) {
  return Boolean(one) && groups.flatMap(({ options }) => options).length >= LONG_FROM;
}

/** What is chosen at first, as a list: options for those that are options, ids for people and places. */
function startOf(element, { one, many, initial }, carried) {
  const start = carried ? carried[one ?? many] : (element[initial] ?? currentConversation(element));
  return [start ?? []].flat();
}

function keysOf(start, { ids }) {
  return new Set(ids ? start : start.map(({ value }) => value));
}

function promptOf(element, otherwise) {
  return plainText(element.placeholder) || otherwise;
}

function oneSelect(element, kind, groups, start, { ids, act }) {
  const control = h("select", { class: "field" });
  const prompt = h("option", { value: "", class: "prompt" }, promptOf(element, "Choose one"));
  control.append(prompt, ...groups.flatMap(optionGroup));
  control.value = [...keysOf(start, kind)][0] ?? "";
  const read = () => valueObject(element, kind, chosen(groups, new Set([control.value]), kind));
  const settle = () => control.classList.toggle("field-empty", control.value === "");
  let before = control.value;
  const undo = (value) => {
    control.value = value;
    before = value;
    settle();
  };
  control.addEventListener("change", () => {
    const last = before;
    before = control.value;
    settle();
    act?.(read, () => undo(last));
  });
  settle();
  stateful(control, ids, element, read);
  return h("span", { class: "select" }, control, icon("down"));
}

function optionGroup({ label, options }) {
  const nodes = options.map((option) => h("option", { value: option.value }, plainText(option.text)));
  return label ? h("optgroup", { label: plainText(label) }, nodes) : nodes;
}

/** A select that is typed into: the app looks the options up, or the page does among many. */
function typedSelect(element, kind, groups, start, { ids, act, suggest }) {
  const known = new Map(groups.flatMap(({ options }) => options).map((option) => [option.value, option]));
  const box = combobox({
    many: Boolean(kind.many),
    most: element.max_selected_items,
    start: kind.ids ? start.map((id) => known.get(id)).filter(Boolean) : start,
    prompt: promptOf(element, "Type to search"),
    search: kind.asks ? (typed) => askedApp(element, typed, suggest) : (typed) => ({ groups: fitting(groups, typed) }),
    changed: () => act?.(read),
  });
  const read = () => valueObject(element, kind, kind.ids ? box.chosen().map(({ value }) => value) : box.chosen());
  stateful(box.input, ids, element, read);
  return box.node;
}

async function askedApp(element, typed, suggest) {
  const least = element.min_query_length ?? LEAST_TYPED;
  if (typed.length < least) return { note: least === 1 ? "Type to search." : `Type ${least} characters to search.` };
  const { ok, error, answer } = await suggest(element, typed);
  if (!ok) return { note: error };
  return { groups: answer.option_groups ?? [{ options: answer.options ?? [] }] };
}

function fitting(groups, typed) {
  const wanted = typed.toLowerCase();
  const fits = ({ text }) => plainText(text).toLowerCase().includes(wanted);
  return groups.map((group) => ({ ...group, options: group.options.filter(fits) }));
}

function manySelect(element, kind, groups, start, context) {
  const box = optionBoxes(element, kind, groups, start, context);
  const chips = h("span", { class: "chips" });
  const summary = h("summary", { class: "field many-summary" }, chips, icon("down"));
  const settle = () => {
    chips.replaceChildren(...chipNodes(box, promptOf(element, "Choose any")));
    holdToMost(box, element.max_selected_items);
  };
  for (const name of ["change", "undone"]) box.addEventListener(name, settle);
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

/** With `max_selected_items` chosen, the others wait until one is taken back. */
function holdToMost(box, most) {
  if (!most) return;
  const full = box.querySelectorAll("input:checked").length >= most;
  for (const input of box.querySelectorAll("input")) input.disabled = full && !input.checked;
}

function filterFor(box, groups) {
  if (groups.flatMap(({ options }) => options).length < MANY_FROM) return null;
  const filter = h("input", {
    class: "field",
    type: "search",
    placeholder: "Filter",
    "aria-label": "Filter the options",
  });
  filter.addEventListener("input", (event) => {
    event.stopPropagation();
    const wanted = filter.value.trim().toLowerCase();
    for (const row of box.querySelectorAll(".choice")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  filter.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  return filter;
}

function optionBoxes(element, kind, groups, start, { ids, act }) {
  counter += 1;
  const name = `options-${counter}`;
  const type = kind.many ? "checkbox" : "radio";
  const checked = keysOf(start, kind);
  const rows = groups.map(({ label, options }) => [
    label && h("p", { class: "choice-group" }, plainText(label)),
    options.map((option) => optionRow(option, { type, name, checked: checked.has(option.value) })),
  ]);
  const box = h("div", { class: "choices", role: kind.many ? "group" : "radiogroup" }, rows);
  const picked = () => new Set([...box.querySelectorAll("input:checked")].map((input) => input.value));
  const read = () => valueObject(element, kind, chosen(groups, picked(), kind));
  let before = picked();
  const undo = (values) => {
    for (const input of box.querySelectorAll("input")) input.checked = values.has(input.value);
    before = values;
    box.dispatchEvent(new Event("undone"));
  };
  box.addEventListener("change", () => {
    const last = before;
    before = picked();
    act?.(read, () => undo(last));
  });
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
