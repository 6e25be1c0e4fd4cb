/** Pictures and files, which are named and framed but never fetched: the page loads nothing from elsewhere. */

import { h, icon } from "./dom.js";
import { link, safeAddress } from "./links.js";
import { plainText } from "./mrkdwn.js";

const STEPS = ["bytes", "KB", "MB", "GB"];

/** An image block: its frame says what it shows and where it would come from. */
export function picture(image) {
  const title = plainText(image.title);
  return h(
    "figure",
    { class: "block-image", role: "img", "aria-label": [title, image.alt_text].filter(Boolean).join(". ") },
    h("span", { class: "picture-sign" }, icon("image")),
    h(
      "figcaption",
      {},
      title && h("strong", {}, title),
      h("span", { class: "picture-alt" }, image.alt_text),
      h("small", {}, sourceOf(image)),
    ),
  );
}

/** A small picture beside a text or in a context: its alternative text, with the source on hover. */
export function smallPicture(image) {
  return h(
    "span",
    { class: "context-image", role: "img", "aria-label": image.alt_text, title: sourceOf(image) },
    icon("image"),
    h("span", { class: "clip" }, image.alt_text),
  );
}

function sourceOf({ image_url: address, slack_file: file }) {
  if (file) return "a file in Slack";
  const known = safeAddress(address);
  if (known === null || !known.startsWith("https:")) return "not an https address";
  return `from ${new URL(known).host}`;
}

/** The files of a message, each with its name, kind and size; nothing where it has none. */
export function filesNode(files) {
  if (!files.length) return null;
  return h("ul", { class: "files", "aria-label": "Files" }, files.map(fileRow));
}

function fileRow(file) {
  const name = file.title || file.name || "File";
  const about = [file.mimetype, sizeOf(file.size)].filter(Boolean).join(" · ");
  return h(
    "li",
    { class: "file" },
    h("span", { class: "picture-sign" }, icon("file")),
    h(
      "span",
      { class: "menu-words" },
      file.url ? link(file.url, h("strong", {}, name)) : h("strong", {}, name),
      h("small", {}, about),
    ),
  );
}

function sizeOf(bytes) {
  if (!Number.isFinite(bytes)) return "";
  const step = Math.min(STEPS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const size = bytes / 1024 ** step;
  return `${size.toFixed(step && size < 10 ? 1 : 0)} ${STEPS[step]}`;
}
