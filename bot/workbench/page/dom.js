/** Builds and patches elements, so that data enters the page as text nodes and attributes only. */

const SPRITE = document.getElementById("icons");

/** An element with attributes (`onclick` and the like are listeners; null, undefined and false are left out). */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) assign(node, name, value);
  node.append(...flat(children));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

export function icon(name, label = "") {
  const drawing = document.createElementNS(SPRITE.namespaceURI, "svg");
  const use = document.createElementNS(SPRITE.namespaceURI, "use");
  use.setAttribute("href", `#icon-${name}`);
  drawing.append(use);
  drawing.setAttribute("class", `icon icon-${name}`);
  drawing.setAttribute("focusable", "false");
  assign(drawing, "role", label ? "img" : null);
  assign(drawing, "aria-label", label || null);
  assign(drawing, "aria-hidden", label ? null : "true");
  return drawing;
}

const shown = new WeakMap();

/**
 * Makes `parent` show one node per item. A node stays as it is while its signature stays, so that focus, typed text and
 * open selects survive a new state; `make(item, old)` may also bring the old node up to date and return it.
 */
export function patchList(parent, items, { key, signature = JSON.stringify, make }) {
  const before = shown.get(parent) ?? new Map();
  const after = new Map();
  for (const item of items) {
    const id = unused(after, key(item));
    const sign = signature(item);
    const old = before.get(id);
    after.set(id, old?.sign === sign ? old : { sign, node: make(item, old?.node) });
  }
  const kept = new Set([...after.values()].map((entry) => entry.node));
  for (const { node } of before.values()) if (!kept.has(node)) node.remove();
  place(parent, [...after.values()]);
  shown.set(parent, after);
}

/** Runs `patch`; where it replaced the focused control, focus goes to the one that took its place, else to `fallback`. */
export function keepingFocus(root, patch, fallback = () => null) {
  const active = document.activeElement;
  const held = active && active !== document.body && root.contains(active);
  const address = held ? addressOf(active) : null;
  const spare = held ? fallback(active) : null;
  const caret = held ? caretOf(active) : null;
  patch();
  if (!held || active.isConnected || root.contains(document.activeElement)) return;
  const heir = byAddress(root, address);
  (heir ?? spare)?.focus();
  if (caret && heir && caretOf(heir)) heir.setSelectionRange(...caret);
}

/** Whether the key is an Escape that nothing else takes for itself, as an unfolded select does. */
export function isEscape(event) {
  return event.key === "Escape" && !event.defaultPrevented && !event.isComposing && event.target.localName !== "option";
}

const ADDRESS = ["data-ts", "data-view-id", "data-conversation", "data-block-id", "data-action-id", "data-role"];

export function addressOf(node) {
  return ADDRESS.filter((name) => node.hasAttribute?.(name))
    .map((name) => `[${name}="${CSS.escape(node.getAttribute(name))}"]`)
    .join("");
}

export function byAddress(root, address) {
  return address ? root.querySelector(address) : null;
}

/** Where one writes in a text field; null in fields that have no such place. */
function caretOf(node) {
  return node.selectionStart === undefined || node.selectionStart === null
    ? null
    : [node.selectionStart, node.selectionEnd];
}

function assign(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else node.setAttribute(name, value === true ? "" : String(value));
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

function unused(map, id) {
  let free = String(id);
  while (map.has(free)) free += "'";
  return free;
}

function place(parent, entries) {
  let next = parent.firstChild;
  for (const { node } of entries) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
}
