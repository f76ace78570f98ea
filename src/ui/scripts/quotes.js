import { ask, say, tell } from "./page.js";

// Inserts quotes and saved replies into the comment form of the page. Without this script, the link opens the page with the text.

const answer = () => /** @type {HTMLTextAreaElement | null} */ (document.querySelector("#answer textarea"));

export function quoteTexts() {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-quote]") : null;
    if (!(link instanceof HTMLElement) || answer() === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    link.closest("details")?.removeAttribute("open");
    quote(link).catch(() => tell(link.closest(".box > header") ?? link, say().notQuoted));
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("[data-reply]") : null;
    if (!(link instanceof HTMLElement) || answer() === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const menu = link.closest("details");
    menu?.removeAttribute("open");
    reply(link).catch(() => tell(menu ?? link, say().replyNotInserted));
  });
}

/** Inserts a saved reply at the cursor. @param {HTMLElement} link */
async function reply(link) {
  const { content } = await (await ask("GET", link.dataset.reply ?? "")).json();
  insert(String(content).replace(/\r/g, ""));
}

/** As typed text, so that it can be undone. @param {string} text */
function insert(text) {
  const field = answer();
  if (field === null) return;
  field.focus();
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.scrollIntoView({ block: "center" });
}

/** The link of the text that contains the selection. */
const selectedLink = () => boxOf(getSelection()?.anchorNode)?.querySelector("a[data-quote]") ?? null;

export const canQuoteSelection = () => answer() !== null && document.querySelector("a[data-quote]") !== null;

/** Quotes the selected text. @returns {boolean} whether any is selected */
export function quoteSelection() {
  const link = selectedLink();
  if (!(link instanceof HTMLElement) || `${getSelection()}`.trim() === "") return false;
  link.click();
  return true;
}

/** @param {Node | null | undefined} node */
const boxOf = (node) => (node instanceof Element ? node : node?.parentElement)?.closest(".timeline > .box") ?? null;

/** @param {HTMLElement} link */
async function quote(link) {
  const box = boxOf(link);
  const selection = getSelection();
  const selected = selection !== null && box !== null && boxOf(selection.anchorNode) === box && boxOf(selection.focusNode) === box ? `${selection}`.trim() : "";
  const text = selected === "" ? (await (await ask("GET", link.dataset.quote ?? "")).json()).body : selected;
  const field = answer();
  if (field === null) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  const start = field.value === "" || field.value.endsWith("\n\n") ? "" : field.value.endsWith("\n") ? "\n" : "\n\n";
  insert(`${start}${String(text).trim().replace(/\r/g, "").replace(/^/gm, "> ")}\n\n`);
}
