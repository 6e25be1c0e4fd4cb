/** Keeps the page still while it is being pressed: a redraw between press and release would swallow the click. */

const LONGEST = 5000; // ms; for a release of which the page never hears, as over the list of a select
let timer = 0; // of the press that is under way, 0 where there is none
let waiting = null;

export function keepSteady() {
  addEventListener("pointerdown", hold, true);
  for (const name of ["pointerup", "pointercancel", "change"]) addEventListener(name, () => setTimeout(go), true);
}

/** Does this now, or after the press that is under way; of several the last one is done. */
export function whenSteady(act) {
  if (timer) waiting = act;
  else act();
}

function hold() {
  clearTimeout(timer);
  timer = setTimeout(go, LONGEST);
}

function go() {
  clearTimeout(timer);
  timer = 0;
  const act = waiting;
  waiting = null;
  act?.();
}
