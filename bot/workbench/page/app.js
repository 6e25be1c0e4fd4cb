/** Starts the page: who looks at it, what they last looked at, and a new picture with every state. */

import { announce, renderTitle } from "./announce.js";
import { fetchPeople, post } from "./api.js";
import { showChooser } from "./chooser.js";
import { composer } from "./composer.js";
import { keepEndInSight, renderMessages } from "./conversation.js";
import { keepTimesFresh } from "./dates.js";
import { Directory } from "./directory.js";
import { renderHeader } from "./header.js";
import { listen } from "./live.js";
import { renderModal } from "./modal.js";
import { conversationOf, page } from "./page.js";
import { markRead, remember, remembered, unreadCount } from "./remember.js";
import { openSidebar, renderSidebar } from "./sidebar.js";
import { renderThread, writeInThread } from "./thread.js";
import { renderToasts } from "./toasts.js";

const APP = document.getElementById("app");
const BANNER = document.getElementById("banner");
const writer = composer({ id: "composer-text" });

page.render = render;
page.openConversation = openConversation;
page.openThread = openThread;
page.openSidebar = openSidebar;

start();

async function start() {
  const as = new URLSearchParams(location.search).get("as") ?? "";
  const answer = await fetchPeople();
  const known = answer === null || answer.people.some((person) => person.name === as || person.id === as);
  if (!as || !known) return showChooser(answer, as);
  page.as = as;
  document.getElementById("composer").append(writer.node);
  keepTimesFresh();
  keepEndInSight();
  foldMenusElsewhere();
  document.addEventListener("visibilitychange", () => page.state && render());
  return listen(as, { onState, onLink });
}

function onState(state) {
  const first = page.state === null;
  page.state = state;
  page.directory = new Directory(state);
  settleConversation();
  APP.hidden = false;
  announce();
  render();
  if (first) document.getElementById("composer-text").focus({ preventScroll: true });
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
  page.newAfter = remembered().read[id] ?? null;
  page.newUntil = conversationOf(id).messages.at(-1)?.ts ?? null;
  remember({ conversation: id });
}

function openConversation(id) {
  choose(id);
  tellApp(conversationOf(id));
  openSidebar(false);
  render();
  document.getElementById("composer-text").focus({ preventScroll: true });
}

/** Slack tells an app when somebody opens the direct messages with it. */
function tellApp(conversation) {
  const partner = conversation.kind === "dm" ? page.directory.partnerOf(conversation) : null;
  if (partner?.is_bot) post("open_dm", { person: partner.id });
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
  if (conversation && document.visibilityState === "visible") {
    markRead(conversation.id, conversation.messages.at(-1)?.ts);
  }
  renderTitle();
  renderSidebar();
  if (conversation) {
    renderHeader(
      conversation,
      conversations.reduce((sum, it) => sum + unreadCount(it, me.id), 0),
    );
    renderMessages(conversation);
    writer.update(conversation);
    renderThread(conversation);
  }
  renderModal();
  renderToasts();
}

/** A menu closes when somebody presses elsewhere or Escape. */
function foldMenusElsewhere() {
  const fold = (keep) => {
    for (const menu of document.querySelectorAll("details.menu[open]"))
      if (!keep || !menu.contains(keep)) menu.open = false;
  };
  document.addEventListener("pointerdown", (event) => fold(event.target));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.activeElement?.closest("details.menu[open]");
    if (!menu) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
