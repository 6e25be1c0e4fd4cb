/** A click on its way: the spinner while Slack waits for the app, the warning when that failed. */

import { confirmed } from "./confirm.js";
import { h, icon } from "./dom.js";
import { toast } from "./toasts.js";

const marks = new Map(); // the key of a control → "busy" | "failed"
const waiting = new Map(); // the key of a busy control → what it has to send next

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

/**
 * Sends what stands in a control, each time anew by `send`. What changes while a click is on its way goes out after it,
 * once and as it is then; where the person does not confirm, `undo` puts back what stood there.
 */
export async function dispatch(key, confirm, send, undo = () => {}) {
  if (marks.get(key) === "busy") return waiting.set(key, send);
  if (!(await confirmed(confirm))) return undo();
  await press(key, null, send);
  const next = waiting.get(key);
  waiting.delete(key);
  return next && dispatch(key, null, next);
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
