/** The left column: the team, oneself, the conversations, the app, the clock, and what to try. */

import { post } from "./api.js";
import { span } from "./dates.js";
import { conversationSign, face } from "./directory.js";
import { fill, h, icon, isEscape, keepingFocus, patchList } from "./dom.js";
import { openJump } from "./jump.js";
import { LOOK_SIGNS, look, nextLook } from "./look.js";
import { mrkdwn } from "./mrkdwn.js";
import { page } from "./page.js";
import { remember, remembered, unreadCount } from "./remember.js";
import { toast } from "./toasts.js";

const APP = document.getElementById("app");
const PLACE = document.getElementById("sidebar");
const STEPS = [
  [5, "+5 min"],
  [60, "+1 h"],
  [1440, "+1 day"],
];
const PARTS = ["team", "me", "channels", "messages", "hints", "clock", "app"];
const ROWS = {
  key: ({ id }) => id,
  signature: (it) =>
    JSON.stringify([it.id, it.name, it.archived, unread(it), it.id === page.conversation, page.directory.stamp]),
  make: conversationRow,
};
let parts = null;

export function renderSidebar() {
  parts ??= build();
  keepingFocus(PLACE, show);
}

function show() {
  const { state } = page;
  patchPart("team", [state.team, look()], teamNode);
  patchPart("me", [state.me, state.people], meNode);
  patchList(
    parts.channels,
    state.conversations.filter(({ kind }) => kind !== "dm"),
    ROWS,
  );
  patchList(
    parts.messages,
    state.conversations.filter(({ kind }) => kind === "dm"),
    ROWS,
  );
  patchPart("hints", [state.hints], hintsNode);
  patchPart("clock", [state.clock], clockNode);
  patchPart("app", [state.app, page.linked], appNode);
}

/** Shows or hides the sidebar where the window is too narrow for both. */
export function openSidebar(open) {
  APP.classList.toggle("app-menu", open);
  if (open) PLACE.querySelector("[aria-current], .row")?.focus();
  else document.querySelector("[data-role=menu]")?.focus();
}

function build() {
  const made = Object.fromEntries(PARTS.map((name) => [name, h("div", { class: `side-${name}` })]));
  fill(
    PLACE,
    made.team,
    made.me,
    h(
      "div",
      { class: "side-scroll" },
      jumpButton(),
      heading("Channels"),
      made.channels,
      heading("Direct messages"),
      made.messages,
      made.hints,
    ),
    h("div", { class: "side-foot" }, made.clock, made.app),
  );
  APP.addEventListener("keydown", (event) => {
    if (isEscape(event) && APP.classList.contains("app-menu")) openSidebar(false);
  });
  document.getElementById("shade").addEventListener("click", () => openSidebar(false));
  return made;
}

function jumpButton() {
  return h(
    "button",
    { type: "button", class: "jump-button", "data-role": "jump", onclick: openJump },
    icon("search"),
    h("span", {}, "Jump to…"),
    h("kbd", { "aria-hidden": "true" }, "Ctrl K"),
  );
}

function heading(text) {
  return h("h2", { class: "side-heading" }, text);
}

function patchPart(name, facts, make) {
  patchList(parts[name], [facts], { key: () => name, make: () => make(...facts) });
}

function unread(conversation) {
  return unreadCount(conversation, page.state.me.id);
}

function teamNode(team, chosen) {
  return h(
    "div",
    { class: "team" },
    h("span", { class: "team-mark" }, icon("mark")),
    h(
      "div",
      { class: "team-words" },
      h("p", { class: "team-name clip" }, team.name),
      h("p", { class: "team-product" }, "Workbench"),
    ),
    lookButton(chosen),
  );
}

function lookButton(chosen) {
  const label = { auto: "Look: as this machine", light: "Look: light", dark: "Look: dark" }[chosen];
  const onclick = () => {
    nextLook();
    page.render();
  };
  return h(
    "button",
    { type: "button", class: "quiet", title: label, "aria-label": label, "data-role": "look", onclick },
    icon(LOOK_SIGNS[chosen]),
  );
}

