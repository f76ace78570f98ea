import { make } from "./page.js";

/** Selects lines of a file by clicks on their numbers, and a range with the shift key. The address and the permanent link contain the selection. */
export function markLines() {
  const code = /** @type {HTMLElement | null} */ (document.querySelector(".lines"));
  if (code === null) return;
  const marked = make("div", { class: "marked" });
  const show = () => {
    const range = readRange(location.hash);
    const [first, last] = [numberOf(code, range?.from), numberOf(code, range?.to)];
    code.toggleAttribute("data-marked", first !== null && last !== null);
    if (first === null || last === null) return marked.remove();
    marked.style.top = `${first.offsetTop}px`;
    marked.style.height = `${last.offsetTop + last.offsetHeight - first.offsetTop}px`;
    code.prepend(marked);
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[data-key="y"]'))) link.hash = location.hash;
    return undefined;
  };
  code.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest(".numbers a") : null;
    if (link === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const line = Number(link.id.slice(1));
    const from = event.shiftKey ? (readRange(location.hash)?.from ?? line) : line;
    const [low, high] = from <= line ? [from, line] : [line, from];
    history.replaceState(history.state, "", low === high ? `#L${low}` : `#L${low}-L${high}`);
    show();
  });
  addEventListener("hashchange", show);
  show();
  // Browsers scroll to single lines themselves, but not to ranges.
  if (location.hash.includes("-")) numberOf(code, readRange(location.hash)?.from)?.scrollIntoView();
}

/** @param {string} hash `#L3` or `#L3-L9` */
function readRange(hash) {
  const [, first, last = first] = /^#L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?$/.exec(hash) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [Number(first), Number(last)];
  return from <= to ? { from, to } : { from: to, to: from };
}

/**
 * @param {HTMLElement} code
 * @param {number | undefined} line
 */
const numberOf = (code, line) => /** @type {HTMLElement | null} */ (line === undefined ? null : code.querySelector(`#L${line}`));
