/** The page's own dialog for an element's `confirm`. */

import { h } from "./dom.js";
import { closeLayer, openLayer } from "./layers.js";
import { plainText, textNodes } from "./mrkdwn.js";

/** Resolves to whether the person went on; at once where nothing is to be confirmed. */
export function confirmed(question) {
  if (!question) return Promise.resolve(true);
  return new Promise((resolve) => {
    const answer = (agreed) => {
      closeLayer(layer);
      resolve(agreed);
    };
    const panel = dialog(question, answer);
    const layer = openLayer(panel, { onEscape: () => answer(false), className: "layer-confirm" });
    panel.querySelector("[data-role=deny]").focus();
  });
}

function dialog({ title, text, confirm, deny, style }, answer) {
  const button = (role, className, label, agreed) =>
    h(
      "button",
      { type: "button", class: `button ${className}`, "data-role": role, onclick: () => answer(agreed) },
      label,
    );
  return h(
    "div",
    {
      class: "dialog dialog-small",
      role: "alertdialog",
      "aria-modal": "true",
      "aria-labelledby": "confirm-title",
      "aria-describedby": "confirm-text",
      tabindex: "-1",
    },
    h("h2", { id: "confirm-title", class: "dialog-title" }, plainText(title)),
    h("div", { id: "confirm-text", class: "dialog-text" }, textNodes(text)),
    h(
      "div",
      { class: "dialog-foot" },
      button("deny", "", plainText(deny) || "Cancel", false),
      button("confirm", style === "danger" ? "button-danger" : "button-primary", plainText(confirm) || "Yes", true),
    ),
  );
}
