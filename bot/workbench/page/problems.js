/** What is wrong with a form: each problem under its field, and what belongs to no field above them all. */

import { focusables } from "./layers.js";
import { controlsIn } from "./values.js";

/** What a dialog keeps about its problems: `settled` are the blocks that were edited since they were said. */
export function startProblems() {
  return { settled: new Set(), said: {}, failure: "" };
}

/** Shows `errors` (by block id) in the dialog, without those about fields that somebody has edited since. */
export function showProblems(shown, errors) {
  const problems = shown.busy ? {} : unsettled(errors ?? {}, shown.settled);
  const unplaced = { ...problems };
  for (const line of shown.form.querySelectorAll("[data-error-for]")) {
    paint(line, problems[line.dataset.errorFor] ?? "");
    delete unplaced[line.dataset.errorFor];
  }
  const notice = [shown.failure, ...Object.values(unplaced)].filter(Boolean).join(" ");
  shown.notice.textContent = notice;
  shown.notice.hidden = !notice;
  focusNew(shown, problems);
}

function unsettled(errors, settled) {
  return Object.fromEntries(Object.entries(errors).filter(([blockId]) => !settled.has(blockId)));
}

function paint(line, problem) {
  line.textContent = problem;
  line.hidden = !problem;
  line.parentElement.classList.toggle("block-wrong", Boolean(problem));
  const control = controlsIn(line.parentElement)[0];
  if (problem) control?.setAttribute("aria-invalid", "true");
  else control?.removeAttribute("aria-invalid");
}

/** Focus goes to the first wrong field once per finding, never while somebody corrects the others. */
function focusNew(shown, problems) {
  const fresh = Object.keys(problems).some((blockId) => shown.said[blockId] !== problems[blockId]);
  shown.said = shown.busy ? {} : problems;
  if (!fresh) return;
  const wrong = shown.form.querySelector(".block-wrong");
  if (wrong) focusables(wrong)[0]?.focus();
}
