/** The first page of somebody who has not said who they are. */

import { face } from "./directory.js";
import { fill, h, icon } from "./dom.js";

const PLACE = document.getElementById("chooser");

export function showChooser(answer, wanted) {
  const people = (answer?.people ?? []).filter((person) => !person.is_bot);
  PLACE.hidden = false;
  fill(
    PLACE,
    h(
      "div",
      { class: "chooser-card" },
      h("span", { class: "team-mark" }, icon("mark")),
      h("h1", {}, answer?.team?.name ? `Who are you at ${answer.team.name}?` : "Who are you?"),
      h(
        "p",
        { class: "chooser-note" },
        wanted
          ? `Nobody here is called “${wanted}”.`
          : "Each tab of the workbench is one person. Open a second tab to be somebody else.",
      ),
      people.length
        ? h("ul", { class: "chooser-list" }, people.map(personItem))
        : h("p", {}, "The workbench names nobody yet. Is it running?"),
    ),
  );
}

function personItem(person) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "chooser-person", href: `/?as=${encodeURIComponent(person.name)}`, "data-person": person.name },
      face(person, { online: true }),
      h(
        "span",
        { class: "menu-words" },
        h("strong", {}, person.real_name || person.name),
        h("small", {}, person.title || `@${person.name}`),
      ),
    ),
  );
}
