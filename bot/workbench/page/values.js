/** What stands in the stateful elements of a message or a modal, as Slack shapes `state.values`. */

const readers = new WeakMap(); // a control → () => its value object

/** Makes `control` known under its two ids; `read` returns Slack's value object for it. */
export function stateful(control, ids, element, read) {
  control.setAttribute("data-element", element.type);
  for (const [name, value] of Object.entries(ids)) if (value) control.setAttribute(name, value);
  readers.set(control, read);
  return control;
}

export function controlsIn(root) {
  return [...root.querySelectorAll("[data-element]")];
}

export function valueOf(control) {
  return readers.get(control)();
}

export function valuesIn(root) {
  const values = {};
  for (const control of controlsIn(root)) {
    const { blockId, actionId } = control.dataset;
    values[blockId] = { ...values[blockId], [actionId]: valueOf(control) };
  }
  return values;
}

/** The value that was typed under the same two ids before an update, or null: Slack keeps just those. */
export function carriedValue(carried, blockId, element) {
  const value = carried?.[blockId]?.[element.action_id];
  return value?.type === element.type ? value : null;
}
