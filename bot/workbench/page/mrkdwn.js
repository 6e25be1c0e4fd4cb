/** Slack's mrkdwn as nodes: one pass over the text, entities decoded last, so that data can forge nothing. */

import { dateNode } from "./dates.js";
import { h } from "./dom.js";
import { emojiOf, withEmoji } from "./emoji.js";
import { link, safeAddress } from "./links.js";
import { page } from "./page.js";

const STYLES = { "*": "strong", _: "em", "~": "s" };
const WORD = /[\p{L}\p{N}]/u;
const EMOJI_HERE = /:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/y;
const ADDRESS_HERE = /https?:\/\/[^\s<>|]*[^\s<>|.,;:!?"')\]}*_~`]/y;
const SPECIAL_HERE = /@(here|channel|everyone)\b/y;

/**
 * Nodes for a mrkdwn text. `verbatim` keeps bare addresses and words such as @here as they are, as `verbatim: true` of a
 * text object does; `named: false` keeps the words alone, as a message's own text does without `link_names`.
 */
export function mrkdwn(text, { verbatim = false, named = true } = {}) {
  const bare = { addresses: !verbatim, names: !verbatim && named };
  const pieces = text.split("```");
  const even = pieces.length % 2 === 1 ? pieces : [...pieces.slice(0, -2), pieces.slice(-2).join("```")];
  return even.flatMap((piece, at) => (at % 2 ? fence(piece) : paragraphs(unfenced(piece, at, even.length), bare)));
}

/** A text object or string as nodes, whichever kind it is. */
export function textNodes(text) {
  if (typeof text === "string") return mrkdwn(text);
  if (!text) return [];
  if (text.type === "mrkdwn") return mrkdwn(text.text, { verbatim: text.verbatim === true });
  return plain(text.text, text.emoji !== false);
}

/** The words of a text object without any markup, for labels and names. */
export function plainText(text) {
  if (text?.type !== "mrkdwn") return withEmoji(typeof text === "string" ? text : (text?.text ?? ""));
  return spoken(text.text);
}

/** A mrkdwn text without its markup, for those who hear it. */
export function spoken(text) {
  return h("span", {}, mrkdwn(text)).textContent;
}

export function unescape(text) {
  return text.replace(/&(amp|lt|gt);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">" })[name]);
}

export function mentionNode(id, written) {
  const known = page.directory?.person(id);
  const mine = id === page.directory?.me.id;
  return h(
    "span",
    { class: mine ? "mention mention-me" : "mention" },
    known ? `@${known.real_name || known.name}` : written,
  );
}

export function channelNode(id, written) {
  const channel = page.directory?.channels.get(id);
  return h("span", { class: "mention" }, `#${channel?.name ?? written}`);
}

export function groupNode(id, written) {
  const group = page.directory?.groups.get(id);
  return h("span", { class: "mention" }, group ? `@${group.handle}` : written);
}

export function broadcastNode(range) {
  return h("span", { class: "mention mention-all" }, `@${range}`);
}

function plain(text, emoji) {
  return lines(emoji ? withEmoji(text) : text, (line) => [line]);
}

function fence(piece) {
  return [h("pre", {}, unescape(piece.replace(/^\n/, "").replace(/\n$/, "")))];
}

function unfenced(piece, at, count) {
  const opened = at > 0 ? piece.replace(/^\n/, "") : piece;
  return at < count - 1 ? opened.replace(/\n$/, "") : opened;
}

function paragraphs(text, bare) {
  const groups = [];
  for (const line of text.split("\n")) {
    const quote = line.match(/^(?:>|&gt;) ?(.*)$/s);
    const last = groups.at(-1);
    if (last && last.quoted === Boolean(quote)) last.lines.push(quote ? quote[1] : line);
    else groups.push({ quoted: Boolean(quote), lines: [quote ? quote[1] : line] });
  }
  return groups.flatMap(({ quoted, lines: own }) => {
    const nodes = lines(own.join("\n"), (line) => inline(line, bare));
    return quoted ? [h("blockquote", {}, nodes)] : nodes;
  });
}

