/** The line above the messages: where one is, what it is for, who is there, and the app's tabs. */

import { conversationSign, face } from "./directory.js";
import { h, icon, keepingFocus, patchList } from "./dom.js";
import { page } from "./page.js";

const PLACE = document.getElementById("header");
const FACES = 4;

export function renderHeader(conversation, elsewhere) {
  const { directory } = page;
  const parts = [
    { key: "menu", sign: elsewhere, node: () => menuButton(elsewhere) },
    { key: "title", sign: [conversation, directory.stamp], node: () => title(conversation) },
    { key: "tabs", sign: [hasHome(conversation), page.tab], node: () => tabs(conversation) },
    { key: "members", sign: [conversation.members, directory.stamp], node: () => members(conversation) },
    { key: "panel", sign: page.panelOpen, node: panelButton },
  ];
  const how = {
    key: (it) => it.key,
    signature: (it) => JSON.stringify(withoutMessages(it.sign)),
    make: (it) => it.node(),
  };
  keepingFocus(PLACE, () => patchList(PLACE, parts, how));
}

function withoutMessages(sign) {
  return Array.isArray(sign) && sign[0]?.messages ? [{ ...sign[0], messages: null }, sign[1]] : sign;
}

function menuButton(elsewhere) {
  const label = elsewhere ? `Open the sidebar, ${elsewhere} unread` : "Open the sidebar";
  const dot = elsewhere ? h("span", { class: "dot", "aria-hidden": "true" }) : null;
  return h(
    "button",
    {
      type: "button",
      class: "quiet menu-button",
      "data-role": "menu",
      "aria-label": label,
      onclick: () => page.openSidebar(true),
    },
    icon("menu"),
    dot,
  );
}

function title(conversation) {
  const { directory } = page;
  const partner = conversation.kind === "dm" ? directory.partnerOf(conversation) : null;
  const about = conversation.topic || partner?.title || "";
  return h(
    "div",
    { class: "header-title" },
    h(
      "h1",
      { id: "conversation-title" },
      conversationSign(conversation, directory),
      h("span", { class: "clip" }, directory.titleOf(conversation)),
      partner?.is_bot && h("span", { class: "badge" }, "APP"),
    ),
    about && h("p", { class: "topic clip", title: about }, about),
  );
}

/** Whether the conversation is the one with the app, and the app has a Home tab. */
export function hasHome(conversation) {
  const partner = conversation.kind === "dm" ? page.directory.partnerOf(conversation) : null;
  return Boolean(partner?.is_bot && page.state.app.home_tab);
}

const TABS = [
  ["home", "Home"],
  ["messages", "Messages"],
];

function tabs(conversation) {
  if (!hasHome(conversation)) return h("span", {});
  const buttons = TABS.map(([name, label]) =>
    h(
      "button",
      {
        type: "button",
        class: "tab",
        "data-role": `tab-${name}`,
        "aria-current": page.tab === name ? "page" : null,
        onclick: () => page.openTab(name),
      },
      label,
    ),
  );
  return h("nav", { class: "tabs", "aria-label": page.state.app.name }, buttons);
}

function panelButton() {
  const label = "What goes between Slack and the app";
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      title: label,
      "aria-label": label,
      "aria-expanded": String(page.panelOpen),
      "aria-controls": "panel",
      "data-role": "panel",
      onclick: () => page.openPanel(!page.panelOpen),
    },
    icon("pulse"),
  );
}

function members(conversation) {
  const { directory } = page;
  if (conversation.kind === "dm") return h("span", {});
  const people = (conversation.members ?? []).map((id) => directory.person(id)).filter(Boolean);
  const label = `${people.length} members`;
  const rows = people.map((person) =>
    h(
      "li",
      { class: "member" },
      face(person, { online: true }),
      h("span", {}, directory.nameOf(person.id), person.title && h("small", {}, person.title)),
    ),
  );
  return h(
    "details",
    { class: "menu menu-right" },
    h(
      "summary",
      { class: "members", title: label, "aria-label": label },
      h(
        "span",
        { class: "faces" },
        people.slice(0, FACES).map((person) => face(person)),
      ),
      h("span", {}, people.length),
    ),
    h("ul", { class: "menu-list member-list" }, rows),
  );
}
