/** The panel's traffic: every delivery to the app with its ack, and every call of the app with its answer. */

import { fetchJson } from "./api.js";
import { h, icon, patchList } from "./dom.js";
import { jsonNode } from "./json.js";
import { page } from "./page.js";

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const WAYS = {
  to_app: { picture: "arrow", words: "To the app", parts: { payload: "Payload", ack: "Ack" } },
  to_slack: { picture: "up", words: "From the app", parts: { arguments: "Arguments", answer: "Answer" } },
};
let parts = null; // {list, filter, failed}
let known = []; // newest first
let clearedAt = 0; // the number of the newest line when the list was cleared

export function trafficNode() {
  const filter = h("input", {
    class: "field",
    type: "search",
    placeholder: "Filter",
    "aria-label": "Filter the traffic",
    oninput: show,
  });
  const failed = h("input", { type: "checkbox", onchange: show });
  const clear = h(
    "button",
    { type: "button", class: "button", "data-role": "clear-traffic", onclick: clearList },
    "Clear",
  );
  const list = h("ol", { class: "traffic", tabindex: "0", "aria-label": "Traffic, newest first" });
  parts = { list, filter, failed };
  const tools = h(
    "div",
    { class: "panel-row traffic-tools" },
    filter,
    h("label", { class: "traffic-failed" }, failed, "Errors"),
    clear,
  );
  return h("div", { class: "traffic-part" }, tools, list);
}

export function renderTraffic({ traffic }) {
  known = traffic;
  show();
}

function clearList() {
  clearedAt = known[0]?.n ?? 0;
  show();
}

function show() {
  const wanted = parts.filter.value.trim().toLowerCase();
  const fits = (line) =>
    line.n > clearedAt &&
    (!parts.failed.checked || line.verdict === "bad") &&
    `${line.name} ${aboutOf(line)} ${line.words}`.toLowerCase().includes(wanted);
  const rows = known.filter(fits);
  patchList(parts.list, rows.length ? rows : [{ n: "none" }], {
    key: ({ n }) => n,
    make: (line, old) => (line.way ? lineNode(line, old) : h("li", { class: "panel-empty" }, "Nothing yet.")),
  });
}

function aboutOf({ about, who }) {
  return [named(about), named(who)].filter(Boolean).join(" · ");
}

/** Names for ids of conversations and people, where the page knows them. */
function named(id) {
  const { directory } = page;
  const channel = directory.channels.get(id);
  if (channel) return channel.kind === "dm" ? directory.titleOf(channel) : `#${channel.name}`;
  return directory.person(id) ? directory.nameOf(id) : id;
}

function lineNode(line, old) {
  if (line.way === "note") return noteNode(line);
  const way = WAYS[line.way];
  const about = [timeOf(line), aboutOf(line)].filter(Boolean).join(" · ");
  const node = h(
    "details",
    { class: "entry", "data-name": line.name, "data-verdict": line.verdict },
    h(
      "summary",
      {},
      icon(way.picture, way.words),
      h("span", { class: "menu-words" }, h("strong", {}, line.name), h("small", {}, about)),
      verdict(line),
    ),
  );
  node.addEventListener("toggle", () => node.open && unfold(node, line));
  node.open = Boolean(old?.firstElementChild.open);
  return h("li", {}, node);
}

/** Something else that happened between the two: nothing was sent that could be looked into. */
function noteNode(line) {
  return h("li", { class: "entry-note" }, icon("info"), h("span", {}, line.name), h("small", {}, timeOf(line)));
}

function timeOf({ at }) {
  return CLOCK.format(new Date(at * 1000));
}

function verdict({ verdict: kind, words, ms }) {
  const time = ms === null ? "" : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  const said = [words, time].filter(Boolean).join(" · ");
  return said && h("span", { class: `verdict verdict-${kind}`, title: said }, said);
}

/** What was sent and what came back is asked for when somebody wants to see it. */
async function unfold(node, line) {
  const { ok, error, answer } = await fetchJson(`/workbench/panel/${line.n}`);
  const body = ok ? bodyOf(WAYS[line.way].parts, answer) : h("p", { class: "panel-note" }, error);
  if (node.children.length > 1) node.lastElementChild.replaceWith(body);
  else node.append(body);
}

function bodyOf(shown, answer) {
  const sections = Object.entries(shown).map(([name, label]) => [h("h4", {}, label), valueNode(answer[name])]);
  const { envelope_id: envelope, detail, retry_attempt: again, retry_reason: why } = answer;
  return h(
    "div",
    { class: "entry-body" },
    detail && h("p", { class: "panel-note" }, detail),
    sections,
    envelope && h("h4", {}, "Envelope"),
    envelope && h("p", { class: "json" }, envelope, again ? `, attempt ${again + 1} (${why})` : ""),
  );
}

function valueNode(value) {
  const empty = value === null || value === undefined || value === "";
  return empty ? h("p", { class: "panel-note" }, "empty") : jsonNode(value);
}
