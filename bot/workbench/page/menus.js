/** Menus that unfold: walked with the arrow keys, folded by Escape, by a choice, or by a press elsewhere. */

import { h } from "./dom.js";
import { placeAt } from "./placement.js";

const OPEN = "details.menu[open]";
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** A menu of buttons: `items` are `{label, note, picture, onclick, attributes}`. */
export function menuOf(summary, items, className = "", heading = null) {
  const list = h("div", { class: "menu-list" }, heading && h("p", { class: "menu-heading" }, heading), items.map(row));
  return h("details", { class: `menu ${className}` }, summary, list);
}

function row({ label, note = "", picture = null, onclick, attributes = {} }) {
  const choose = ({ currentTarget }) => {
    fold(currentTarget.closest("details"), { refocus: true });
    onclick();
  };
  const words = h("span", { class: "menu-words" }, h("span", {}, label), note && h("small", {}, note));
  return h("button", { type: "button", class: "menu-item", onclick: choose, ...attributes }, picture, words);
}

export function fold(menu, { refocus = false } = {}) {
  menu.open = false;
  if (refocus) menu.querySelector("summary").focus();
}

/** Listens once for the whole page, so that a menu needs no code of its own. */
export function keepMenus() {
  document.addEventListener("toggle", ({ target }) => target.matches(OPEN) && unfold(target), true);
  document.addEventListener("pointerdown", ({ target }) => foldOthers(target));
  document.addEventListener("focusin", ({ target }) => foldOthers(target));
  document.addEventListener("keydown", onKey, true);
}

function unfold(menu) {
  foldOthers(menu);
  placeAt(menu.firstElementChild, menu.querySelector(".menu-list"), { right: menu.classList.contains("menu-right") });
}

function foldOthers(kept) {
  for (const menu of document.querySelectorAll(OPEN)) if (!kept || !menu.contains(kept)) fold(menu);
}

function onKey(event) {
  const menu = document.activeElement?.closest("details.menu");
  if (!menu) return undefined;
  if (event.key === "Escape" && menu.open) return taken(event, () => fold(menu, { refocus: true }));
  if (!(event.key in STEPS) || event.target.matches("input, textarea, select")) return undefined;
  return taken(event, () => step(menu, STEPS[event.key]));
}

function taken(event, act) {
  event.preventDefault();
  event.stopPropagation();
  act();
}

function step(menu, by) {
  menu.open = true;
  unfold(menu);
  const items = [...menu.querySelectorAll(".menu-item")];
  const at = items.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : items.length - 1) : (at + by + items.length) % items.length;
  items[next]?.focus();
}
