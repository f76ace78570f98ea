import { ask, repositoryPath } from "./page.js";

const most = 8;

/** @typedef {{ number: number, title: string, path: string }} SuggestedIssue */

/**
 * Issues and pull requests of the repository, by number or words of their titles.
 * @param {string} typed
 * @returns {Promise<readonly SuggestedIssue[]>}
 */
export async function suggestIssues(typed) {
  const repository = repositoryPath();
  if (repository === undefined) return [];
  const response = await fetch(`${repository}/issues/suggestions?q=${encodeURIComponent(typed)}`);
  return response.ok ? response.json() : [];
}

/**
 * Users; first those who are mentioned on the page.
 * @param {string} typed the beginning of a name
 * @returns {Promise<readonly { name: string, fullName: string }[]>}
 */
export async function suggestPeople(typed) {
  const here = [...document.querySelectorAll("main [data-person]")].map((element) => element.getAttribute("data-person") ?? "");
  const near = [...new Set(here)].filter((name) => name.toLowerCase().startsWith(typed.toLowerCase())).map((name) => ({ name, fullName: "" }));
  if (typed === "") return near.slice(0, most);
  const { data } = await (await ask("GET", `/users/search?q=${encodeURIComponent(typed)}&limit=${most}`)).json();
  const others = data.map((/** @type {{ login: string, full_name: string }} */ { login, full_name }) => ({ name: login, fullName: full_name }));
  const known = new Map(others.map((/** @type {{ name: string }} */ person) => [person.name, person]));
  return [
    ...near.map(({ name }) => known.get(name) ?? { name, fullName: "" }),
    ...others.filter((/** @type {{ name: string }} */ { name }) => !here.includes(name)),
  ].slice(0, most);
}

/** @type {Promise<readonly (readonly [character: string, names: readonly string[]])[]> | undefined} */
let emoji;

/**
 * Emoji by name; first those whose name begins with the typed part.
 * @param {string} typed part of a name
 * @returns {Promise<readonly { character: string, name: string }[]>}
 */
export async function suggestEmoji(typed) {
  emoji ??= fetch("/-/emoji").then((response) => response.json());
  const wanted = typed.toLowerCase();
  const found = (await emoji).flatMap(([character, names]) => names.filter((name) => name.includes(wanted)).map((name) => ({ character, name })));
  const begin = (/** @type {{ name: string }} */ { name }) => (name.startsWith(wanted) ? 0 : 1);
  return found.sort((a, b) => begin(a) - begin(b) || a.name.length - b.name.length).slice(0, most);
}
