/** The blocks that are tables: `table`, and `data_table` with its caption. */

import { h } from "./dom.js";
import { richText } from "./richtext.js";

const ALIGNED = new Set(["left", "center", "right"]);

export function tableNode(block) {
  const [head = [], ...rows] = block.rows ?? [];
  const cells = (tag, row) =>
    row.map((cell, column) => h(tag, cellAttributes(block, column, tag, cell), cellNodes(cell)));
  const table = h(
    "table",
    { class: "table" },
    block.caption && h("caption", {}, block.caption),
    h("thead", {}, h("tr", {}, cells("th", head))),
    h(
      "tbody",
      {},
      rows.map((row) => h("tr", {}, cells("td", row))),
    ),
  );
  const label = block.caption ?? "Table";
  return h("div", { class: "table-place", tabindex: "0", role: "region", "aria-label": label }, table);
}

function cellAttributes({ column_settings: settings = [] }, column, tag, cell) {
  const { align, is_wrapped: wrapped } = settings[column] ?? {};
  const side = ALIGNED.has(align) ? align : cell.type === "raw_number" ? "right" : "left";
  return { class: `cell-${side}${wrapped ? " cell-wrapped" : ""}`, scope: tag === "th" ? "col" : null };
}

function cellNodes(cell) {
  if (cell.type === "rich_text") return richText(cell);
  return cell.text ?? String(cell.value ?? "");
}
