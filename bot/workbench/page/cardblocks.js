/** The `card`, `carousel` and `container` blocks, and the labelled place of a block that the page does not draw. */

import { h, icon } from "./dom.js";
import { plainText, textNodes } from "./mrkdwn.js";
import { picture, smallPicture } from "./pictures.js";
import { textOf } from "./page.js";
import { richText } from "./richtext.js";

const WORDS = ["title", "text", "caption", "alt_text", "subtitle", "author_name", "description"];

/** A card; `buttonOf(element)` makes the node of one of its buttons. */
export function cardNode(card, buttonOf) {
  const part = (name, className) => card[name] && h("div", { class: className }, textNodes(card[name]));
  return h(
    "div",
    { class: "block-card" },
    card.hero_image && picture(card.hero_image),
    h(
      "div",
      { class: "card-head" },
      card.icon && smallPicture(card.icon),
      h("div", { class: "block-body" }, part("title", "card-title"), part("subtitle", "card-subtitle")),
    ),
    part("body", "block-text"),
    part("subtext", "card-subtitle"),
    card.actions?.length && h("div", { class: "block-actions" }, card.actions.map(buttonOf)),
  );
}

export function carouselNode(block, cardOf) {
  return h(
    "div",
    { class: "block-carousel", role: "group", "aria-label": `${block.elements.length} cards`, tabindex: "0" },
    block.elements.map(cardOf),
  );
}

/** A container: its title, and the blocks in it, which fold away where the app says that they may. */
export function containerNode(block, nodeOf) {
  const title = block.rich_text_title ? richText(block.rich_text_title) : textNodes(block.title);
  const head = h("div", { class: "container-head" }, h("div", { class: "card-title" }, title), subtitleOf(block));
  const inside = h("div", { class: "container-body" }, (block.child_blocks ?? []).map(nodeOf));
  if (!block.is_collapsible) return h("div", { class: "block-container" }, head, inside);
  const node = h("details", { class: "block-container" }, h("summary", {}, icon("down"), head), inside);
  node.open = !block.default_collapsed;
  return node;
}

function subtitleOf({ subtitle }) {
  return subtitle && h("div", { class: "card-subtitle" }, textNodes(subtitle));
}

/** What stands for a block or element that the page does not draw: its type, and the words that it carries. */
export function placeholder({ type, ...given }) {
  const words = WORDS.map((name) => plainText(given[name])).find(Boolean) ?? "";
  const name = textOf(type).replaceAll("_", " ") || "nameless";
  return h(
    "div",
    { class: "block-unknown", role: "note" },
    icon("info"),
    h("span", {}, h("strong", {}, `A ${name}, which the workbench does not draw`), words && h("span", {}, words)),
  );
}
