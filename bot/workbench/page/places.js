/** The people and places among which a select offers: those that this person can see. */

import { page } from "./page.js";

const FILTERS = { im: "dm", private: "private", public: "channel" }; // Slack's names and the workbench's

export function people() {
  return page.state.people
    .filter((person) => !person.is_bot && !person.deactivated)
    .map((person) => named(person.id, page.directory.nameOf(person.id)));
}

export function channels() {
  return page.state.conversations.filter(({ kind }) => kind === "channel").map(({ id, name }) => named(id, `#${name}`));
}

/** The conversations that the element's `filter` lets through. */
export function conversations({ filter }) {
  const { directory } = page;
  const kinds = filter?.include?.map((name) => FILTERS[name]);
  return page.state.conversations
    .filter(({ kind }) => !kinds || kinds.includes(kind))
    .map((it) => named(it.id, it.kind === "dm" ? directory.titleOf(it) : `#${it.name}`));
}

/** Where the person is, for an element that starts with that (`default_to_current_conversation`). */
export function currentConversation({ default_to_current_conversation: wanted }) {
  return wanted ? page.conversation : null;
}

function named(value, text) {
  return { value, text: { type: "plain_text", text, emoji: false } };
}
