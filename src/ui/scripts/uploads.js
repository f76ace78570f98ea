import { make, makeButton, say, tell } from "./page.js";

/** Lets users add files to a file field by drop, paste or selection, and remove each of them. */
export function gatherUploads() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[type=file][multiple]"))) gather(field);
}

/** @param {HTMLInputElement} field */
function gather(field) {
  /** By name; a later file replaces an earlier one with its name. @type {Map<string, File>} */
  const files = new Map();
  const list = make("ul", { class: "chosen" });
  const zone = field.previousElementSibling;
  if (!zone?.matches(".drop-zone")) return;
  field.after(list);
  const show = () => {
    const transfer = new DataTransfer();
    for (const file of files.values()) transfer.items.add(file);
    field.files = transfer.files;
    list.replaceChildren(...[...files.values()].map((file) => make("li", {}, [file.name, " ", leaveOut(file.name)])));
    const sizes = [...files.values()].map(({ size }) => size);
    const sum = sizes.reduce((bytes, size) => bytes + size, 0);
    const { maxBytes = "Infinity", maxBytesEach = "Infinity" } = field.dataset;
    const isTooMuch = sum > Number(maxBytes) || Math.max(0, ...sizes) > Number(maxBytesEach);
    field.setCustomValidity(isTooMuch ? say().tooMuch : "");
    tell(list, isTooMuch ? say().tooMuch : "");
  };
  /** @param {string} name */
  const leaveOut = (name) => {
    const button = makeButton(say().leaveOut, () => {
      files.delete(name);
      show();
      field.focus();
    });
    button.setAttribute("aria-label", `${say().leaveOut}: ${name}`);
    return button;
  };
  /** @param {Iterable<File>} more */
  const add = (more) => {
    for (const file of more) files.set(file.name, file);
    show();
  };
  field.addEventListener("change", () => add(field.files ?? []));
  const form = field.form;
  form?.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.toggleAttribute("data-over", true);
  });
  form?.addEventListener("dragleave", () => zone.removeAttribute("data-over"));
  form?.addEventListener("drop", (event) => {
    zone.removeAttribute("data-over");
    if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  });
  form?.addEventListener("paste", (event) => {
    if (event.clipboardData !== null && event.clipboardData.files.length > 0) add(event.clipboardData.files);
  });
  // Files that the browser has kept over a reload.
  if (field.files !== null && field.files.length > 0) add(field.files);
}
