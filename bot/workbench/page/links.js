/** The one place that makes links: only web and mail addresses, opened apart from this page. */

import { h } from "./dom.js";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address as a browser spells it, or null when it may not become a link. */
export function safeAddress(raw) {
  try {
    const address = new URL(raw);
    return SCHEMES.has(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}

/** A link, or its label as plain text when the address is not one to follow. */
export function link(raw, ...label) {
  const address = safeAddress(raw);
  if (address === null) return h("span", {}, ...label);
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer", title: address }, ...label);
}
