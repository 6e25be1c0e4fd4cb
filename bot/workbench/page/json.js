/** JSON as nodes that fold: what is short stays on a line, what is long opens on demand. */

import { h } from "./dom.js";

const SHORT = 60; // characters that an object or list may take on one line
const OPEN_TO = 2; // levels that are unfolded at first

/** A value as it is, in monospace; nothing in it is read as markup. */
export function jsonNode(value) {
  return h("div", { class: "json" }, part(value, 0));
}

function part(value, level, name = null) {
  const label = name === null ? [] : [h("span", { class: "json-key" }, name), ": "];
  if (!isNested(value)) return h("div", {}, label, scalar(value));
  const flat = JSON.stringify(value);
  if (flat.length <= SHORT) return h("div", {}, label, h("span", { class: "json-flat" }, flat));
  const list = Array.isArray(value);
  const rows = Object.entries(value).map(([key, inner]) => part(inner, level + 1, list ? null : key));
  const count = list ? `[ ${rows.length} ]` : `{ ${rows.length} }`;
  const node = h(
    "details",
    {},
    h("summary", {}, label, h("span", { class: "json-count" }, count)),
    h("div", { class: "json-inner" }, rows),
  );
  node.open = level < OPEN_TO;
  return node;
}

function isNested(value) {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function scalar(value) {
  const kind = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "word";
  return h("span", { class: `json-${kind}` }, JSON.stringify(value));
}
