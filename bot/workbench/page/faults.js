/** The panel's faults: what can be made to go wrong, chosen from a list, and what is planned. */

import { post } from "./api.js";
import { fill, h, icon, patchList } from "./dom.js";
import { toast } from "./toasts.js";

const FIELDS = { int: "number", float: "number", text: "text" };
let parts = null; // {kind, fields, planned, clear}
let catalogue = [];

export function faultsNode() {
  const kind = h("select", { class: "field", id: "fault-kind", "data-role": "fault-kind" });
  const fields = h("div", { class: "fault-fields" });
  const planned = h("ul", { class: "planned", "aria-label": "Planned faults" });
  const clear = h(
    "button",
    { type: "button", class: "button", "data-role": "clear-faults", onclick: () => act("clear_faults", {}) },
    "Clear all",
  );
  parts = { kind, fields, planned, clear };
  kind.addEventListener("change", showFields);
  const form = h(
    "form",
    { class: "fault-form", onsubmit: onPlan, novalidate: true },
    h("label", { class: "input-label", for: kind.id }, "What goes wrong"),
    h("span", { class: "select" }, kind, icon("down")),
    fields,
    h("button", { type: "submit", class: "button button-primary", "data-role": "plan-fault" }, "Plan it"),
  );
  const heading = h("div", { class: "panel-row" }, h("h3", { class: "side-heading" }, "Planned"), clear);
  return h("div", { class: "panel-scroll", tabindex: "0" }, form, heading, planned);
}

export function renderFaults({ faults }) {
  if (JSON.stringify(catalogue) !== JSON.stringify(faults.catalogue)) {
    catalogue = faults.catalogue;
    fill(
      parts.kind,
      catalogue.map(({ kind, words }) => h("option", { value: kind }, words)),
    );
    showFields();
  }
  parts.clear.disabled = !faults.planned.length;
  const rows = faults.planned.length ? faults.planned : [{ id: "none" }];
  patchList(parts.planned, rows, { key: ({ id }) => id, make: plannedRow });
}

function showFields() {
  const chosen = catalogue.find(({ kind }) => kind === parts.kind.value);
  fill(parts.fields, (chosen?.parameters ?? []).map(fieldRow));
}

function fieldRow({ name, words, type, default: start, least, most }) {
  const id = `fault-${name}`;
  const control = fieldOf(id, { name, type, least, most });
  if (type === "bool") control.checked = Boolean(start);
  else control.value = start ?? "";
  const label = h("label", { class: "input-label", for: id }, words);
  return h("div", { class: type === "bool" ? "fault-check" : "fault-field" }, label, control);
}

function fieldOf(id, { name, type, least: min, most: max }) {
  if (type === "bool") return h("input", { type: "checkbox", id, name });
  const step = type === "float" ? "any" : null;
  return h("input", { class: "field", type: FIELDS[type] ?? "text", id, name, step, min, max, autocomplete: "off" });
}

async function onPlan(event) {
  event.preventDefault();
  const parameters = {};
  for (const control of parts.fields.querySelectorAll("[name]")) parameters[control.name] = readField(control);
  await act("plan_fault", { kind: parts.kind.value, parameters });
}

function readField(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "number" ? Number(control.value) : control.value;
}

async function act(verb, body) {
  const { ok, error } = await post(verb, body);
  if (!ok) toast(error);
}

function plannedRow({ id, words, times }) {
  if (!words) return h("li", { class: "panel-empty" }, "Nothing is planned: everything works.");
  const remove = () => act("cancel_fault", { id });
  return h(
    "li",
    { class: "planned-row" },
    h("span", { class: "planned-words" }, words),
    times !== null && times !== undefined && h("span", { class: "count" }, `${times}×`),
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": `Take back: ${words}`, onclick: remove },
      icon("close"),
    ),
  );
}
