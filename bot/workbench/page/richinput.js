/** A rich_text_input as a plain field: lines become sections, lists and quotes of a rich_text block. */

import { h } from "./dom.js";
import { plainText } from "./mrkdwn.js";
import { stateful } from "./values.js";

const KINDS = [
  { sign: /^[-•] (.*)$/, kind: "bullet" },
  { sign: /^\d+[.)] (.*)$/, kind: "ordered" },
  { sign: /^> ?(.*)$/, kind: "quote" },
];
const LINE = 24; // px

/** The control; what it reads is `rich_text_value`, null where nothing is written. */
export function richInput(element, { ids, carried, act }) {
  const control = h("textarea", { class: "field field-tall", placeholder: plainText(element.placeholder) });
  const { min_lines: least, max_lines: most } = element;
  if (least) control.style.setProperty("min-height", `${least * LINE + 16}px`);
  if (most) control.style.setProperty("max-height", `${most * LINE + 16}px`);
  control.value = textOfBlock(carried ? carried.rich_text_value : element.initial_value);
  const read = () => ({ type: element.type, rich_text_value: control.value.trim() ? blockOf(control.value) : null });
  control.addEventListener("change", () => act?.(read));
  return stateful(control, ids, element, read);
}

function blockOf(text) {
  const groups = [];
  for (const line of text.split("\n")) {
    const { kind, words } = lineOf(line);
    const last = groups.at(-1);
    if (last?.kind === kind) last.lines.push(words);
    else groups.push({ kind, lines: [words] });
  }
  return { type: "rich_text", elements: groups.map(part) };
}

function lineOf(line) {
  const found = KINDS.map(({ sign, kind }) => ({ kind, words: line.match(sign)?.[1] })).find(
    ({ words }) => words !== undefined,
  );
  return found ?? { kind: "section", words: line };
}

function part({ kind, lines }) {
  if (kind === "quote") return { type: "rich_text_quote", elements: texts(lines.join("\n")) };
  if (kind === "section") return section(lines.join("\n"));
  return { type: "rich_text_list", style: kind, elements: lines.map(section) };
}

function section(text) {
  return { type: "rich_text_section", elements: texts(text) };
}

function texts(text) {
  return text ? [{ type: "text", text }] : [];
}

function textOfBlock(block) {
  return (block?.elements ?? []).map(linesOf).join("\n");
}

function linesOf(element) {
  const inner = (element.elements ?? []).map((it) => (it.elements ? linesOf(it) : (it.text ?? it.fallback ?? "")));
  if (element.type === "rich_text_list") {
    return inner.map((line, at) => (element.style === "ordered" ? `${at + 1}. ${line}` : `- ${line}`)).join("\n");
  }
  const words = inner.join("");
  return element.type === "rich_text_quote" ? words.replace(/^/gm, "> ") : words;
}
