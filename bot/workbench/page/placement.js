/** Puts a list that unfolds beside what it belongs to: below where there is room, else above, never off the window. */

const GAP = 6; // px
const EDGE = 8; // px
const COMFORT = 220; // px below which the other side is tried

const placed = new Map(); // what is unfolded → how it was placed

/** Places `list` (position: fixed) at `anchor`, and again while things scroll; with `wide` it gets the anchor's width at least. */
export function placeAt(anchor, list, options = {}) {
  placed.set(list, { anchor, options });
  place(anchor, list, options);
}

for (const name of ["scroll", "resize"])
  addEventListener(name, ({ target }) => placeAgain(target), { capture: true, passive: true });

function placeAgain(scrolled) {
  for (const [list, { anchor, options }] of placed) {
    if (!list.checkVisibility()) placed.delete(list);
    else if (!(scrolled instanceof Node && list.contains(scrolled))) place(anchor, list, options);
  }
}

function place(anchor, list, { wide = false, right = false }) {
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
