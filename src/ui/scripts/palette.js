import { ask, repositoryPath, say, viewerPath } from "./page.js";
import { fitting, openPicker } from "./picker.js";
import { suggestIssues } from "./suggestions.js";

/** @typedef {import("./picker.js").Entry} Entry */

const mostRepositories = 8;

/** The command palette: links and actions of the page, repositories by name, issues by number or title. @returns {boolean} true: it is open */
export function openPalette() {
  const { palette: texts } = say();
  const here = [...actions(), ...places()];
  openPicker(texts.title, {
    nothing: texts.nothing,
    find: (typed) => ({ now: typed.startsWith("#") ? [] : fitting(here, ({ text }) => text, typed) }),
    later: async (typed) => {
      const [issues, repositories] = await Promise.all([findIssues(typed), findRepositories(typed)]);
      return [...issues, ...repositories, ...searches(typed)];
    },
  });
  return true;
}

/** @param {Element} element */
function nameOf(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const count of copy.querySelectorAll(".badge, .count, .counter")) count.remove();
  return element.getAttribute("aria-label") ?? (copy.textContent ?? "").trim();
}

/** Actions with a shortcut. @returns {Entry[]} */
const actions = () =>
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main [data-key]"))]
    .filter((element) => !(element instanceof HTMLTextAreaElement))
    .map((element) => ({ text: nameOf(element), hint: say().palette.action, act: () => element.click() }));

/** @returns {Entry[]} */
function places() {
  const { palette: texts } = say();
  const repository = repositoryPath()?.slice(1);
  const parts = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".repository .tabs a"))].map((link) => ({
    link,
    hint: repository ?? "",
  }));
  const others = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".site nav a, .site .menu .sheet a, main > .tabs a"))];
  return [...parts, ...others.map((link) => ({ link, hint: texts.place }))].map(({ link, hint }) => ({ text: nameOf(link), hint, act: () => link.click() }));
}

/** @param {string} typed @returns {Promise<readonly Entry[]>} */
async function findIssues(typed) {
  const wanted = typed.replace(/^#/, "");
  if (wanted === "") return [];
  const issues = await suggestIssues(wanted);
  return issues.map(({ number, title, path }) => ({ text: title, hint: `#${number}`, act: () => location.assign(path) }));
}

/** The user's own repositories before anything is typed. @param {string} typed @returns {Promise<readonly Entry[]>} */
async function findRepositories(typed) {
  if (typed.startsWith("#") || (typed === "" && viewerPath() === "")) return [];
  const words = typed === "" ? "/user/repos?" : `/repos/search?q=${encodeURIComponent(typed)}&`;
  const found = await (await ask("GET", `${words}limit=${mostRepositories}`)).json();
  /** @type {readonly { full_name: string }[]} */
  const repositories = found.data ?? found;
  return repositories.map(({ full_name: name }) => ({ text: name, hint: say().palette.repository, act: () => location.assign(`/${name}`) }));
}

/** @param {string} typed @returns {Entry[]} */
function searches(typed) {
  const repository = repositoryPath();
  if (repository === undefined || typed === "" || typed.startsWith("#")) return [];
  const { palette: texts } = say();
  const lead = (/** @type {string} */ part, /** @type {string} */ hint) => ({
    text: typed,
    hint,
    act: () => location.assign(`${repository}/${part}?q=${encodeURIComponent(typed)}`),
  });
  return [lead("issues", texts.searchIssues), lead("search", texts.searchCode)];
}
