/** Elements that hold one value and are written or picked: texts, numbers, dates, times. */

import { h } from "./dom.js";
import { fileInput } from "./fileinput.js";
import { plainText } from "./mrkdwn.js";
import { richInput } from "./richinput.js";
import { stateful } from "./values.js";

const TEXT_TYPES = {
  plain_text_input: { type: "text" },
  email_text_input: { type: "email", inputmode: "email", autocomplete: "off" },
  url_text_input: { type: "url", inputmode: "url", autocomplete: "off" },
  number_input: { type: "text", inputmode: "decimal", autocomplete: "off" },
};

const PICKERS = {
  datepicker: { input: "date", field: "selected_date", initial: "initial_date" },
  timepicker: { input: "time", field: "selected_time", initial: "initial_time" },
};

/** The control for a text-like or date-like element, or null for other elements. */
export function fieldFor(element, context) {
  if (Object.hasOwn(TEXT_TYPES, element.type)) return textField(element, context);
  if (Object.hasOwn(PICKERS, element.type)) return picker(element, context);
  if (element.type === "datetimepicker") return momentPicker(element, context);
  if (element.type === "rich_text_input") return richInput(element, context);
  if (element.type === "file_input") return fileInput(element, context);
  return null;
}

function textField(element, { ids, carried, act }) {
  const { multiline } = element;
  const start = carried ? carried.value : element.initial_value;
  const control = multiline
    ? h("textarea", { class: "field field-tall", rows: "4", placeholder: plainText(element.placeholder) })
    : h("input", { class: "field", ...TEXT_TYPES[element.type], placeholder: plainText(element.placeholder) });
  control.value = start ?? "";
  const read = () => ({ type: element.type, value: control.value === "" ? null : control.value });
  stateful(control, ids, element, read);
  if (act) listenForDispatch(control, element, () => act(read));
  return control;
}

function listenForDispatch(control, element, send) {
  const when = element.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
  if (when.includes("on_character_entered")) control.addEventListener("input", send);
  if (!when.includes("on_enter_pressed")) return;
  control.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
}

function picker(element, { ids, carried, act }) {
  const { input, field, initial } = PICKERS[element.type];
  const control = h("input", { class: "field field-short", type: input });
  control.value = (carried ? carried[field] : element[initial]) ?? "";
  const zone = element.timezone ? { timezone: element.timezone } : {};
  const read = () => ({ type: element.type, [field]: control.value || null, ...zone });
  control.addEventListener("change", () => act?.(read));
  return stateful(control, ids, element, read);
}

function momentPicker(element, { ids, carried, act }) {
  const control = h("input", { class: "field field-short", type: "datetime-local" });
  control.value = localMoment(carried ? carried.selected_date_time : element.initial_date_time);
  const read = () => ({ type: element.type, selected_date_time: unixOf(control.value) });
  control.addEventListener("change", () => act?.(read));
  return stateful(control, ids, element, read);
}

function localMoment(unix) {
  if (!unix) return "";
  const date = new Date(unix * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function unixOf(local) {
  return local ? Math.floor(new Date(local).getTime() / 1000) : null;
}
