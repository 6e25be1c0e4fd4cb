/** One interactive element of a block, wherever it stands. */

import { dispatch, press, pressable } from "./clicks.js";
import { h, icon } from "./dom.js";
import { fieldFor } from "./fields.js";
import { safeAddress } from "./links.js";
import { menuOf } from "./menus.js";
import { plainText, textNodes } from "./mrkdwn.js";
import { selectFor } from "./selects.js";
import { carriedValue } from "./values.js";

const STYLES = { primary: "button-primary", danger: "button-danger" };

/**
 * The node of an element, or null for a type that this page does not draw. `place` says where it stands:
 * `{hooks, key, carried, send(blockId, element, part), suggest(blockId, element, typed)}`; with `quiet` (an input block
 * without dispatch) it sends nothing.
 */
export function elementNode(element, blockId, place, { quiet = false } = {}) {
  if (element.type === "button") return button(element, blockId, place);
  if (element.type === "overflow") return overflow(element, blockId, place);
  const key = keyOf(element, blockId, place);
  const send = (read, undo) => dispatch(key, element.confirm, () => place.send(blockId, element, read()), undo);
  const context = {
    ids: idsOf(element, blockId, place),
    carried: carriedValue(place.carried, blockId, element),
    act: quiet ? null : send,
    suggest: (asking, typed) => place.suggest(blockId, asking, typed),
  };
  const node = fieldFor(element, context) ?? selectFor(element, context);
  if (!node) return null;
  nameControl(node, element);
  return quiet ? node : pressable(node, key);
}

function nameControl(node, element) {
  const control = node.matches("[data-element]") ? node : node.querySelector("[data-element]");
  control.setAttribute("aria-label", plainText(element.placeholder) || element.action_id.replaceAll("_", " "));
}

function idsOf(element, blockId, place) {
  return { "data-block-id": blockId, "data-action-id": element.action_id, ...place.hooks };
}

function keyOf(element, blockId, place) {
  return JSON.stringify([place.key, blockId, element.action_id]);
}

function button(element, blockId, place) {
  const key = keyOf(element, blockId, place);
  const send = () => {
    follow(element.url);
    return place.send(blockId, element, buttonPart(element));
  };
  const onclick = () => press(key, element.confirm, send);
  const label = element.accessibility_label ?? null;
  const className = `button ${STYLES[element.style] ?? ""}`;
  const node = h(
    "button",
    { type: "button", class: className, ...idsOf(element, blockId, place), "aria-label": label, onclick },
    h("span", { class: "button-text" }, textNodes(element.text)),
    element.url && icon("out"),
  );
  return pressable(node, key);
}

function follow(raw) {
  const address = safeAddress(raw);
  if (address) open(address, "_blank", "noopener,noreferrer");
}

function buttonPart(element) {
  return element.value === undefined ? { type: "button" } : { type: "button", value: element.value };
}

function overflow(element, blockId, place) {
  const key = keyOf(element, blockId, place);
  const choose = (option) => {
    const send = () => {
      follow(option.url);
      return place.send(blockId, element, { type: "overflow", selected_option: option });
    };
    press(key, element.confirm, send);
  };
  const items = element.options.map((option) => ({
    label: textNodes(option.text),
    note: option.description ? textNodes(option.description) : "",
    attributes: { value: option.value ?? "" },
    onclick: () => choose(option),
  }));
  const summary = h(
    "summary",
    { class: "button button-icon", "aria-label": "More", ...idsOf(element, blockId, place) },
    icon("more"),
  );
  return pressable(menuOf(summary, items), key);
}
