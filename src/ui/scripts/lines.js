import { make, makeButton, repositoryPath, say } from "./page.js";

/** Selects lines of a file by clicks on their numbers, and a range with the shift key. The address and the permanent link contain the selection. */
export function markLines() {
  const code = /** @type {HTMLElement | null} */ (document.querySelector(".lines"));
  if (code === null) return;
  const marked = make("div", { class: "marked" });
  const menu = makeLineMenu(code);
  const show = () => {
    const range = readRange(location.hash);
    const [first, last] = [numberOf(code, range?.from), numberOf(code, range?.to)];
    code.toggleAttribute("data-marked", first !== null && last !== null);
    menu.open = false;
    if (first === null || last === null) {
      marked.remove();
      menu.remove();
      return;
    }
    marked.style.top = `${first.offsetTop}px`;
    marked.style.height = `${last.offsetTop + last.offsetHeight - first.offsetTop}px`;
    code.prepend(marked);
    menu.style.top = marked.style.top;
    code.append(menu);
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[data-key="y"]'))) link.hash = location.hash;
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

/**
 * The menu of the selected lines. Its links are made when it is opened.
 * @param {HTMLElement} code
 */
function makeLineMenu(code) {
  const texts = say().lineMenu;
  const sheet = make("div", { class: "sheet" });
  const summary = make("summary", { "aria-label": texts.title, title: texts.title }, ["⋯"]);
  const menu = make("details", { class: "menu line-menu" }, [summary, sheet]);
  menu.addEventListener("toggle", () => {
    if (menu.open) sheet.replaceChildren(...lineActions(code, menu));
  });
  return menu;
}

/**
 * @param {HTMLElement} code
 * @param {HTMLDetailsElement} menu
 * @returns {readonly HTMLElement[]}
 */
function lineActions(code, menu) {
  const texts = say().lineMenu;
  const permalink = /** @type {HTMLAnchorElement | null} */ (document.querySelector('a[data-key="y"]'));
  const address = permalink?.href ?? location.href;
  const copying = (/** @type {string} */ title, /** @type {() => string} */ read) => {
    const button = makeButton(title, async () => {
      await navigator.clipboard.writeText(read());
      menu.open = false;
    });
    button.className = "entry";
    return button;
  };
  const link = (/** @type {string} */ title, /** @type {string} */ href) => make("a", { href }, [title]);
  const { from = 1, to = from } = readRange(location.hash) ?? {};
  const blame = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".file > header .switch a:last-child"));
  const hasIssues = document.querySelector('.repository .tabs a[href$="/issues"]') !== null;
  return [
    // Pages of other machines over plain HTTP cannot write to the clipboard.
    ...(navigator.clipboard === undefined
      ? [link(texts.permalink, address)]
      : [copying(from === to ? texts.copyLine : texts.copyLines, () => linesOf(code, from, to)), copying(texts.copyPermalink, () => address)]),
    ...(hasIssues ? [link(texts.reference, `${repositoryPath()}/issues/new?body=${encodeURIComponent(`${address}\n`)}`)] : []),
    ...(blame === null ? [] : [link(texts.blame, `${blame.href}#L${from}`)]),
  ];
}

/**
 * @param {HTMLElement} code
 * @param {number} from
 * @param {number} to
 */
const linesOf = (code, from, to) =>
  (code.querySelector("pre")?.textContent ?? "")
    .split("\n")
    .slice(from - 1, to)
    .join("\n");
