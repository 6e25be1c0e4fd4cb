/** The open views as a stack of dialogs: what was typed stays through updates and under pushed views. */

import { post } from "./api.js";
import { blockKey, blockNode } from "./blocks.js";
import { fill, h, icon, keepingFocus, patchList } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { closeLayer, focusables, openLayer } from "./layers.js";
import { page, textOf } from "./page.js";
import { showProblems, startProblems } from "./problems.js";
import { toast } from "./toasts.js";
import { valuesIn } from "./values.js";

let stack = []; // what is open, lowest first: {view, form, layer, title, close, body, foot, …what problems.js keeps}

export function renderModal() {
  const { view } = page.state;
  const wanted = view ? [...view.below, view.id] : [];
  for (const shown of [...stack].reverse()) if (!wanted.includes(shown.view.id)) leave(shown);
  if (!view) return;
  const top = stack.find((shown) => shown.view.id === view.id) ?? enter(view);
  top.view = view;
  show(top);
}

function leave(shown) {
  stack = stack.filter((other) => other !== shown);
  closeLayer(shown.layer);
}

function enter(view) {
  const heading = `modal-title-${view.id}`;
  const title = h("h2", { id: heading, class: "dialog-title clip" });
  const body = h("div", { class: "dialog-body" });
  const foot = h("div", { class: "dialog-foot" });
  const notice = h("p", { class: "dialog-notice", role: "alert", hidden: true });
  const form = h(
    "form",
    {
      class: "dialog",
      role: "dialog",
      "aria-modal": "true",
      "aria-labelledby": heading,
      "data-view-id": view.id,
      tabindex: "-1",
      novalidate: true,
    },
    h("header", { class: "dialog-head" }, stack.length > 0 && backButton(view), title, crossButton(view)),
    notice,
    body,
    foot,
  );
  const shown = { view, form, title, body, foot, notice, busy: false, ...startProblems() };
  form.addEventListener("submit", (event) => onSubmit(event, shown));
  form.addEventListener("keydown", (event) => onKey(event, form));
  for (const name of ["input", "change"]) form.addEventListener(name, ({ target }) => onEdit(target, shown));
  shown.layer = openLayer(form, { onEscape: () => dismiss(view) });
  stack.push(shown);
  show(shown);
  firstFocus(shown).focus();
  return shown;
}

function backButton(view) {
  return h(
    "button",
    { type: "button", class: "quiet", "aria-label": "Back", "data-role": "back-view", onclick: () => dismiss(view) },
    icon("back"),
  );
}

/** The cross closes the whole stack, as in Slack; Cancel and Escape take the upper view off. */
function crossButton(view) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "Close",
      "data-role": "close-view",
      onclick: () => dismiss(view, { everything: true }),
    },
    icon("close"),
  );
}

function show(shown) {
  const { view, form, title, body, foot } = shown;
  title.textContent = withEmoji(textOf(view.title));
  form.setAttribute("data-view-hash", view.hash ?? "");
  form.setAttribute("data-callback-id", view.callback_id);
  const before = inputsIn(body);
  keepingFocus(
    form,
    () =>
      patchList(body, view.blocks, {
        key: blockKey,
        signature: (block) => JSON.stringify(block) + page.directory.names,
        make: (block, old) => blockNode(block, placeOf(shown, old)),
      }),
    () => form,
  );
  if (before.length && !inputsIn(body).some((blockId) => before.includes(blockId))) body.scrollTop = 0;
  const busy = shown.busy || Boolean(view.pending);
  patchList(foot, [[view.id, view.submit, view.close, view.depth, busy]], {
    key: () => "foot",
    make: (_, old) => footNode(shown, busy, old),
  });
  form.setAttribute("aria-busy", String(busy));
  showProblems(shown, page.state.errors);
}

/** Another step of a form is read from its top: it has none of the fields of the one before. */
function inputsIn(body) {
  return [...body.querySelectorAll(".block-input")].map((node) => node.dataset.block);
}

function placeOf({ view, form }, old) {
  const ids = (blockId, element) => ({ view_id: view.id, block_id: blockId, action_id: element.action_id });
  return {
    hooks: { "data-view-id": view.id },
    key: view.id,
    carried: old ? valuesIn(old) : view.values,
    send: (blockId, element, part) =>
      post("view_click", { ...ids(blockId, element), values: valuesIn(form), element: part }),
    suggest: (blockId, element, typed) => post("suggest", { ...ids(blockId, element), typed }),
  };
}

function footNode({ view }, busy, old) {
  const node = old ?? h("div", { class: "dialog-buttons" });
  const hadFocus = node.contains(document.activeElement) ? document.activeElement.dataset.role : null;
  const submit = textOf(view.submit);
  const cancel = textOf(view.close) || (view.depth > 1 ? "Back" : submit ? "Cancel" : "Close");
  const leaving = { type: "button", class: "button", "data-role": "cancel-view", onclick: () => dismiss(view) };
  fill(node, h("button", leaving, withEmoji(cancel)), submit && submitButton(submit, busy));
  if (hadFocus) node.querySelector(`[data-role="${hadFocus}"]`)?.focus();
  return node;
}

function submitButton(words, busy) {
  return h(
    "button",
    {
      type: "submit",
      class: busy ? "button button-primary button-busy" : "button button-primary",
      "data-role": "submit-view",
      "aria-busy": busy ? "true" : null,
    },
    withEmoji(words),
  );
}

async function onSubmit(event, shown) {
  event.preventDefault();
  if (shown.busy || !textOf(shown.view.submit)) return;
  Object.assign(shown, startProblems(), { busy: true });
  show(shown);
  const { ok, error } = await post("submit", { view_id: shown.view.id, values: valuesIn(shown.form) });
  shown.busy = false;
  if (!ok) toast(error);
  if (!stack.includes(shown)) return;
  shown.failure = ok ? "" : error;
  show(shown);
}

async function dismiss(view, { everything = false } = {}) {
  const { ok, error } = await post("close", { view_id: view.id, everything });
  if (!ok) toast(error);
}

function onEdit(target, shown) {
  const blockId = target.closest(".block-input")?.dataset.block;
  if (!blockId) return;
  shown.settled.add(blockId);
  showProblems(shown, page.state.errors);
}

function onKey(event, form) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
}

function firstFocus({ view, form }) {
  const chosen = view.blocks.find((block) => block.element?.focus_on_load)?.block_id;
  const inputs = [...form.querySelectorAll(".block-input")];
  const wanted = inputs.find((node) => node.dataset.block === chosen) ?? inputs[0];
  return (wanted && focusables(wanted)[0]) ?? form;
}
