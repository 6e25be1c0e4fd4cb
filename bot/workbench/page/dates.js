/** Slack's date tokens, days and times, in the zone of whoever looks at the page. */

import { h } from "./dom.js";

const LOCALE = navigator.language?.startsWith("en") ? navigator.language : "en-GB";
const DAY = 24 * 60 * 60 * 1000;
const REFRESH = 20_000; // ms; "3 minutes ago" and "today" grow old

const FORMATS = {
  date_num: (date) => [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-"),
  date_slash: (date) => [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("/"),
  date: (date) => intl(date, { month: "long", day: "numeric", year: "numeric" }),
  date_short: (date) => intl(date, { month: "short", day: "numeric", year: "numeric" }),
  date_long: (date) => intl(date, { weekday: "long", month: "long", day: "numeric", year: "numeric" }),
  date_long_full: (date) => intl(date, { weekday: "long", month: "long", day: "numeric", year: "numeric" }),
  time: (date) => intl(date, { hour: "numeric", minute: "2-digit" }),
  time_secs: (date) => intl(date, { hour: "numeric", minute: "2-digit", second: "2-digit" }),
  ago: (date) => ago(date),
};
for (const name of ["date", "date_short", "date_long"]) {
  FORMATS[`${name}_pretty`] = (date) => nearDay(date) ?? FORMATS[name](date);
}
FORMATS.day_divider_pretty = (date) => dayName(date);

/** A time element for `<!date^UNIX^FORMAT|FALLBACK>`; the fallback where the moment is not a number. */
export function dateNode(unix, format, fallback) {
  const date = new Date(Number(unix) * 1000);
  if (Number.isNaN(date.getTime())) return document.createTextNode(fallback);
  return timeNode(date, format);
}

export function timeNode(date, format) {
  return h(
    "time",
    { datetime: date.toISOString(), "data-format": format, title: fullMoment(date) },
    formatted(date, format),
  );
}

/** The moment of a message: Slack's `ts` is seconds with a counter behind the dot. */
export function dateOf(ts) {
  return new Date(Number(ts) * 1000);
}

export function dayKey(date) {
  return FORMATS.date_num(date);
}

export function dayName(date) {
  const near = nearDay(date);
  if (near) return near[0].toUpperCase() + near.slice(1);
  return intl(date, { weekday: "long", month: "long", day: "numeric" });
}

export function span(minutes) {
  const parts = [
    [Math.floor(minutes / 1440), "d"],
    [Math.floor((minutes % 1440) / 60), "h"],
    [Math.round(minutes % 60), "min"],
  ];
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(" ") || "0 min"
  );
}

export function keepTimesFresh() {
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-format]")) {
      const text = formatted(new Date(node.dateTime), node.dataset.format);
      if (node.textContent !== text) node.textContent = text;
    }
  }, REFRESH);
}

function formatted(date, format) {
  return format.replace(/\{([a-z_]+)\}/g, (token, name) =>
    Object.hasOwn(FORMATS, name) ? FORMATS[name](date) : token,
  );
}

function fullMoment(date) {
  return intl(date, { dateStyle: "full", timeStyle: "long" });
}

function nearDay(date) {
  const away = Math.round((midnight(date) - midnight(new Date())) / DAY);
  return { "-1": "yesterday", 0: "today", 1: "tomorrow" }[away] ?? null;
}

function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function ago(date) {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000);
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ];
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units.at(-1);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
}

function intl(date, options) {
  return new Intl.DateTimeFormat(LOCALE, options).format(date);
}

function two(number) {
  return String(number).padStart(2, "0");
}