function lines(text, read) {
  return text.split("\n").flatMap((line, at) => (at ? [h("br"), ...read(line)] : read(line)));
}

function inline(source, bare) {
  const barren = new Set();
  const nodes = [];
  let words = "";
  let at = 0;
  while (at < source.length) {
    const found = readAt(source, at, bare, barren);
    if (!found) {
      words += source[at];
      at += 1;
      continue;
    }
    if (words) nodes.push(unescape(words));
    words = "";
    nodes.push(found.node);
    at = found.end;
  }
  if (words) nodes.push(unescape(words));
  return nodes;
}

function readAt(source, at, bare, barren) {
  const sign = source[at];
  if (sign === "<") return token(source, at);
  if (sign === "`") return code(source, at);
  if (sign in STYLES) return styled(source, at, bare, barren);
  if (sign === ":") return match(EMOJI_HERE, source, at, ([, name]) => emojiOf(name));
  if (WORD.test(source[at - 1] ?? "")) return null;
  if (sign === "h" && bare.addresses)
    return match(ADDRESS_HERE, source, at, ([raw]) => link(unescape(raw), unescape(raw)));
  if (sign === "@" && bare.names) return match(SPECIAL_HERE, source, at, ([, range]) => broadcastNode(range));
  return null;
}

function match(pattern, source, at, nodeOf) {
  pattern.lastIndex = at;
  const found = pattern.exec(source);
  const node = found && nodeOf(found);
  return node ? { node, end: at + found[0].length } : null;
}

function token(source, at) {
  const close = source.indexOf(">", at);
  if (close < 0) return null;
  const node = tokenNode(source.slice(at + 1, close));
  return node ? { node, end: close + 1 } : null;
}

/** The node of what stands between `<` and `>`, or null where that is no token of Slack's. */
export function tokenNode(content) {
  const bar = content.indexOf("|");
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? "" : unescape(content.slice(bar + 1));
  if (/^@[UW][A-Z0-9]+$/.test(target)) return mentionNode(target.slice(1), `@${label || target.slice(1)}`);
  if (/^#[CGD][A-Z0-9]+$/.test(target)) return channelNode(target.slice(1), label || target.slice(1));
  if (/^!(here|channel|everyone)$/.test(target)) return broadcastNode(target.slice(1));
  if (/^!subteam\^S[A-Z0-9]+$/.test(target)) return groupNode(target.slice("!subteam^".length), label || "@group");
  if (target.startsWith("!date^")) return dateToken(target, label);
  const address = unescape(target);
  if (safeAddress(address) === null) return null;
  return link(address, withEmoji(label || address.replace(/^mailto:/, "")));
}

function dateToken(target, fallback) {
  const [, unix, format = "", address] = target.split("^");
  if (!/^-?\d+$/.test(unix)) return h("span", {}, fallback);
  const node = dateNode(unix, unescape(format), fallback);
  return address ? link(unescape(address), node) : node;
}

function code(source, at) {
  const close = source.indexOf("`", at + 1);
  if (close <= at + 1) return null;
  return { node: h("code", {}, unescape(source.slice(at + 1, close))), end: close + 1 };
}

function styled(source, at, bare, barren) {
  const sign = source[at];
  const next = source[at + 1] ?? " ";
  if (WORD.test(source[at - 1] ?? "") || /\s/.test(next) || next === sign) return null;
  const close = closing(source, at + 1, sign, barren);
  if (close < 0) return null;
  return { node: h(STYLES[sign], {}, inline(source.slice(at + 1, close), bare)), end: close + 1 };
}

/** Where a style that starts before `from` ends, or -1; `barren` keeps the signs of which none ends any more. */
function closing(source, from, sign, barren) {
  if (barren.has(sign)) return -1;
  const lastToken = source.lastIndexOf(">");
  const lastCode = source.lastIndexOf("`");
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === "<" && at < lastToken) at = source.indexOf(">", at);
    else if (source[at] === "`" && at < lastCode) at = source.indexOf("`", at + 1);
    else if (source[at] === sign && !/\s/.test(source[at - 1]) && !WORD.test(source[at + 1] ?? "")) return at;
  }
  barren.add(sign);
  return -1;
}
