/** What the message field offers while one writes: commands after `/`, people after `@`, channels after `#`, emoji after `:`. */

import { conversationSign, face } from "./directory.js";
import { h } from "./dom.js";
import { emojiStartingWith } from "./emoji.js";
import { page } from "./page.js";

const MOST = 8;
const WORD = /(^|\s)([@#:])([\p{L}\p{N}._+-]*)$/u;
const LEAST_EMOJI = 2; // characters, so that a colon alone offers nothing

/** Offers `{name, usage, about, sign, insert, from}` for a text with the caret at `caret`; `insert` replaces from `from` on. */
export function offersFor(text, caret, { commands }) {
  if (commands && text.startsWith("/")) return text.includes("\n") ? [] : commandOffers(text);
  const [, , sign, typed] = text.slice(0, caret).match(WORD) ?? [];
  if (!sign) return [];
  const from = caret - typed.length - 1;
  const offers = { "@": peopleOffers, "#": channelOffers, ":": emojiOffers }[sign](typed.toLowerCase());
  return offers.slice(0, MOST).map((offer) => ({ ...offer, from }));
}

function commandOffers(typed) {
  return page.state.commands
    .filter(({ command }) => command.startsWith(typed.trimEnd()) || typed.startsWith(`${command} `))
    .map(({ command, usage_hint: usage, description: about }) => ({
      name: command,
      usage,
      about,
      insert: `${command} `,
      from: 0,
      done: typed.startsWith(command),
    }));
}

function peopleOffers(typed) {
  return page.state.people
    .filter(({ name, real_name: real, deactivated }) => !deactivated && startsAWord(`${name} ${real}`, typed))
    .map((person) => ({
      name: person.real_name || person.name,
      about: `@${person.name}`,
      sign: face(person, { online: true }),
      insert: `@${person.name} `,
    }));
}

function channelOffers(typed) {
  return page.state.conversations
    .filter(({ kind, name }) => kind !== "dm" && startsAWord(name, typed))
    .map((channel) => ({
      name: channel.name,
      about: channel.topic,
      sign: conversationSign(channel, page.directory),
      insert: `#${channel.name} `,
    }));
}

function emojiOffers(typed) {
  if (typed.length < LEAST_EMOJI) return [];
  return emojiStartingWith(typed).map(([name, emoji]) => ({
    name: `:${name}:`,
    sign: h("span", {}, emoji),
    insert: `:${name}: `,
  }));
}

function startsAWord(words, typed) {
  return words
    .toLowerCase()
    .split(/[\s._-]+/u)
    .some((word) => word.startsWith(typed));
}
