import { openFinder } from "./finder.js";
import { make, makeButton, openDialog, repositoryPath, say } from "./page.js";
import { openPalette } from "./palette.js";
import { canQuoteSelection, quoteSelection } from "./quotes.js";
import { viewFocused } from "./review.js";
import { tickFocused } from "./tick-many.js";

// Keyboard shortcuts while no field has the focus; `?` lists them.

/** After `g`: a page of the repository, or else of the site. @type {Readonly<Record<string, readonly [inRepository: string, onSite: string]>>} */
const places = {
  h: ["/", "/"],
  c: ["", ""],
  i: ["/issues", "/issues"],
  p: ["/pulls", "/pulls"],
  w: ["/wiki", ""],
  r: ["/releases", ""],
  n: ["", "/notifications"],
  e: ["", "/explore/repos"],
};

const waitMs = 1_500;
let goesUntil = 0;

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (chord(event)) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
    const isGoing = Date.now() < goesUntil;
    goesUntil = 0;
    if (isGoing ? go(event.key) : act(event.key)) event.preventDefault();
  });
}

/** Shortcuts with a modifier key also work in fields. @param {KeyboardEvent} event @returns {boolean} whether it performed an action */
function chord({ ctrlKey, metaKey, altKey, shiftKey, key, target }) {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return false;
  if (key === "k" && document.querySelector("dialog[open]") === null) return openPalette();
  if (key !== "Enter" || !(target instanceof HTMLTextAreaElement) || target.form === null) return false;
  target.form.requestSubmit(target.form.querySelector("button.primary[type=submit]"));
  return true;
}

/** @param {EventTarget | null} target */
const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

/**
 * @param {string} key
 * @returns {boolean} whether it performed an action
 */
function act(key) {
  switch (key) {
    case "?":
      return showKeys();
    case "g":
      goesUntil = Date.now() + waitMs;
      return true;
    case "/":
      return focus(searchField());
    case "t":
      return repositoryPath() !== undefined && openFinder();
    case "j":
      return move(1);
    case "k":
      return move(-1);
    case "x":
      return tickFocused();
    case "v":
      return viewFocused();
    case "r":
      return quoteSelection();
    default:
      return press(key);
  }
}

const searchField = () => document.querySelector(".find input[type=search]") ?? document.querySelector(".site input[type=search]");

/** The page's link to a place; there is none for parts that are disabled or not accessible. @param {string} key */
function linkTo(key) {
  const [inRepository, onSite] = places[key] ?? [];
  const repository = repositoryPath();
  const paths = [
    repository !== undefined && key !== "h" && inRepository !== undefined && (inRepository !== "" || key === "c") && repository + inRepository,
    onSite,
  ];
  for (const path of paths) {
    const link = path ? document.querySelector(`a[href="${CSS.escape(path)}"]`) : null;
    if (link instanceof HTMLElement) return link;
  }
  return undefined;
}

/** @param {string} key */
function go(key) {
  const link = linkTo(key);
  link?.click();
  return link !== undefined;
}

/** The element with this shortcut. @param {string} key */
const pressed = (key) => (/^[a-z]$/.test(key) ? document.querySelector(`[data-key="${key}"]`) : null);

/** @param {string} key */
function press(key) {
  const element = pressed(key);
  if (!(element instanceof HTMLElement)) return false;
  if (element instanceof HTMLTextAreaElement) {
    element.closest("details")?.setAttribute("open", "");
    element.focus();
  } else element.click();
  return true;
}

/** @param {Element | null} element */
function focus(element) {
  if (!(element instanceof HTMLInputElement)) return false;
  element.focus();
  element.select();
  return true;
}

const listEntries = () => [
  .../** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(
      "main .list > li h2 a:first-of-type, main .list .row-title, main .commits li > :first-child a, main .change > header h2 a, main .files th a, main .files td:first-of-type a, main .timeline > li.box > header > a",
    )
  ),
];

/** Focuses the next or previous entry of a list. @param {1 | -1} step */
function move(step) {
  const entries = listEntries();
  const now = entries.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = entries[now < 0 ? (step > 0 ? 0 : entries.length - 1) : now + step];
  next?.focus();
  return next !== undefined;
}

/** Whether a shortcut has an effect on this page. @param {string} key as in the list of shortcuts */
function works(key) {
  switch (key) {
    case "?":
    case "Ctrl K":
      return true;
    case "Ctrl Enter":
      return document.querySelector("form textarea") !== null;
    case "/":
      return searchField() !== null;
    case "t":
      return repositoryPath() !== undefined;
    case "j":
    case "k":
      return listEntries().length > 0;
    case "x":
      return document.querySelector(".issues .tick-box") !== null;
    case "v":
      return document.querySelector("form.viewed") !== null;
    case "r":
      return canQuoteSelection();
    default:
      return key.startsWith("g ") ? linkTo(key.slice(2)) !== undefined : pressed(key) !== null;
  }
}

function showKeys() {
  const { keys, close } = say();
  const dialog = make("dialog", { class: "keys", "aria-labelledby": "keys-title" }, [
    make("h2", { id: "keys-title" }, [keys.title]),
    make(
      "dl",
      {},
      keys.list
        .filter(([key]) => works(key))
        .flatMap(([key, meaning]) => [
          make(
            "dt",
            {},
            key.split(" ").map((one) => make("kbd", {}, [one])),
          ),
          make("dd", {}, [meaning]),
        ]),
    ),
    makeButton(close, () => dialog.close()),
  ]);
  openDialog(dialog);
  return true;
}
