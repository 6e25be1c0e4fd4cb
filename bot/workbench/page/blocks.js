/** Block Kit blocks as nodes, in messages, in modals and on the Home tab. */

import { cardNode, carouselNode, containerNode, placeholder } from "./cardblocks.js";
import { h } from "./dom.js";
import { elementNode } from "./elements.js";
import { markdownNode } from "./markdown.js";
import { textNodes } from "./mrkdwn.js";
import { picture, smallPicture } from "./pictures.js";
import { richText } from "./richtext.js";
import { tableNode } from "./tables.js";

const SHOWN = {
  header: (block) => h("h3", { class: "block-header" }, textNodes(block.text)),
  section,
  divider: () => h("hr", { class: "block-divider" }),
  context: (block) => h("div", { class: "block-context" }, block.elements.map(contextPart)),
  actions: (block, place) => h("div", { class: "block-actions" }, parts(block.elements, block, place)),
  input,
  rich_text: richText,
  image: picture,
  markdown: (block) => markdownNode(block.text),
  table: tableNode,
  data_table: tableNode,
  card: (block, place) => cardNode(block, (element) => one(element, block, place)),
  carousel: (block, place) =>
    carouselNode(block, (card) => cardNode(card, (element) => one(element, { ...block, ...card }, place))),
  container: (block, place) => containerNode(block, (child) => blockNode(child, place)),
  alert: (block) =>
    h("div", { class: `block-alert block-alert-${block.level ?? "default"}`, role: "note" }, textNodes(block.text)),
};

/** The node of a block, marked with its `block_id`. `place` is where it stands, as `elements.js` describes it. */
export function blockNode(block, place) {
  const show = Object.hasOwn(SHOWN, block.type) ? SHOWN[block.type] : placeholder;
  const node = show(block, place);
  node.classList.add("block");
  if (block.block_id) node.setAttribute("data-block", block.block_id);
  return node;
}

/** The key under which a block is recognised in the next state. */
export function blockKey(block) {
  return `${block.type} ${block.block_id ?? ""}`;
}

function parts(elements, block, place) {
  return elements.map((element) => one(element, block, place));
}

function one(element, block, place) {
  return elementNode(element, block.block_id ?? "", place) ?? placeholder(element);
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
  return block.accessory.type === "image" ? picture(block.accessory) : one(block.accessory, block, place);
}

function contextPart(part) {
  return part.type === "image" ? smallPicture(part) : h("span", { class: "context-text" }, textNodes(part));
}

let counter = 0;

function input(block, place) {
  counter += 1;
  const ids = { label: `label-${counter}`, hint: `hint-${counter}`, error: `error-${counter}` };
  const element =
    elementNode(block.element, block.block_id, place, { quiet: !block.dispatch_action }) ?? placeholder(block.element);
  const label = h(
    "label",
    { class: "input-label", id: ids.label },
    h("span", {}, textNodes(block.label)),
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
  if (!block.optional && !control.matches("[role=group], button")) control.setAttribute("aria-required", "true");
  if (control.matches("input, select, textarea")) label.htmlFor = control.id;
  node.querySelector("summary")?.setAttribute("aria-labelledby", ids.label);
}
