/** Legacy attachments of a message, as words beside a bar of their colour: nothing in them can be clicked here. */

import { blockNode } from "./blocks.js";
import { placeholder } from "./cardblocks.js";
import { dateOf, timeNode } from "./dates.js";
import { h } from "./dom.js";
import { link } from "./links.js";
import { mrkdwn } from "./mrkdwn.js";
import { picture } from "./pictures.js";

const COLORS = { good: "var(--good)", warning: "var(--warn)", danger: "var(--danger)" };
const CLICKED = { actions: "row of buttons", input: "field", card: "card", carousel: "carousel", container: "container" };

/** The attachments, one after the other; null where there are none. */
export function attachmentsNode(attachments) {
  if (!attachments?.length) return null;
  return h("div", { class: "attachments" }, attachments.map(attachment));
}

function attachment(given) {
  const bar = h(
    "div",
    { class: "attachment" },
    given.author_name && h("div", { class: "attachment-small" }, String(given.author_name)),
    given.title && h("div", { class: "attachment-title" }, titled(given)),
    words(given.text ?? (given.blocks || given.title ? "" : given.fallback)),
    given.fields?.length && h("div", { class: "block-fields" }, given.fields.map(field)),
    given.blocks?.map(inert),
    given.image_url && picture({ image_url: given.image_url, alt_text: String(given.fallback ?? "") }),
    given.actions?.length && placeholder({ type: "row of buttons in an attachment" }),
    foot(given),
  );
  bar.style.setProperty("--bar", colorOf(given.color));
  return h("div", {}, words(given.pretext), bar);
}

function titled({ title, title_link: address }) {
  return address ? link(address, String(title)) : String(title);
}

function words(text) {
  return text ? h("div", { class: "block-text" }, mrkdwn(String(text))) : null;
}

function field({ title, value }) {
  return h("div", { class: "block-field" }, h("strong", {}, String(title ?? "")), words(value));
}

/** A block without what could be clicked in it. */
function inert({ accessory, ...block }) {
  const shown = accessory?.type === "image" ? { ...block, accessory } : block;
  const name = Object.hasOwn(CLICKED, block.type) ? CLICKED[block.type] : null;
  return name ? placeholder({ ...block, type: `${name} in an attachment` }) : blockNode(shown, null);
}

function foot({ footer, ts }) {
  if (!footer && !ts) return null;
  return h("div", { class: "attachment-small" }, footer && `${footer} `, ts && timeNode(dateOf(ts), "{date_short} {time}"));
}

function colorOf(color) {
  if (Object.hasOwn(COLORS, color ?? "")) return COLORS[color];
  const [digits] = String(color ?? "").match(/^#?([0-9a-f]{6})$/i)?.slice(1) ?? [];
  return digits ? `#${digits}` : "var(--line-strong)";
}
