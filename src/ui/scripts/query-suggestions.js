import { ask } from "./page.js";
import { suggestPeople } from "./suggestions.js";

const most = 8;

/** Values of qualifiers that are the same everywhere. @type {Readonly<Record<string, readonly string[]>>} */
const fixed = {
  is: ["open", "closed", "issue", "pr", "merged", "unmerged", "draft", "locked", "pinned"],
  state: ["open", "closed"],
  type: ["issue", "pr"],
  no: ["label", "milestone", "assignee"],
  has: ["label", "milestone", "assignee"],
  draft: ["true", "false"],
  linked: ["issue", "pr"],
  review: ["none", "required", "approved", "changes_requested"],
  reason: ["completed", "not planned", "duplicate"],
  in: ["title", "body", "comments"],
  sort: ["created", "created-asc", "updated", "updated-asc", "comments", "comments-asc"],
  created: [">@today-7d", ">@today-1m", ">@today-1y"],
  updated: [">@today-7d", ">@today-1m", ">@today-1y"],
  closed: [">@today-7d", ">@today-1m", ">@today-1y"],
  merged: [">@today-7d", ">@today-1m", ">@today-1y"],
  comments: ["0", ">0", ">10"],
};
const people = ["author", "assignee", "mentions", "commenter", "involves", "review-requested", "reviewed-by"];
const names = ["label", "milestone", "repo", "org", "base", "head"];
const qualifiers = [...Object.keys(fixed), ...people, ...names];

/**
 * Suggestions for a search: a qualifier, or a value of one.
 * @param {string | undefined} key the qualifier before the typed part
 * @param {string} typed the beginning of a value, perhaps in quotes, or of a qualifier
 * @returns {Promise<readonly { insert: string, text: string, hint: string }[]>}
 */
export async function suggestQuery(key, typed) {
  const wanted = typed.replace(/^"/, "").toLowerCase();
  const begins = (/** @type {string} */ text) => text.toLowerCase().startsWith(wanted);
  if (key === undefined || key === "")
    return typed === ""
      ? []
      : qualifiers
          .filter(begins)
          .slice(0, most)
          .map((text) => ({ insert: `${text}:`, text: `${text}:`, hint: "" }));
  const found = await valuesOf(key, wanted);
  return found
    .filter(({ name }) => begins(name) && name !== typed)
    .slice(0, most)
    .map(({ name, hint }) => ({ insert: `${quoted(name)} `, text: name, hint }));
}

/** @param {string} key @param {string} typed @returns {Promise<readonly { name: string, hint: string }[]>} */
async function valuesOf(key, typed) {
  const plain = (/** @type {string} */ name) => ({ name, hint: "" });
  if (Object.hasOwn(fixed, key)) return (fixed[key] ?? []).map(plain);
  if (people.includes(key)) {
    const found = typed.startsWith("@") ? [] : await suggestPeople(typed);
    return [plain("@me"), ...found.map(({ name, fullName }) => ({ name, hint: fullName }))];
  }
  if (key === "label" || key === "milestone")
    return [...document.querySelectorAll(`.filter[data-key="${key}"] [data-value]`)].map((entry) => plain(entry.getAttribute("data-value") ?? ""));
  if (key === "repo" && typed.length > 0) {
    const { data } = await (await ask("GET", `/repos/search?limit=${most}&q=${encodeURIComponent(typed.split("/").at(-1) ?? "")}`)).json();
    return data.map((/** @type {{ full_name: string, description: string }} */ { full_name, description }) => ({ name: full_name, hint: description }));
  }
  return [];
}

/** @param {string} name */
const quoted = (name) => (/^[^\s",:]+$|^>?@/.test(name) ? name : `"${name.replaceAll('"', "")}"`);
