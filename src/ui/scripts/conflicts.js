import { make, makeButton, say, tell } from "./page.js";

// Replaces the list of conflicts above the text of a file with buttons that resolve them. The text can be edited too.

/** A conflict between its markers, with the lines of each side. */
const marked = /^<{7}[^\n]*\n([\s\S]*?)^={7}[^\n]*\n([\s\S]*?)^>{7}[^\n]*(?:\n|$)/gm;

export function settleConflicts() {
  for (const field of document.querySelectorAll("textarea[data-head][data-base]")) if (field instanceof HTMLTextAreaElement) offer(field);
  for (const field of document.querySelectorAll(".conflict [aria-invalid]"))
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) field.addEventListener("input", () => clearProblem(field));
}

/** The first or last line of a conflict, which the server rejects. */
const marker = /^(?:<{7}|>{7})(?: |$)/m;

/**
 * Removes the message of a rejected file when it is resolved.
 * @param {HTMLTextAreaElement | HTMLSelectElement} field
 */
function clearProblem(field) {
  const isResolved = field instanceof HTMLSelectElement ? field.value !== "" : !marker.test(field.value);
  if (!isResolved || !field.hasAttribute("aria-invalid")) return;
  for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  document.getElementById(`${field.id}-problem`)?.remove();
  if (field.form?.querySelector("[aria-invalid]") === null) field.form.querySelector("[role=alert]")?.remove();
}

/** @param {HTMLTextAreaElement} field */
function offer(field) {
  const list = field.previousElementSibling;
  if (!(list instanceof HTMLElement)) return;
  const show = () => list.replaceChildren(...[...field.value.matchAll(marked)].map((found) => entry(field, list, found)));
  field.addEventListener("input", show);
  show();
}

/**
 * @param {HTMLTextAreaElement} field
 * @param {HTMLElement} list
 * @param {RegExpMatchArray} found
 */
function entry(field, list, found) {
  const { settle } = say();
  const [whole, head = "", base = ""] = found;
  const from = found.index ?? 0;
  const line = field.value.slice(0, from).split("\n").length;
  const take = (/** @type {string} */ text) => () => {
    replace(field, from, from + whole.length, text);
    const next = list.querySelector("button");
    if (next === null) tell(list, settle.none);
    (next ?? field).focus();
  };
  return make("li", {}, [
    makeButton(`${settle.line} ${line}`, () => select(field, from, from + whole.length, line)),
    makeButton(`${settle.keep} ${field.dataset.head}`, take(head)),
    makeButton(`${settle.keep} ${field.dataset.base}`, take(base)),
    makeButton(settle.both, take(head + base)),
  ]);
}

/**
 * Selects a conflict and scrolls to it.
 * @param {HTMLTextAreaElement} field
 * @param {number} from
 * @param {number} to
 * @param {number} line
 */
function select(field, from, to, line) {
  field.focus();
  field.setSelectionRange(from, to);
  field.scrollTop = Math.max(0, line - 4) * Number.parseFloat(getComputedStyle(field).lineHeight);
}

/**
 * Replaces text as typing does, so that it can be undone.
 * @param {HTMLTextAreaElement} field
 * @param {number} from
 * @param {number} to
 * @param {string} text
 */
function replace(field, from, to, text) {
  field.focus();
  field.setSelectionRange(from, to);
  if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
