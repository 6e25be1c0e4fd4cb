/** Says new messages to people who listen to the page, and counts the unread ones in the tab's title. */

import { showNotice } from "./notices.js";
import { spoken } from "./mrkdwn.js";
import { page } from "./page.js";
import { isReply, unreadCount } from "./remember.js";

const STAY = 1000; // ms; long enough to be read out, and then out of the way
const PLACE = document.getElementById("announcer");
let newest = null;

export function announce() {
  const { state, directory } = page;
  const all = state.conversations.flatMap((conversation) =>
    conversation.messages.map((message) => ({ conversation, message })),
  );
  const fresh = newest === null ? [] : all.filter(({ message }) => message.ts > newest && message.user !== state.me.id);
  newest = all.reduce((latest, { message }) => (message.ts > latest ? message.ts : latest), newest ?? "");
  if (!fresh.length) return;
  say(fresh.map((it) => sentence(it, directory)).join(" "));
  for (const it of fresh) if (isElsewhere(it)) showNotice(it);
}

/** Whether the message comes where the person does not look; what they alone see is no notification. */
function isElsewhere({ conversation, message }) {
  const looked = conversation.id === page.conversation && document.visibilityState === "visible";
  return !message.ephemeral && !looked;
}

function say(words) {
  PLACE.textContent = words;
  setTimeout(() => PLACE.textContent === words && PLACE.replaceChildren(), STAY);
}

export function renderTitle() {
  const { state } = page;
  const unread = state.conversations.reduce((sum, it) => sum + unreadCount(it, state.me.id), 0);
  const name = state.me.real_name || state.me.name;
  document.title = `${unread ? `(${unread}) ` : ""}${name} · ${state.team.name} · Workbench`;
}

function sentence({ conversation, message }, directory) {
  const where = conversation.id === page.conversation ? "" : ` in ${directory.titleOf(conversation)}`;
  const what = isReply(message) ? "replied" : "wrote";
  return `${message.name || directory.nameOf(message.user)} ${what}${where}: ${spoken(message.text)}`;
}
