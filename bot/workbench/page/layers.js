/** Dialogs above the page: focus stays in the upper one and returns to where it came from. */

import { addressOf, byAddress, h, isEscape } from "./dom.js";

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]";
const PLACE = document.getElementById("layers");
const BELOW = document.getElementById("app");
const stack = [];

/** Shows `panel` above everything; `onEscape` decides what the key does. Give the layer back to `closeLayer`. */
export function openLayer(panel, { onEscape, className = "" }) {
  const opener = document.activeElement;
  const node = h("div", { class: `layer ${className}` }, panel);
  const layer = { node, panel, opener, address: addressOf(opener) };
  node.addEventListener("keydown", (event) => onKey(event, panel, onEscape));
  stack.push(layer);
  PLACE.append(node);
  settleInert();
  return layer;
}

export function closeLayer(layer) {
  stack.splice(stack.indexOf(layer), 1);
  layer.node.remove();
  settleInert();
  returnFocus(layer);
}

export function focusables(panel) {
  return [...panel.querySelectorAll(FOCUSABLE)].filter((node) => node.tabIndex >= 0 && node.checkVisibility());
}

function onKey(event, panel, onEscape) {
  if (isEscape(event)) {
    event.preventDefault();
    event.stopPropagation();
    onEscape();
  } else if (event.key === "Tab") {
    keepInside(event, panel);
  }
}

function keepInside(event, panel) {
  const inside = focusables(panel);
  const edge = event.shiftKey ? inside[0] : inside.at(-1);
  const active = document.activeElement;
  if (active !== edge && active !== panel) return;
  if (active === panel && !event.shiftKey) return;
  event.preventDefault();
  (event.shiftKey ? inside.at(-1) : inside[0])?.focus();
}

function settleInert() {
  const upper = stack.at(-1);
  BELOW.inert = Boolean(upper);
  for (const layer of stack) layer.node.inert = layer !== upper;
}

function returnFocus({ opener, address }) {
  const target = opener?.isConnected && opener !== document.body ? opener : byAddress(document, address);
  (target ?? document.getElementById("composer-text"))?.focus({ preventScroll: true });
}
