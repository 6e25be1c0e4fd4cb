/** The open view as a dialog: what was typed stays through updates, problems stand under their field. */

import { post } from "./api.js";
import { blockKey, blockNode } from "./blocks.js";
import { fill, h, icon, keepingFocus, patchList } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { closeLayer, focusables, openLayer } from "./layers.js";
import { page, textOf } from "./page.js";
import { toast } from "./toasts.js";
import { controlsIn, valuesIn } from "./values.js";

let open = null; // what is on the screen: {view, form, layer, title, body, foot, notice, failure, busy, settled}
const typed = new Map(); // view id → values, for a view that comes back when a pushed one closes

export function renderModal() {
  const { view } = page.state;
  if (open && open.view.id !== view?.id) leave(view);
  if (!view) return typed.clear();
  if (!open) enter(view);
  open.view = view;
  return show();
}

function leave(next) {
  if (next?.depth > 1) typed.set(open.view.id, valuesIn(open.form));
  closeLayer(open.layer);
  open = null;
}

function enter(view) {
  const title = h("h2", { id: "modal-title", class: "dialog-title clip" });
  const close = h(
    "button",
    { type: "button", class: "quiet", "aria-label": "Close", "data-role": "close-view", onclick: dismiss },
    icon("close"),
  );
  const body = h("div", { class: "dialog-body" });
  const foot = h("div", { class: "dialog-foot" });
  const notice = h("p", { class: "dialog-notice", role: "alert", hidden: true });
  const form = h(
    "form",
    {
      class: "dialog",
      role: "dialog",
      "aria-modal": "true",
      "aria-labelledby": "modal-title",
      "data-view-id": view.id,
      "data-callback-id": view.callback_id,
      tabindex: "-1",
      novalidate: true,
    },
    h("header", { class: "dialog-head" }, title, close),
    notice,
    body,
    foot,
  );
  form.addEventListener("submit", onSubmit);
  form.addEventListener("input", (event) => onEdit(event.target));
  form.addEventListener("keydown", onKey);
  const layer = openLayer(form, { onEscape: dismiss });
  open = { view, form, layer, title, body, foot, notice, failure: "", busy: false, settled: new Set(), said: "" };
  show();
  firstFocus(view).focus();
}

function show() {
  const { view, form, title, body, foot } = open;
  title.textContent = withEmoji(textOf(view.title));
  form.setAttribute("data-view-hash", view.hash ?? "");
  keepingFocus(
    form,
    () => patchList(body, view.blocks, { key: blockKey, signature: signatureOf, make: makeBlock }),
    () => form,
  );
  const busy = open.busy || Boolean(view.pending);
  patchList(foot, [[view.id, view.submit, view.close, view.depth, busy]], {
    key: () => "foot",
    make: (_, old) => footNode(view, busy, old),
  });
  form.setAttribute("aria-busy", String(busy));
  showProblems();
}

function signatureOf(block) {
  return JSON.stringify(block) + page.directory.names;
}

function makeBlock(block, old) {
  const { view } = open;
  return blockNode(block, {
    hooks: { "data-view-id": view.id },
    key: view.id,
    carried: old ? valuesIn(old) : typed.get(view.id),
    send: (blockId, element, part) =>
      post("view_click", {
        view_id: view.id,
        block_id: blockId,
        action_id: element.action_id,
        values: valuesIn(open.form),
        element: part,
      }),
  });
}

function footNode(view, busy, old) {
  const node = old ?? h("div", { class: "dialog-buttons" });
  const hadFocus = document.activeElement?.dataset.role;
  const submit = textOf(view.submit);
  const cancel = textOf(view.close) || (view.depth > 1 ? "Back" : submit ? "Cancel" : "Close");
  fill(
    node,
    h("button", { type: "button", class: "button", "data-role": "cancel-view", onclick: dismiss }, withEmoji(cancel)),
    submit &&
      h(
        "button",
        {
          type: "submit",
          class: busy ? "button button-primary button-busy" : "button button-primary",
          "data-role": "submit-view",
          "aria-busy": busy ? "true" : null,
        },
        withEmoji(submit),
      ),
  );
  if (old && hadFocus) node.querySelector(`[data-role="${hadFocus}"]`)?.focus();
  return node;
}

async function onSubmit(event) {
  event.preventDefault();
  const asked = open;
  if (asked.busy || !textOf(asked.view.submit)) return;
  forget(asked);
  await send(asked);
}

async function send(asked) {
  asked.busy = true;
  show();
  const { ok, error } = await post("submit", { view_id: asked.view.id, values: valuesIn(asked.form) });
  asked.busy = false;
  if (!ok) toast(error);
  if (open !== asked) return;
  asked.failure = ok ? "" : error;
  show();
}

function forget(asked) {
  asked.settled.clear();
  asked.said = "";
  asked.failure = "";
}

function dismiss() {
  const { id } = open.view;
  post("close", { view_id: id }).then(({ ok, error }) => ok || toast(error));
}

function onEdit(target) {
  const blockId = target.closest(".block-input")?.dataset.block;
  if (!blockId) return;
  open.settled.add(blockId);
  showProblems();
}

function onKey(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) open.form.requestSubmit();
}

function showProblems() {
  const problems = currentProblems();
  const unplaced = { ...problems };
  for (const line of open.form.querySelectorAll("[data-error-for]")) {
    paintProblem(line, problems[line.dataset.errorFor] ?? "");
    delete unplaced[line.dataset.errorFor];
  }
  const notice = [open.failure, ...Object.values(unplaced)].filter(Boolean).join(" ");
  open.notice.textContent = notice;
  open.notice.hidden = !notice;
  focusNewProblem(problems);
}

/** What was said about fields that nobody has edited since. */
function currentProblems() {
  if (open.busy) return {};
  return Object.fromEntries(Object.entries(page.state.errors ?? {}).filter(([blockId]) => !open.settled.has(blockId)));
}

function paintProblem(line, problem) {
  line.textContent = problem;
  line.hidden = !problem;
  line.parentElement.classList.toggle("block-wrong", Boolean(problem));
  const control = controlsIn(line.parentElement)[0];
  if (problem) control?.setAttribute("aria-invalid", "true");
  else control?.removeAttribute("aria-invalid");
}

/** Focus goes to the first wrong field once per finding, never while somebody corrects the others. */
function focusNewProblem(problems) {
  const keys = Object.keys(problems);
  const known = open.said ? JSON.parse(open.said) : {};
  const fresh = keys.some((blockId) => known[blockId] !== problems[blockId]);
  open.said = open.busy ? "" : JSON.stringify(problems);
  if (!fresh) return;
  const wrong = open.form.querySelector(".block-wrong");
  if (wrong) focusables(wrong)[0]?.focus();
}

function firstFocus(view) {
  const chosen = view.blocks.find((block) => block.element?.focus_on_load)?.block_id;
  const inputs = [...open.form.querySelectorAll(".block-input")];
  const wanted = inputs.find((node) => node.dataset.block === chosen) ?? inputs[0];
  return (wanted && focusables(wanted)[0]) ?? open.form;
}
