import { ask, say, tell } from "./page.js";

// Quotes a text, or its selected part, in the comment form of the page. Without this script, the link opens the page with the quote.

const answer = () => /** @type {HTMLTextAreaElement | null} */ (document.querySelector("#answer textarea"));

export function quoteTexts() {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-quote]") : null;
    if (!(link instanceof HTMLElement) || answer() === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    link.closest("details")?.removeAttribute("open");
    quote(link).catch(() => tell(link.closest(".box > header") ?? link, say().notQuoted));
  });
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
  const added = `${start}${String(text).trim().replace(/\r/g, "").replace(/^/gm, "> ")}\n\n`;
  // As typed text, so that it can be undone.
  if (!document.execCommand("insertText", false, added)) {
    field.setRangeText(added, field.value.length, field.value.length, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.scrollIntoView({ block: "center" });
}
