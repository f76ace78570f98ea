import { make, openDialog } from "./page.js";

/** @typedef {{ text: string, hint?: string, act: () => void }} Entry */
/** @typedef {{ now: readonly Entry[], later?: Promise<readonly Entry[]> }} Found */

const shownEntries = 50;
const askAfterMs = 150;

/**
 * Opens a dialog that selects an option by some of its characters (ARIA Authoring Practices, combobox with a listbox).
 * @param {string} label
 * @param {{ nothing: string, find: (typed: string) => Found, later?: (typed: string) => Promise<readonly Entry[]> }} options what fits at once, and what is asked for
 *   when the user stops typing
 */
export function openPicker(label, { nothing, find, later }) {
  const field = make("input", {
    type: "text",
    role: "combobox",
    "aria-label": label,
    "aria-controls": "picker-list",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    placeholder: label,
  });
  const list = make("ul", { class: "options", id: "picker-list", role: "listbox", "aria-label": label });
  const message = make("p", { class: "soft status-text", role: "status" });
  const dialog = make("dialog", { class: "finder", "aria-label": label }, [field, list, message]);
  const choice = chooseIn(field, list, (entry) => {
    dialog.close();
    entry.act();
  });
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const show = (/** @type {readonly Entry[]} */ entries, /** @type {boolean} */ isAll) => {
    choice.offer(entries.slice(0, shownEntries));
    list.hidden = entries.length === 0;
    message.textContent = entries.length === 0 && isAll ? nothing : "";
  };
  const look = () => {
    asked += 1;
    const turn = asked;
    const typed = field.value.trim();
    const found = find(typed);
    show(found.now, found.later === undefined && later === undefined);
    clearTimeout(waiting);
    const add = (/** @type {readonly Entry[]} */ more) => turn === asked && dialog.open && show([...found.now, ...more], true);
    found.later?.then(add, () => add([]));
    if (later !== undefined) waiting = setTimeout(() => later(typed).then(add, () => add([])), askAfterMs);
  };
  field.addEventListener("input", look);
  field.addEventListener("keydown", (event) => {
    if (choice.handle(event.key)) event.preventDefault();
  });
  look();
  openDialog(dialog);
}

/**
 * Shows options below a field, which keeps the focus.
 * @template {Entry} E
 * @param {HTMLElement} field
 * @param {HTMLElement} list
 * @param {(entry: E) => void} take
 */
export function chooseIn(field, list, take) {
  /** @type {readonly E[]} */
  let entries = [];
  let chosen = 0;
  const mark = (/** @type {number} */ at) => {
    chosen = at;
    for (const [index, option] of [...list.children].entries()) option.setAttribute("aria-selected", `${index === at}`);
    const option = list.children[at];
    if (option === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", option.id);
    option?.scrollIntoView({ block: "nearest" });
  };
  const takeAt = (/** @type {number} */ at) => {
    const entry = entries[at];
    if (entry !== undefined) take(entry);
  };
  return {
    /** @param {readonly E[]} offered */
    offer(offered) {
      entries = offered;
      list.replaceChildren(...offered.map((entry, at) => makeOption(`${list.id}-${at}`, entry, () => takeAt(at))));
      mark(0);
    },
    /** @param {string} key @returns {boolean} whether the options have handled it */
    handle(key) {
      if (entries.length === 0) return false;
      if (key === "ArrowDown") mark((chosen + 1) % entries.length);
      else if (key === "ArrowUp") mark((chosen - 1 + entries.length) % entries.length);
      else if (key === "Enter" || key === "Tab") takeAt(chosen);
      else return false;
      return true;
    },
  };
}

/**
 * @param {string} id
 * @param {Entry} entry
 * @param {() => void} take
 */
function makeOption(id, { text, hint }, take) {
  const option = make("li", { id, role: "option", "aria-selected": "false" }, [make("span", { dir: "auto" }, [text])]);
  if (hint !== undefined) option.append(make("span", { class: "soft" }, [hint]));
  // The field keeps the focus.
  option.addEventListener("mousedown", (event) => event.preventDefault());
  option.addEventListener("click", take);
  return option;
}

/**
 * The matching options: first those that begin with the typed text, then those that contain it, then those that contain its characters in order.
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} textOf
 * @param {string} typed
 * @returns {T[]}
 */
export function fitting(all, textOf, typed) {
  const wanted = typed.toLowerCase();
  const rank = (/** @type {T} */ one) => {
    const at = textOf(one).toLowerCase().indexOf(wanted);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return all.filter((one) => fits(textOf(one), typed)).sort((a, b) => rank(a) - rank(b));
}

/**
 * Whether a text contains the characters in this order.
 * @param {string} text
 * @param {string} typed
 */
function fits(text, typed) {
  const lower = text.toLowerCase();
  let at = 0;
  for (const letter of typed.toLowerCase().replace(/\s/g, "")) {
    at = lower.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
