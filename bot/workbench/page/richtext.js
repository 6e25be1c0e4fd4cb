/** rich_text blocks, whose texts are literal: nothing in them is parsed. */

import { dateNode } from "./dates.js";
import { h } from "./dom.js";
import { emojiOf } from "./emoji.js";
import { link } from "./links.js";
import { broadcastNode, channelNode, groupNode, mentionNode } from "./mrkdwn.js";

const STYLES = { bold: "strong", italic: "em", strike: "s", code: "code", underline: "u" };

export function richText(block) {
  return h("div", { class: "rich" }, (block.elements ?? []).map(part));
}

function part(element) {
  switch (element.type) {
    case "rich_text_list":
      return list(element);
    case "rich_text_quote":
      return h("blockquote", {}, inlines(element));
    case "rich_text_preformatted":
      return h("pre", {}, inlines(element));
    default:
      return h("p", { class: "rich-section" }, inlines(element));
  }
}

function list(element) {
  const tag = element.style === "ordered" ? "ol" : "ul";
  const node = h(tag, { class: "rich-list", start: element.offset ? element.offset + 1 : null });
  node.style.setProperty("--indent", String(element.indent ?? 0));
  node.append(...(element.elements ?? []).map((item) => h("li", {}, inlines(item))));
  return node;
}

function inlines(element) {
  return (element.elements ?? []).flatMap(inline);
}

function inline(element) {
  return dressed(content(element), element.style);
}

function content(element) {
  switch (element.type) {
    case "text":
      return broken(element.text ?? "");
    case "link":
      return [link(element.url, element.text || element.url)];
    case "user":
      return [mentionNode(element.user_id, `@${element.user_id}`)];
    case "channel":
      return [channelNode(element.channel_id, element.channel_id)];
    case "usergroup":
      return [groupNode(element.usergroup_id, "@group")];
    case "broadcast":
      return [broadcastNode(element.range)];
    case "emoji":
      return [emojiOf(element.name) ?? `:${element.name}:`];
    case "date":
      return [dateNode(element.timestamp, element.format ?? "{date}", element.fallback ?? "")];
    case "color":
      return [swatch(element.value)];
    default:
      return [];
  }
}

function swatch(value) {
  const node = h("code", { class: "swatch" }, value);
  if (/^#[0-9a-f]{6}$/i.test(value)) node.style.setProperty("--swatch", value);
  return node;
}

function broken(text) {
  return text.split("\n").flatMap((line, at) => (at ? [h("br"), line] : [line]));
}

function dressed(nodes, style = {}) {
  return Object.entries(STYLES).reduce((inner, [name, tag]) => (style[name] ? [h(tag, {}, inner)] : inner), nodes);
}