function meNode(me, people) {
  const others = people.filter((person) => person.id !== me.id && !person.is_bot && !person.deactivated);
  const items = others.map((person) =>
    h(
      "a",
      {
        class: "menu-item",
        href: `/?as=${encodeURIComponent(person.name)}`,
        target: "_blank",
        rel: "noopener noreferrer",
        "data-person": person.name,
      },
      face(person, { online: true }),
      h(
        "span",
        { class: "menu-words" },
        person.real_name || person.name,
        h("small", {}, person.title || "Opens in a new tab"),
      ),
      icon("out"),
    ),
  );
  return h(
    "details",
    { class: "menu me" },
    h(
      "summary",
      { class: "me-summary", "aria-label": `You are ${me.real_name || me.name}. Be somebody else` },
      face(me, { online: true }),
      h("span", { class: "menu-words" }, h("strong", {}, me.real_name || me.name), h("small", {}, me.title || "You")),
      icon("down"),
    ),
    h("div", { class: "menu-list" }, h("p", { class: "menu-heading" }, "Be somebody else, in a new tab"), items),
  );
}

function conversationRow(conversation) {
  const { directory } = page;
  const count = unread(conversation);
  const current = conversation.id === page.conversation;
  const name = directory.titleOf(conversation);
  const classes = ["row", current && "row-current", count && "row-unread", conversation.archived && "row-archived"];
  return h(
    "button",
    {
      type: "button",
      class: classes.filter(Boolean).join(" "),
      "data-conversation": conversation.id,
      "data-role": "conversation",
      "data-unread": count,
      "aria-current": current ? "true" : null,
      "aria-label": count ? `${name}, ${count} unread` : name,
      onclick: () => page.openConversation(conversation.id),
    },
    h("span", { class: "row-sign" }, conversationSign(conversation, directory)),
    h("span", { class: "clip" }, name),
    count > 0 && h("span", { class: "count", "aria-hidden": "true" }, count > 99 ? "99+" : count),
  );
}

function hintsNode(hints) {
  if (!hints?.length) return h("span", {});
  const node = h(
    "details",
    { class: "hints" },
    h("summary", { class: "side-heading" }, icon("spark"), "What to try"),
    h(
      "ol",
      {},
      hints.map((hint) => h("li", {}, mrkdwn(hint))),
    ),
  );
  node.open = !remembered().hintsFolded;
  node.addEventListener("toggle", () => remember({ hintsFolded: !node.open }));
  return node;
}

function clockNode(clock) {
  if (!clock?.controllable) return h("span", {});
  const said = clock.moved_minutes ? `nearer by ${span(clock.moved_minutes)}` : "not moved";
  const buttons = STEPS.map(([minutes, label]) =>
    h(
      "button",
      {
        type: "button",
        class: "button button-tiny",
        "data-role": `clock-${minutes}`,
        "data-minutes": minutes,
        onclick: () => move(minutes),
      },
      label,
    ),
  );
  return h(
    "section",
    { class: "clock", "aria-label": "Deadlines" },
    h(
      "p",
      { class: "clock-title" },
      icon("clock"),
      h("span", {}, "Deadlines"),
      h("span", { class: "clock-moved", role: "status" }, said),
    ),
    h("div", { class: "clock-steps", role: "group", "aria-label": "Bring every deadline nearer" }, buttons),
  );
}

async function move(minutes) {
  const { ok, error } = await post("clock", { minutes });
  if (!ok) toast(error);
}

function appNode(app, linked) {
  const words = { socket: " · Socket Mode", http: " · HTTP" }[app.transport] ?? "";
  const up = linked && app.connected;
  const said = up ? `connected${words}` : linked ? "not connected" : "unknown";
  return h(
    "p",
    { class: up ? "app-state app-up" : "app-state", role: "status", "data-role": "app-state" },
    h("span", { class: "pulse", "aria-hidden": "true" }),
    h("strong", {}, app.name),
    h("span", { class: "clip" }, said),
  );
}
