/** A click on its way: the spinner while Slack waits for the app, the warning when that failed. */

import { confirmed } from "./confirm.js";
import { h, icon } from "./dom.js";
import { toast } from "./toasts.js";

const marks = new Map(); // the key of a control → "busy" | "failed"

/** Puts a control beside its warning and lets it show how its click fares. */
export function pressable(control, key) {
  const warning = h("span", { class: "press-warning", hidden: true }, icon("warning", "That did not work"));
  const node = h("span", { class: "press", "data-press": key }, control, warning);
  paint(node, marks.get(key));
  return node;
}

/** Asks where a confirmation is wanted, then sends; a second press of a control that is still busy does nothing. */
export async function press(key, confirm, send) {
  if (marks.get(key) === "busy" || !(await confirmed(confirm))) return false;
  setMark(key, "busy");
  const { ok, error } = await send();
  setMark(key, ok ? null : "failed");
  if (!ok) toast(error);
  return ok;
}

function setMark(key, mark) {
  if (mark) marks.set(key, mark);
  else marks.delete(key);
  for (const node of document.querySelectorAll("[data-press]")) if (node.dataset.press === key) paint(node, mark);
}

function paint(node, mark) {
  const control = node.firstElementChild;
  node.classList.toggle("press-busy", mark === "busy");
  if (mark === "busy") control.setAttribute("aria-busy", "true");
  else control.removeAttribute("aria-busy");
  node.querySelector(".press-warning").hidden = mark !== "failed";
}
