/** The blocks that are tables: `table`, and `data_table` with its caption. */

import { fill, h } from "./dom.js";
import { richText } from "./richtext.js";

const PAGE = 5; // rows; Slack's own default for page_size
const ALIGNED = new Set(["left", "center", "right"]);

export function tableNode(block) {
  const [head = [], ...rows] = block.rows ?? [];
  const cells = (tag, row) =>
    row.map((cell, column) => h(tag, cellAttributes(block, column, tag, rows[0]?.[column] ?? cell), cellNodes(cell)));
  const body = h("tbody", {});
  const show = (from, count) =>
    fill(
      body,
      rows.slice(from, from + count).map((row) => h("tr", {}, cells("td", row))),
    );
  const table = h(
    "table",
    { class: "table" },
    block.caption && h("caption", {}, block.caption),
    h("thead", {}, h("tr", {}, cells("th", head))),
    body,
  );
  const label = block.caption ?? "Table";
  const place = h("div", { class: "table-place", tabindex: "0", role: "region", "aria-label": label }, table);
  return h("div", {}, place, pagesOf(block, rows.length, show));
}

/** Shows the first page, and gives the buttons for the others: a data table is read page by page, a table at once. */
function pagesOf({ type, page_size: size = PAGE }, count, show) {
  const each = type === "data_table" ? size : count;
  show(0, each);
  if (count <= each) return null;
  let from = 0;
  const said = h("span", { class: "table-said", role: "status" });
  const turn = (by) => {
    from = Math.max(0, Math.min(from + by * each, Math.floor((count - 1) / each) * each));
    show(from, each);
    said.textContent = `${from + 1}–${Math.min(from + each, count)} of ${count}`;
    back.disabled = from === 0;
    on.disabled = from + each >= count;
  };
  const button = (words, by) =>
    h("button", { type: "button", class: "button button-tiny", onclick: () => turn(by) }, words);
  const [back, on] = [button("Previous", -1), button("Next", 1)];
  turn(0);
  return h("div", { class: "table-pages" }, back, on, said);
}

/** A column is aligned as the app says, else as its first value asks for: numbers, and their heading, to the right. */
function cellAttributes({ column_settings: settings = [] }, column, tag, first) {
  const { align, is_wrapped: wrapped } = settings[column] ?? {};
  const side = ALIGNED.has(align) ? align : first.type === "raw_number" ? "right" : "left";
  return { class: `cell-${side}${wrapped ? " cell-wrapped" : ""}`, scope: tag === "th" ? "col" : null };
}

function cellNodes(cell) {
  if (cell.type === "rich_text") return richText(cell);
  return cell.text ?? String(cell.value ?? "");
}
