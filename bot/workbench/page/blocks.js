/** Block Kit blocks as nodes, in messages and in modals. */

import { h, icon } from "./dom.js";
import { elementNode } from "./elements.js";
import { plainText, textNodes } from "./mrkdwn.js";
import { textOf } from "./page.js";
import { richText } from "./richtext.js";

const SHOWN = {
  header: (block) => h("h3", { class: "block-header" }, textNodes(block.text)),
  section,
  divider: () => h("hr", { class: "block-divider" }),
  context: (block) => h("div", { class: "block-context" }, block.elements.map(contextPart)),
  actions: (block, place) =>
    h(
      "div",
      { class: "block-actions" },
      block.elements.map((it) => one(it, block, place)),
    ),
  input,
  rich_text: richText,
  image: (block) => picture(block, plainText(block.title)),
  markdown: (block) => h("div", { class: "block-text block-markdown" }, block.text),
  alert: (block) =>
    h("div", { class: `block-alert block-alert-${block.level ?? "default"}`, role: "note" }, textNodes(block.text)),
};

/** The node of a block, marked with its `block_id`. `place` is where it stands, as `elements.js` describes it. */
export function blockNode(block, place) {
  const show = SHOWN[block.type] ?? unknown;
  const node = show(block, place);
  node.classList.add("block");
  if (block.block_id) node.setAttribute("data-block", block.block_id);
  return node;
}

/** The key under which a block is recognised in the next state. */
export function blockKey(block) {
  return `${block.type} ${block.block_id ?? ""}`;
}

function one(element, block, place) {
  return elementNode(element, block.block_id ?? "", place) ?? unknown(element);
}

function section(block, place) {
  const fields = block.fields?.map((field) => h("div", { class: "block-field" }, textNodes(field)));
  const body = h(
    "div",
    { class: "block-body" },
    block.text && h("div", { class: "block-text" }, textNodes(block.text)),
    fields && h("div", { class: "block-fields" }, fields),
  );
  const accessory = block.accessory && accessoryNode(block, place);
  return h("div", { class: "block-section" }, body, accessory && h("div", { class: "block-accessory" }, accessory));
}

function accessoryNode(block, place) {
  return block.accessory.type === "image" ? picture(block.accessory, "") : one(block.accessory, block, place);
}

function contextPart(part) {
  if (part.type === "image") return h("span", { class: "context-image" }, icon("image"), part.alt_text);
  return h("span", { class: "context-text" }, textNodes(part));
}

/** Pictures are named, never fetched: the page loads nothing from elsewhere. */
function picture(image, title) {
  const caption = [title, image.alt_text].filter(Boolean).join(" · ");
  return h(
    "figure",
    { class: "block-image", role: "img", "aria-label": image.alt_text },
    icon("image"),
    h("figcaption", {}, caption),
  );
}

let counter = 0;

function input(block, place) {
  counter += 1;
  const ids = { label: `label-${counter}`, hint: `hint-${counter}`, error: `error-${counter}` };
  const element =
    elementNode(block.element, block.block_id, place, { quiet: !block.dispatch_action }) ?? unknown(block.element);
  const label = h(
    "label",
    { class: "input-label", id: ids.label },
    textNodes(block.label),
    block.optional && h("span", { class: "input-optional" }, "optional"),
  );
  const hint = block.hint && h("p", { class: "input-hint", id: ids.hint }, textNodes(block.hint));
  const error = h("p", { class: "input-error", id: ids.error, "data-error-for": block.block_id, hidden: true });
  const node = h("div", { class: "block-input" }, label, element, error, hint);
  joinLabel(node, label, ids, block);
  return node;
}

function joinLabel(node, label, ids, block) {
  const control = node.querySelector("[data-element]");
  if (!control) return;
  control.id = `control-${ids.label}`;
  control.removeAttribute("aria-label");
  control.setAttribute("aria-labelledby", ids.label);
  control.setAttribute("aria-describedby", [ids.error, block.hint && ids.hint].filter(Boolean).join(" "));
  if (!block.optional) control.setAttribute("aria-required", "true");
  if (control.matches("input, select, textarea")) label.htmlFor = control.id;
  node.querySelector("summary")?.setAttribute("aria-labelledby", ids.label);
}

function unknown(block) {
  return h("div", { class: "block-unknown" }, `(${textOf(block.type)} is not shown here)`);
}
