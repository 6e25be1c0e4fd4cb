/** Tells the workbench what the person of this tab does. */

import { page } from "./page.js";

const LOST = "The workbench cannot be reached. Is it still running?";

/** Resolves to `{ok, error?, answer}` and never throws, so that callers have one way to show what went wrong. */
export async function post(verb, body) {
  try {
    const response = await fetch(`/workbench/api/${verb}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ as: page.as, ...body }),
    });
    return await answerOf(response);
  } catch {
    return { ok: false, error: LOST, answer: {} };
  }
}

/** Hands a file of this person over; the answer has it as Slack describes files. */
export async function upload(file) {
  const query = new URLSearchParams({ as: page.as, name: file.name });
  try {
    return await answerOf(await fetch(`/workbench/upload?${query}`, { method: "POST", body: file }));
  } catch {
    return { ok: false, error: LOST, answer: {} };
  }
}

/** The people who can be chosen, or null where the server does not say. */
export async function fetchPeople() {
  try {
    const response = await fetch("/workbench/people");
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** What is at this address of the workbench, as `{ok, error?, answer}`. */
export async function fetchJson(path) {
  try {
    return await answerOf(await fetch(path));
  } catch {
    return { ok: false, error: LOST, answer: {} };
  }
}

async function answerOf(response) {
  const answer = await response.json().catch(() => ({}));
  if (answer.ok) return { ok: true, answer };
  return { ok: false, error: answer.error || `The workbench answered ${response.status}.`, answer };
}
