/** The panel's workspace: deadlines to bring nearer, who the app is, and what its tokens may do. */

import { post } from "./api.js";
import { span } from "./dates.js";
import { fill, h, patchList } from "./dom.js";
import { page } from "./page.js";
import { toast } from "./toasts.js";

const UNITS = [
  ["1", "minutes"],
  ["60", "hours"],
  ["1440", "days"],
];
let parts = null; // {said, facts, scopes}

export function workspaceNode() {
  const said = h("p", { class: "panel-note", role: "status" });
  const clock = h(
    "section",
    { "aria-label": "The clock" },
    h("h3", { class: "side-heading" }, "Clock"),
    said,
    clockForm(),
  );
  const facts = h("dl", { class: "facts" });
  const scopes = h("div", { class: "scopes" });
  parts = { said, facts, scopes };
  return h(
    "div",
    { class: "panel-scroll", tabindex: "0" },
    clock,
    h("h3", { class: "side-heading" }, "App"),
    facts,
    h("h3", { class: "side-heading" }, "Scopes"),
    scopes,
  );
}

export function renderWorkspace({ tokens }) {
  const { clock, app, team } = page.state;
  const moved = clock.moved_minutes;
  const whose = clock.controllable ? "Deadlines of the app and of Slack" : "Slack's own deadlines";
  parts.said.textContent = moved ? `${whose} are nearer by ${span(moved)}.` : `${whose} stand where they were set.`;
  const transport = { socket: "Socket Mode", http: "signed HTTP" }[app.transport] ?? app.transport;
  const facts = [
    ["Name", app.name],
    ["App", app.id],
    ["Bot user", app.user],
    ["Workspace", team.name],
    ["Transport", `${transport}, ${app.connected ? "connected" : "not connected"}`],
  ];
  fill(
    parts.facts,
    facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
  patchList(parts.scopes, tokens, { key: ({ kind }) => kind, make: tokenNode });
}

function tokenNode({ kind, scopes, refusal }) {
  return h(
    "div",
    {},
    h(
      "p",
      { class: "panel-note" },
      kind === "bot" ? "Bot token" : "App token",
      refusal && h("span", { class: "chip chip-bad" }, refusal),
    ),
    h(
      "ul",
      { class: "chips", "aria-label": "Scopes" },
      scopes.map((scope) => h("li", { class: "chip" }, scope)),
    ),
  );
}

function clockForm() {
  const amount = h("input", {
    class: "field",
    type: "number",
    min: "1",
    value: "30",
    id: "clock-amount",
    "data-role": "clock-amount",
  });
  const unit = h(
    "select",
    { class: "field", "aria-label": "Unit" },
    UNITS.map(([minutes, words]) => h("option", { value: minutes }, words)),
  );
  const onsubmit = async (event) => {
    event.preventDefault();
    const { ok, error } = await post("clock", { minutes: Number(amount.value) * Number(unit.value) });
    if (!ok) toast(error);
  };
  return h(
    "form",
    { class: "clock-form", onsubmit },
    h("label", { class: "input-label", for: amount.id }, "Bring deadlines nearer by"),
    h(
      "div",
      { class: "panel-row" },
      amount,
      h("span", { class: "select" }, unit),
      h("button", { type: "submit", class: "button", "data-role": "clock-move" }, "Move"),
    ),
  );
}
