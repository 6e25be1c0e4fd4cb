/** Notices that pass: those of the workbench, and the page's own where the workbench could not be reached. */

import { post } from "./api.js";
import { h, icon, patchList } from "./dom.js";
import { page } from "./page.js";

const STAY = { info: 6000, error: 12_000 }; // ms
const PLACE = document.getElementById("toasts");
const own = new Map();
const timed = new Set();
let counter = 0;

export function toast(text, kind = "error") {
  counter += 1;
  own.set(`own-${counter}`, { id: `own-${counter}`, kind, text });
  renderToasts();
}

export function renderToasts() {
  const sent = page.state?.toasts ?? [];
  const said = new Set(sent.map(({ text }) => text));
  const extra = [...own.values()].filter(({ text }) => !said.has(text));
  patchList(PLACE, [...sent, ...extra], { key: ({ id }) => id, make: toastNode });
}

function toastNode(item) {
  if (!timed.has(item.id)) setTimeout(() => dismiss(item.id), STAY[item.kind] ?? STAY.info);
  timed.add(item.id);
  return h(
    "div",
    { class: `toast toast-${item.kind}`, role: item.kind === "error" ? "alert" : "status", "data-toast": item.id },
    icon(item.kind === "error" ? "warning" : "info"),
    h("p", { class: "toast-text" }, item.text),
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": "Dismiss", onclick: () => dismiss(item.id) },
      icon("close"),
    ),
  );
}

function dismiss(id) {
  if (own.delete(id)) return renderToasts();
  if (!page.state?.toasts.some((item) => item.id === id)) return undefined;
  for (const [key, item] of own) if (page.state.toasts.some(({ text }) => text === item.text)) own.delete(key);
  return post("dismiss", { toast: id });
}
