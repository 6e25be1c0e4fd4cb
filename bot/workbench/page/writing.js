/** What a person does with messages after they are written: change one's own, delete one. */

import { post } from "./api.js";
import { confirmed } from "./confirm.js";
import { h } from "./dom.js";
import { closeLayer, openLayer } from "./layers.js";
import { unescape } from "./mrkdwn.js";
import { page } from "./page.js";
import { toast } from "./toasts.js";

const SURE = { type: "plain_text", text: "Delete" };

/** The text as a person would type it: names instead of ids. */
export function typed(text) {
  const { directory } = page;
  const named = text
    .replace(/<@([UW][A-Z0-9]+)>/g, (token, id) => (directory.person(id) ? `@${directory.person(id).name}` : token))
    .replace(/<#([CG][A-Z0-9]+)(?:\|[^>]*)?>/g, (token, id) =>
      directory.channels.has(id) ? `#${directory.channels.get(id).name}` : token,
    );
  return unescape(named);
}

export function editMessage(conversation, message) {
  const text = h("textarea", { class: "field field-tall", rows: "4", "aria-label": "The message" });
  text.value = typed(message.text);
  const close = () => closeLayer(layer);
  const form = h(
    "form",
    { class: "dialog dialog-small", role: "dialog", "aria-modal": "true", "aria-label": "Edit the message" },
    h("h2", { class: "dialog-title" }, "Edit the message"),
    h("div", { class: "dialog-text" }, text),
    h(
      "div",
      { class: "dialog-foot" },
      h("button", { type: "button", class: "button", onclick: close }, "Cancel"),
      h("button", { type: "submit", class: "button button-primary", "data-role": "save-edit" }, "Save"),
    ),
  );
  const layer = openLayer(form, { onEscape: close });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await told("edit", { channel: conversation.id, ts: message.ts, text: text.value.trim() })) close();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  text.focus();
}

export async function deleteMessage(conversation, message) {
  const title = { type: "plain_text", text: "Delete this message?" };
  const text = { type: "plain_text", text: "It goes for everybody." };
  const sure = await confirmed({ title, text, confirm: SURE, deny: null, style: "danger" });
  if (sure) await told("delete", { channel: conversation.id, ts: message.ts });
}

async function told(verb, body) {
  const { ok, error } = await post(verb, body);
  if (!ok) toast(error);
  return ok;
}
