/** Puts a list that unfolds beside what it belongs to: below where there is room, else above, never off the window. */

const GAP = 6; // px
const EDGE = 8; // px
const COMFORT = 220; // px below which the other side is tried

/** Places `list` (position: fixed) at `anchor`; with `wide` it gets the anchor's width at least. */
export function placeAt(anchor, list, { wide = false, right = false } = {}) {
  const box = anchor.getBoundingClientRect();
  const below = innerHeight - box.bottom - GAP - EDGE;
  const above = box.top - GAP - EDGE;
  const upward = below < Math.min(COMFORT, list.scrollHeight) && above > below;
  const style = { "max-height": px(Math.min(upward ? above : below, innerHeight * 0.6)) };
  if (wide) style["min-width"] = px(box.width);
  put(list, { ...style, top: "auto", bottom: "auto", left: "0", right: "auto" });
  const width = list.offsetWidth;
  const left = right ? box.right - width : box.left;
  put(list, {
    left: px(Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))),
    ...(upward ? { bottom: px(innerHeight - box.top + GAP) } : { top: px(box.bottom + GAP) }),
  });
}

function put(node, style) {
  for (const [name, value] of Object.entries(style)) node.style.setProperty(name, value);
}

function px(number) {
  return `${Math.round(number)}px`;
}
