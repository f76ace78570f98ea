import { make, repositoryPath, say } from "./page.js";
import { chooseIn } from "./picker.js";
import { suggestQuery } from "./query-suggestions.js";
import { suggestEmoji, suggestIssues, suggestPeople } from "./suggestions.js";

// Completes users after `@`, issues after `#` and emoji after `:`, by the beginning of a name or title; in searches qualifiers and values.

/** The text before the caret: the character that starts a completion, and the typed part. */
const begunSign = /(?:^|[\s([{,;])([@#]|:(?=[\w+-]{2}))([\w.+-]*)$/;
/** The same in fields for names only, which need no such character. */
const begunName = /(?:^|[\s,])(@?)([\w.-]+)$/;
/** In a search: a qualifier with the beginning of its last value, or the beginning of a qualifier. */
const begunQuery = /(?:^|\s)-?(?:([a-z-]+):(?:(?:"[^"]*"|[^\s",]*),)*)?("[^"]*|[^\s",]*)$/;
const askAfterMs = 150;

/** @typedef {{ insert: string, text: string, hint: string }} Suggestion */

export function completeMentions() {
  for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll("textarea[data-markdown]"))) complete(area, begunSign, suggest);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-names]"))) complete(field, begunName, suggest);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-query]"))) complete(field, begunQuery, suggestQuery);
}

/**
 * @param {HTMLTextAreaElement | HTMLInputElement} area
 * @param {RegExp} begun
 * @param {(sign: string, typed: string) => Promise<readonly Suggestion[]>} find
 */
function complete(area, begun, find) {
  const list = make("ul", { class: "options suggestions", id: `${area.id || "text"}-suggestions`, role: "listbox", "aria-label": say().suggestions });
  list.hidden = true;
  const announcement = make("span", { class: "spoken", role: "status" });
  area.setAttribute("aria-autocomplete", "list");
  area.after(list, announcement);
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const close = () => {
    asked += 1;
    clearTimeout(waiting);
    list.hidden = true;
    announcement.textContent = "";
    area.removeAttribute("aria-controls");
    area.removeAttribute("aria-activedescendant");
  };
  const choice = chooseIn(area, list, (/** @type {import("./picker.js").Entry} */ entry) => {
    entry.act();
    close();
  });
  const look = async () => {
    const word = begun.exec(area.value.slice(0, caretOf(area)));
    asked += 1;
    const turn = asked;
    if (word === null || area.selectionStart !== area.selectionEnd) return close();
    const [, sign = "", typed = ""] = word;
    const found = await find(sign, typed).catch(() => []);
    if (turn !== asked || document.activeElement !== area) return;
    if (found.length === 0) return close();
    choice.offer(found.map(({ insert, text, hint }) => ({ text, hint, act: () => put(area, typed.length, insert) })));
    place(list, area);
    area.setAttribute("aria-controls", list.id);
    announcement.textContent = `${say().suggestions}: ${found.length}`;
  };
  area.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, askAfterMs);
  });
  /** @type {HTMLElement} */ (area).addEventListener("keydown", (event) => {
    if (list.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") close();
    else if (!choice.handle(event.key)) return;
    event.preventDefault();
  });
  area.addEventListener("blur", close);
}

/**
 * @param {string} sign
 * @param {string} typed
 * @returns {Promise<readonly Suggestion[]>}
 */
async function suggest(sign, typed) {
  if (sign === ":") return (await suggestEmoji(typed)).map(({ character, name }) => ({ insert: `${name}: `, text: `${character} :${name}:`, hint: "" }));
  if (sign !== "#") return (await suggestPeople(typed)).map(({ name, fullName }) => ({ insert: `${name} `, text: name, hint: fullName }));
  if (repositoryPath() === undefined) return [];
  return (await suggestIssues(typed)).map(({ number, title }) => ({ insert: `${number} `, text: title, hint: `#${number}` }));
}

/** @param {HTMLTextAreaElement | HTMLInputElement} area */
const caretOf = (area) => area.selectionStart ?? 0;

/**
 * Replaces the typed part by the whole word.
 * @param {HTMLTextAreaElement | HTMLInputElement} area
 * @param {number} length of the beginning
 * @param {string} word
 */
function put(area, length, word) {
  area.setRangeText(word, caretOf(area) - length, caretOf(area), "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Places the list below the line of the caret, whose position is measured with a copy of the text. @param {HTMLElement} list @param {HTMLTextAreaElement | HTMLInputElement} area */
function place(list, area) {
  const style = getComputedStyle(area);
  const caret = make("span", {}, ["|"]);
  const copy = make("div", {}, [area.value.slice(0, caretOf(area)), caret]);
  for (const name of ["font", "lineHeight", "padding", "border", "letterSpacing", "wordBreak", "direction"])
    Reflect.set(copy.style, name, Reflect.get(style, name));
  Object.assign(copy.style, { position: "absolute", visibility: "hidden", whiteSpace: "pre-wrap", overflowWrap: "break-word", width: `${area.offsetWidth}px` });
  area.after(copy);
  list.hidden = false;
  const left = Math.min(area.offsetLeft + caret.offsetLeft, area.offsetLeft + area.offsetWidth - list.offsetWidth);
  Object.assign(list.style, {
    left: `${Math.max(0, left)}px`,
    top: `${Math.min(area.offsetTop + caret.offsetTop - area.scrollTop, area.offsetTop + area.offsetHeight) + caret.offsetHeight + 4}px`,
  });
  copy.remove();
}
