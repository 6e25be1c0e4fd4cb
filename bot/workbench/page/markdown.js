/** The `markdown` block: standard Markdown as nodes, with Slack's tokens in angle brackets, and no HTML at all. */

import { h } from "./dom.js";
import { emojiOf } from "./emoji.js";
import { link } from "./links.js";
import { tokenNode } from "./mrkdwn.js";

const FENCE = /^```/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const BULLET = /^ *[-*+] +(?:\[([ xX])\] )?(.*)$/;
const ORDERED = /^ *\d+[.)] +()(.*)$/;

/** Signs in their order of trial: the first that fits at a place is taken. */
const INLINE = [
  [/\\([\\`*_{}[\]()#+\-.!~>|])/y, ([, sign]) => sign],
  [/``(.+?)``|`([^`]+)`/y, ([, two, one]) => h("code", {}, two ?? one)],
  [/!?\[((?:[^[\]\\]|\\.)*)\]\(\s*([^\s()]+)\s*\)/y, ([, label, address]) => link(address, inline(label))],
  [/<([^<>\s][^<>]*)>/y, ([, token]) => tokenNode(token)],
  [/\*\*(?=\S)(.+?\S|\S)\*\*/y, ([, inner]) => h("strong", {}, inline(inner))],
  [/__(?=\S)(.+?\S|\S)__/y, ([, inner]) => h("strong", {}, inline(inner))],
  [/~~(?=\S)(.+?\S|\S)~~/y, ([, inner]) => h("s", {}, inline(inner))],
  [/\*(?=\S)([^*]*\S)\*/y, ([, inner]) => h("em", {}, inline(inner))],
  [/\b_(?=\S)([^_]*\S)_\b/y, ([, inner]) => h("em", {}, inline(inner))],
  [/:([a-z0-9_+'-]+):/y, ([, name]) => emojiOf(name)],
];

export function markdownNode(text) {
  const lines = text.split("\n");
  const nodes = [];
  while (lines.length) nodes.push(...piece(lines));
  return h("div", { class: "markdown" }, nodes);
}

/** Takes one block's lines off the front and gives its nodes. */
function piece(lines) {
  const [first] = lines;
  if (FENCE.test(first)) return [fence(lines)];
  if (!first.trim() || RULE.test(first)) return lines.shift().trim() ? [h("hr", { class: "block-divider" })] : [];
  if (HEADING.test(first)) return [heading(lines.shift())];
  if (QUOTE.test(first))
    return [
      h(
        "blockquote",
        {},
        markdownNode(
          taken(lines, QUOTE)
            .map(([, rest]) => rest)
            .join("\n"),
        ),
      ),
    ];
  if (BULLET.test(first)) return [list("ul", taken(lines, BULLET))];
  if (ORDERED.test(first)) return [list("ol", taken(lines, ORDERED))];
  return [h("p", {}, broken(paragraph(lines)))];
}

function fence(lines) {
  lines.shift();
  const end = lines.findIndex((line) => FENCE.test(line));
  const inside = lines.splice(0, end < 0 ? lines.length : end + 1);
  return h("pre", {}, (end < 0 ? inside : inside.slice(0, -1)).join("\n"));
}

function heading(line) {
  const [, signs, words] = line.match(HEADING);
  return h(signs.length < 3 ? "h3" : "h4", { class: "block-header" }, inline(words));
}

function taken(lines, pattern) {
  const found = [];
  while (lines.length && pattern.test(lines[0])) found.push(lines.shift().match(pattern));
  return found;
}

function list(tag, items) {
  return h(
    tag,
    { class: "rich-list" },
    items.map(([, tick, words]) => h("li", {}, tickOf(tick), inline(words))),
  );
}

function tickOf(tick) {
  if (!tick) return null;
  return tick === " " ? "☐ " : "☑ ";
}

function paragraph(lines) {
  const own = [lines.shift()];
  const starts = [FENCE, RULE, HEADING, QUOTE, BULLET, ORDERED];
  while (lines.length && lines[0].trim() && !starts.some((start) => start.test(lines[0]))) own.push(lines.shift());
  return own;
}

function broken(lines) {
  return lines.flatMap((line, at) => (at ? [h("br"), inline(line)] : [inline(line)]));
}

function inline(source) {
  const nodes = [];
  let words = "";
  let at = 0;
  while (at < source.length) {
    const found = firstFit(source, at);
    if (found) {
      nodes.push(words, found.node);
      words = "";
    } else words += source[at];
    at = found ? found.end : at + 1;
  }
  return [...nodes, words];
}

function firstFit(source, at) {
  for (const [pattern, nodeOf] of INLINE) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    const node = found && nodeOf(found);
    if (node) return { node, end: at + found[0].length };
  }
  return null;
}
