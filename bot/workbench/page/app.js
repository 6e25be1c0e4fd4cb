/** Starts the page: who looks at it, what they last looked at, and a new picture with every state. */

import { announce, renderTitle } from "./announce.js";
import { fetchPeople, post } from "./api.js";
import { showChooser } from "./chooser.js";
import { composer } from "./composer.js";
import { keepEndInSight, renderMessages } from "./conversation.js";
import { keepTimesFresh } from "./dates.js";
import { Directory } from "./directory.js";
import { hasHome, renderHeader } from "./header.js";
import { renderHome } from "./home.js";
import { keepKeys } from "./keys.js";
import { listen } from "./live.js";
import { applyLook } from "./look.js";
import { keepMenus } from "./menus.js";
import { renderModal } from "./modal.js";
import { conversationOf, page } from "./page.js";
import { renderPanel } from "./panel.js";
import { markRead, remember, remembered, unreadCount } from "./remember.js";
import { openSidebar, renderSidebar } from "./sidebar.js";
import { keepSteady, whenSteady } from "./steady.js";
import { renderThread, writeInThread } from "./thread.js";
import { renderToasts, toast } from "./toasts.js";

const APP = document.getElementById("app");
const BANNER = document.getElementById("banner");
const COMPOSER = document.getElementById("composer");
const MESSAGES = document.getElementById("messages");
const HOME = document.getElementById("home");
const writer = composer({ id: "composer-text" });

Object.assign(page, { render, openConversation, openThread, openSidebar, openTab, openPanel });

start();

async function start() {
  applyLook();
  const as = new URLSearchParams(location.search).get("as") ?? "";
  const answer = await fetchPeople();
  const known = answer === null || answer.people.some((person) => person.name === as || person.id === as);
  if (!as || !known) return showChooser(answer, as);
  page.as = as;
  page.panelOpen = Boolean(remembered().panel);
  COMPOSER.append(writer.node);
  keepTimesFresh();
  keepEndInSight();
  keepMenus();
  keepKeys();
  document.addEventListener("visibilitychange", () => page.state && render());
  keepSteady();
  const onTraffic = () => page.state && renderPanel();
  return listen(as, { onState: (state) => whenSteady(() => onState(state)), onLink, onTraffic });
}

function onState(state) {
  const first = page.state === null;
  page.state = state;
  page.directory = new Directory(state);
  settleConversation();
  APP.hidden = false;
  announce();
  render();
  if (first) focusConversation();
}

function onLink(linked) {
  page.linked = linked;
  BANNER.hidden = linked;
  BANNER.textContent = linked ? "" : "The connection to the workbench is lost. Trying again…";
  if (page.state) render();
}

/** Stays where one is; at first goes to where one was last, else to where something is new. */
function settleConversation() {
  const { conversations } = page.state;
  if (page.conversation && conversationOf(page.conversation)) return undefined;
  const last = conversationOf(remembered().conversation);
  const busiest = conversations.find((it) => unreadCount(it, page.state.me.id) > 0);
  const chosen = last ?? busiest ?? conversations[0];
  return chosen && choose(chosen.id);
}

function choose(id) {
  page.conversation = id;
  page.thread = null;
  page.tab = remembered().tab;
  page.newAfter = remembered().read[id] ?? null;
  page.newUntil = conversationOf(id).messages.at(-1)?.ts ?? null;
  remember({ conversation: id });
}

function openConversation(id) {
  choose(id);
  tellApp(conversationOf(id));
  openSidebar(false);
  render();
  focusConversation();
}

function focusConversation() {
  const place = HOME.hidden ? document.getElementById("composer-text") : HOME;
  place.focus({ preventScroll: true });
}

/** Slack tells an app when somebody opens the direct messages with it, or its Home tab. */
async function tellApp(conversation) {
  const partner = conversation.kind === "dm" ? page.directory.partnerOf(conversation) : null;
  if (!partner?.is_bot) return;
  const atHome = hasHome(conversation) && page.tab === "home";
  const { ok, error } = await post(atHome ? "open_home" : "open_dm", {});
  if (!ok) toast(error);
}

function openTab(tab) {
  page.tab = tab;
  page.thread = null;
  remember({ tab });
  tellApp(conversationOf(page.conversation));
  render();
}

function openPanel(open) {
  page.panelOpen = open;
  remember({ panel: open });
  render();
  const next = open ? document.querySelector("#panel [data-role=close-panel]") : null;
  (next ?? document.querySelector("[data-role=panel]"))?.focus();
}

function openThread(ts, { write = false } = {}) {
  const before = page.thread;
  page.thread = ts;
  render();
  if (write || ts) writeInThread();
  else document.querySelector(`[data-role="open-thread"][data-ts="${CSS.escape(before ?? "")}"]`)?.focus();
}

function render() {
  const conversation = conversationOf(page.conversation);
  const { me, conversations } = page.state;
  if (conversation)
    renderConversation(
      conversation,
      conversations.reduce((sum, it) => sum + unreadCount(it, me.id), 0),
    );
  renderTitle();
  renderSidebar();
  renderModal();
  renderPanel();
  renderToasts();
}

function renderConversation(conversation, unread) {
  const atHome = hasHome(conversation) && page.tab === "home";
  for (const node of [MESSAGES, COMPOSER]) node.hidden = atHome;
  HOME.hidden = !atHome;
  if (!atHome && document.visibilityState === "visible") markRead(conversation.id, conversation.messages.at(-1)?.ts);
  renderHeader(conversation, unread);
  if (atHome) renderHome();
  renderMessages(conversation);
  writer.update(conversation);
  renderThread(conversation);
}
