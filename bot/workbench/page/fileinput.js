/** A file_input: files of this person are handed to the workbench, and their names stand as chips. */

import { upload } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { toast } from "./toasts.js";
import { stateful } from "./values.js";

const MOST = 10; // files; Slack's own default for max_files

export function fileInput(element, { ids, carried }) {
  const most = element.max_files ?? MOST;
  const control = h("input", {
    class: "field file-input",
    type: "file",
    multiple: most > 1,
    accept: element.filetypes?.map((ending) => `.${ending}`).join(",") ?? null,
  });
  const list = h("ul", { class: "chips combo-chips", "aria-label": "Chosen files" });
  const node = h("div", {}, list, control);
  let files = carried?.files ?? [];
  const show = () => {
    list.hidden = !files.length;
    control.disabled = files.length >= most;
    fill(
      list,
      files.map((file) => chip(file, () => settle(files.filter((other) => other !== file)))),
    );
  };
  const settle = (chosen) => {
    files = chosen;
    show();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  control.addEventListener("change", async () => {
    const taken = await handedOver([...control.files].slice(0, most - files.length));
    control.value = "";
    settle([...files, ...taken]);
  });
  show();
  stateful(control, ids, element, () => ({ type: element.type, files }));
  return node;
}

async function handedOver(chosen) {
  const answers = await Promise.all(chosen.map(upload));
  for (const { ok, error } of answers) if (!ok) toast(error);
  return answers.filter(({ ok }) => ok).map(({ answer }) => answer.file);
}

function chip(file, remove) {
  const close = { type: "button", class: "chip-remove", "aria-label": `Remove ${file.name}`, onclick: remove };
  return h("li", { class: "chip" }, h("span", { class: "chip-words" }, file.name), h("button", close, icon("close")));
}
