import { markChangedWords } from "./changed-words.js";
import { offerPreviews } from "./preview.js";

// Actions on the files of a pull request without leaving the page: expand lines, start comments, mark files as viewed.
// These are links and forms whose response is a page with the same file; the needed part of it is inserted.

export function reviewInPlace() {
  document.addEventListener("click", follow);
  document.addEventListener("submit", mark);
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link instanceof HTMLAnchorElement && link.dataset.folds !== undefined) return fold(link, event);
  const section = link?.closest("section[data-file]");
  if (!(link instanceof HTMLAnchorElement) || !(section instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = link.matches(".gap, .unfold")
    ? openGap
    : link.matches(".number a")
      ? write
      : link.matches(".suggest")
        ? suggest
        : link.matches(".cancel")
          ? cancel
          : undefined;
  if (step === undefined) return;
  event.preventDefault();
  // If this fails, the link is followed.
  Promise.resolve(step(section, link, event)).catch(() => location.assign(link.href));
}

/**
 * Collapses or expands all files.
 * @param {HTMLAnchorElement} link
 * @param {MouseEvent} event
 */
function fold(link, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  for (const file of document.querySelectorAll("section[data-file] > details")) file.toggleAttribute("open", link.dataset.folds === "false");
}

/**
 * The section of the same file on another page.
 * @param {HTMLElement} section
 * @param {string} address
 */
async function fetchSection(section, address) {
  const response = await fetch(address);
  const fresh = response.ok ? new DOMParser().parseFromString(await response.text(), "text/html").getElementById(section.id) : null;
  if (!(fresh instanceof HTMLElement) || fresh.dataset.file !== section.dataset.file) throw new Error("another file");
  return fresh;
}

/** The line number of a row on a side, as its links contain it. @param {Element} row */
const placeOf = (row) => row.querySelector(".number a")?.getAttribute("href") ?? "";

/** The row of the line that a row of conversations or a form belongs to. @param {Element} row */
function lineOf(row) {
  let line = row.previousElementSibling;
  while (line?.matches("tr.talk")) line = line.previousElementSibling;
  return line;
}

/** Removes a form, but no conversation beside it. @param {Element | null} form */
function drop(form) {
  const row = form?.closest("tr.talk");
  if (row?.querySelector(".thread")) form?.remove();
  else row?.remove();
}

/**
 * @param {HTMLElement} section
 * @param {HTMLAnchorElement} link
 */
async function openGap(section, link) {
  const fresh = await fetchSection(section, link.href);
  // Open comment forms stay below their lines.
  for (const form of section.querySelectorAll("tr.talk:has(.write)")) {
    const line = lineOf(form);
    const place = line === null ? "" : placeOf(line);
    const row = [...fresh.querySelectorAll("tr")].find((one) => place !== "" && placeOf(one) === place);
    row?.after(form);
  }
  section.querySelector(":scope > details")?.replaceWith(...fresh.querySelectorAll(":scope > details"));
  section.querySelector(":scope > header .menu[open]")?.removeAttribute("open");
  section.querySelector(".unfold")?.replaceWith(...fresh.querySelectorAll(".unfold"));
  markChangedWords(section);
}

/** The line of the last started comment, for a range. @type {{ section: Element, side: string, line: number } | undefined} */
let begun;

/**
 * @param {HTMLElement} section
 * @param {HTMLAnchorElement} link
 * @param {MouseEvent} event with the shift key, from the line before to this one
 */
async function write(section, link, event) {
  const address = new URL(link.href);
  const [side = "", number = ""] = address.searchParams.get("on")?.split("-") ?? [];
  const line = Number(number);
  if (event.shiftKey && begun?.section === section && begun.side === side && begun.line < line) {
    address.searchParams.set("on", `${side}-${begun.line}-${line}`);
    drop(section.querySelector(`.write[data-line="${begun.line}"]`));
  }
  begun = { section, side, line };
  const row = link.closest("tr");
  let below = row?.nextElementSibling;
  while (below?.matches("tr.talk") && below.querySelector(".write") === null) below = below.nextElementSibling;
  const known = below?.matches("tr.talk") ? below.querySelector(".write textarea") : null;
  if (known instanceof HTMLElement) return known.focus();
  const fresh = await fetchSection(section, address.href);
  const form = fresh.querySelector(".write")?.closest("tr");
  if (!row || !form) throw new Error("no form");
  // The conversations of the line are on the page already.
  for (const thread of form.querySelectorAll(".thread")) thread.remove();
  let last = row;
  while (last.nextElementSibling?.matches("tr.talk")) last = /** @type {HTMLTableRowElement} */ (last.nextElementSibling);
  last.after(form);
  offerPreviews(form);
  form.querySelector("textarea")?.focus();
}

/**
 * Appends the current lines to the text as a suggestion.
 * @param {HTMLElement} section
 * @param {HTMLAnchorElement} link
 */
async function suggest(section, link) {
  const form = link.closest("form");
  const field = form?.querySelector("textarea");
  const address = new URL(link.href);
  const [side, first = "", last = first] = address.searchParams.get("on")?.split("-") ?? [];
  const typed = form?.querySelector("[name=start_line]");
  const start = typed instanceof HTMLInputElement && /^\d+$/.test(typed.value) ? typed.value : first;
  address.searchParams.set("on", `${side}-${start}-${last}`);
  const fresh = await fetchSection(section, address.href);
  const text = fresh.querySelector(".write textarea")?.textContent ?? "";
  if (!field) throw new Error("no form");
  field.value = field.value.trim() === "" ? text : `${field.value}\n\n${text}`;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

/**
 * @param {HTMLElement} section
 * @param {HTMLAnchorElement} link
 */
function cancel(section, link) {
  const row = link.closest("tr.talk");
  const line = row && lineOf(row)?.querySelector(".number a");
  drop(link.closest(".write"));
  begun = undefined;
  (line instanceof HTMLElement ? line : section).focus();
}

/** Toggles the viewed state of the focused file. */
export function viewFocused() {
  const button = document.activeElement?.closest("section[data-file]")?.querySelector("form.viewed button");
  if (!(button instanceof HTMLElement)) return false;
  button.click();
  return true;
}

/** @param {SubmitEvent} event */
async function mark(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("form.viewed")) return;
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("viewed"));
  const button = form.querySelector("button");
  const isViewed = field.value === "true";
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const response = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (response.type !== "opaqueredirect") throw new Error(`${response.status}`);
  } catch {
    form.submit();
    return;
  } finally {
    form.removeAttribute("aria-busy");
  }
  field.value = String(!isViewed);
  button?.setAttribute("aria-pressed", String(isViewed));
  form.closest("section")?.querySelector(":scope > details")?.toggleAttribute("open", !isViewed);
  const count = document.querySelector("[data-viewed-count]");
  if (count !== null) count.textContent = (count.textContent ?? "").replace(/\d+/, (known) => String(Number(known) + (isViewed ? 1 : -1)));
}
