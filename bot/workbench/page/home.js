/** The app's Home tab of whoever looks: drawn from the view that the app published, and as live as a message. */

import { post } from "./api.js";
import { blockKey, blockNode } from "./blocks.js";
import { h, icon, keepingFocus, patchList } from "./dom.js";
import { page } from "./page.js";
import { valuesIn } from "./values.js";

const PLACE = document.getElementById("home");
const BODY = h("div", { class: "home-body" });
PLACE.append(BODY);

export function renderHome() {
  const { home, app } = page.state;
  const blocks = home?.blocks.length ? home.blocks : [{ type: "", block_id: "empty" }];
  PLACE.setAttribute("aria-label", `Home of ${app.name}`);
  PLACE.setAttribute("data-view-hash", home?.hash ?? "");
  keepingFocus(
    PLACE,
    () =>
      patchList(BODY, blocks, {
        key: blockKey,
        signature: (block) => JSON.stringify(block) + page.directory.names,
        make: (block, old) => (block.type ? blockNode(block, placeOf(home, old)) : emptyNote(app)),
      }),
    () => PLACE,
  );
}

function placeOf(home, old) {
  const ids = (blockId, element) => ({ view_id: home.id, block_id: blockId, action_id: element.action_id });
  return {
    hooks: { "data-view-id": home.id },
    key: home.id,
    carried: old ? valuesIn(old) : home.values,
    send: (blockId, element, part) =>
      post("view_click", { ...ids(blockId, element), values: valuesIn(BODY), element: part }),
    suggest: (blockId, element, typed) => post("suggest", { ...ids(blockId, element), typed }),
  };
}

function emptyNote(app) {
  return h(
    "div",
    { class: "empty" },
    icon("home"),
    h("p", { class: "empty-title" }, "Nothing here yet"),
    h("p", {}, `${app.name} has not published a Home tab for you.`),
  );
}
