/** Light, dark, or as the machine is: one choice for all people at this browser. */

const NAME = "workbench-look";
const LOOKS = ["auto", "light", "dark"];
export const LOOK_SIGNS = { auto: "auto", light: "sun", dark: "moon" };

export function look() {
  const kept = read();
  return LOOKS.includes(kept) ? kept : "auto";
}

export function applyLook() {
  const chosen = look();
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** The next look in turn, which is shown at once. */
export function nextLook() {
  const chosen = LOOKS[(LOOKS.indexOf(look()) + 1) % LOOKS.length];
  try {
    localStorage.setItem(NAME, chosen);
  } catch {
    // Private windows may refuse; the look then stays as it was.
  }
  applyLook();
}

function read() {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
