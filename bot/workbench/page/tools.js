/** What one can do with a message beside answering it: reply, hide, the app's shortcuts, its notification, edit, delete. */

import { post } from "./api.js";
import { h, icon } from "./dom.js";
import { menuOf } from "./menus.js";
import { showNotice } from "./notices.js";
import { conversationOf, page } from "./page.js";
import { remember, remembered } from "./remember.js";
import { toast } from "./toasts.js";
import { deleteMessage, editMessage } from "./writing.js";

const HIDDEN_KEPT = 200;

/** The tools of `{message, conversation, inThread}`. */
export function messageTools({ message, conversation, inThread }) {
  if (message.ephemeral) return tool("Hide", "hide", "close", message, () => hide(conversation, message));
  const reply = tool("Reply in thread", "reply", "reply", message, () => page.openThread(message.thread_ts ?? message.ts, { write: true }));
  return h("div", { class: "tool-row" }, !inThread && reply, more(conversation, message));
}

function tool(label, role, picture, message, onclick) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      title: label,
      "aria-label": label,
      "data-role": role,
      "data-ts": message.ts,
      onclick,
    },
    icon(picture),
  );
}

function more(conversation, message) {
  const summary = h(
    "summary",
    { class: "quiet", title: "More actions", "aria-label": "More actions", "data-role": "more", "data-ts": message.ts },
    icon("more"),
  );
  const offered = page.state.shortcuts.filter(({ kind }) => kind === "message");
  const shortcuts = offered.map(({ name, description, callback_id: id }) => ({
    label: name,
    note: description || page.state.app.name,
    picture: icon("bolt"),
    attributes: { "data-shortcut": id },
    onclick: () => run("message_shortcut", { channel: conversation.id, ts: message.ts, callback_id: id }),
  }));
  const seen = {
    label: "Show its notification",
    picture: icon("bell"),
    onclick: () => showNotice({ conversation, message: asItIs(conversation, message) }),
  };
  return menuOf(summary, [...shortcuts, seen, ...ownTools(conversation, message)], "menu-right");
}

/** The message as it is by now: the tools stay while it is edited. */
function asItIs(conversation, { ts, ...old }) {
  const now = conversationOf(conversation.id)?.messages.find((message) => message.ts === ts);
  return now ?? { ts, ...old };
}

/** Everybody changes their own messages; who is no guest deletes any, as an administrator does. */
function ownTools(conversation, message) {
  const { me } = page.state;
  const own = message.user === me.id;
  const edit = {
    label: "Edit message",
    picture: icon("pen"),
    attributes: { "data-role": "edit" },
    onclick: () => editMessage(conversation, asItIs(conversation, message)),
  };
  const remove = {
    label: "Delete message",
    picture: icon("bin"),
    attributes: { "data-role": "delete" },
    onclick: () => deleteMessage(conversation, message),
  };
  return [own && edit, (own || !me.is_guest) && remove].filter(Boolean);
}

/** The menu of global shortcuts, beside the message field; nothing where the app has none. */
export function shortcutMenu() {
  const offered = page.state.shortcuts.filter(({ kind }) => kind === "global");
  if (!offered.length) return null;
  const summary = h(
    "summary",
    { class: "quiet", title: "Shortcuts", "aria-label": "Shortcuts", "data-role": "shortcuts" },
    icon("bolt"),
  );
  const items = offered.map(({ name, description, callback_id: id }) => ({
    label: name,
    note: description || page.state.app.name,
    picture: icon("bolt"),
    attributes: { "data-shortcut": id },
    onclick: () => run("shortcut", { callback_id: id }),
  }));
  return menuOf(summary, items, "", "Shortcuts");
}

async function run(verb, body) {
  const { ok, error } = await post(verb, body);
  if (!ok) toast(error);
}

function hide(conversation, message) {
  remember({ hidden: [...remembered().hidden, `${conversation.id} ${message.ts}`].slice(-HIDDEN_KEPT) });
  page.render();
}
