/** Who and where: names, titles and faces of the people and conversations that a state lists. */

import { h, icon } from "./dom.js";
import { page } from "./page.js";

export class Directory {
  constructor({ me, people, conversations, groups }) {
    this.me = me;
    this.people = people;
    this.conversations = conversations;
    this.byId = new Map([...people, me].map((person) => [person.id, person]));
    this.groups = new Map(groups.map((group) => [group.id, group]));
    this.channels = new Map(conversations.map((conversation) => [conversation.id, conversation]));
    const names = people.map(({ id, name, real_name, color }) => [id, name, real_name, color]);
    this.names = JSON.stringify([names, conversations.map(({ id, name }) => [id, name])]); // what messages show
    this.stamp = JSON.stringify(people) + this.names; // what lists of people show, who is there included
  }

  person(id) {
    return this.byId.get(id) ?? null;
  }

  nameOf(id) {
    const person = this.person(id);
    return person?.real_name || person?.name || id;
  }

  partnerOf(conversation) {
    const other = (conversation.members ?? []).find((id) => id !== this.me.id);
    return this.person(other ?? this.me.id);
  }

  titleOf(conversation) {
    if (conversation.kind !== "dm") return conversation.name;
    const partner = this.partnerOf(conversation);
    return partner?.real_name || partner?.name || conversation.name;
  }
}

/** Whoever wrote a message, under the name that it was written with. */
export function authorOf(message) {
  const person = page.directory.person(message.user);
  const name = message.name || person?.real_name || person?.name || message.user || "Somebody";
  return {
    color: null,
    ...person,
    real_name: message.is_bot ? name : page.directory.nameOf(message.user),
    is_bot: message.is_bot,
  };
}

const SPARE_COLOR = "#6b7280";

/** A round face for people and a square one for apps; decoration only, since the name stands beside it. */
export function face(person, { online = false } = {}) {
  const node = h("span", { class: person?.is_bot ? "face face-app" : "face", "aria-hidden": "true" }, initials(person));
  const color = /^#[0-9a-f]{6}$/i.test(person?.color ?? "") ? person.color : SPARE_COLOR;
  node.style.setProperty("--face", color);
  if (isPale(color)) node.classList.add("face-pale");
  if (online && person?.online) node.append(h("span", { class: "face-online" }));
  return node;
}

export function conversationSign(conversation, directory) {
  if (conversation.kind === "dm") return face(directory.partnerOf(conversation), { online: true });
  return icon(conversation.kind === "private" ? "lock" : "hash");
}

function initials(person) {
  const words = (person?.real_name || person?.name || "?").trim().split(/\s+/u);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return picked.map((word) => [...word][0]?.toUpperCase() ?? "").join("");
}

function isPale(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 165;
}
