import type { Actor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { escapeHtml } from "../../../../../core/escape-html.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findRepositoriesNamed } from "../../../../repositories/repos/service/find.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../../site/markup/repository-texts.ts";
import { canReadIssue } from "../../rights.ts";
import { listStates } from "../store.ts";

/** Further items of a page show the reference as it is. */
const maxReferences = 300;

/** A task item that consists of a reference, in rendered text. Attributes of sanitized HTML contain no unescaped `<` or `>`. */
const referring =
  /<li class="task-list-item">(\s*)<input type="checkbox" disabled data-source-position="\d+"(?: checked)? \/>((?:<p(?: dir="auto")?>)?)(<a class="ref-issue"[^>]* href="([^"]*)"[^>]*>)([^<]*)<\/a>(?=\s*<(?:\/p|\/li|ul|ol)\b)/g;

/** Further repositories of a page are not looked up. */
const maxRepositories = 20;

interface Reference {
  /** `owner/name` in lower case. */
  readonly place: string;
  readonly number: number;
}

/** The issue or pull request that an address of this server leads to. */
function referenceOf(origin: string, address: string): Reference | undefined {
  if (!address.startsWith(`${origin}/`)) return undefined;
  const [, place = "", number] = /^([^/]+\/[^/]+)\/(?:issues|pulls)\/(\d{1,15})$/.exec(address.slice(origin.length + 1)) ?? [];
  return number === undefined ? undefined : { place: place.toLowerCase(), number: Number(number) };
}

/**
 * Renders the texts of a conversation. Task items that consist of a reference to an issue that the reader can see show its title. Those of the
 * same repository are ticked if the issue is closed; others keep their mark, because lists count them for all readers. If there are references,
 * one statement more than `renderTexts`, and another one if some lead to other repositories.
 */
export async function renderConversation(
  deps: RepositoryTextDeps & { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  texts: readonly string[],
): Promise<string[]> {
  const rendered = await renderTexts(deps, actor, repository, texts);
  const { origin } = deps.urls;
  const references = rendered.flatMap((html) => [...html.matchAll(referring)].flatMap(([, , , , address = ""]) => referenceOf(origin, address) ?? []));
  if (references.length === 0) return rendered;
  const own = repository.fullName.toLowerCase();
  const others = [...new Set(references.map(({ place }) => place))].filter((place) => place !== own).slice(0, maxRepositories);
  const named = others.map((place) => place.split("/") as [string, string]);
  const places = new Map(others.length === 0 ? [] : await findRepositoriesNamed(deps, named, actor)).set(own, repository);
  const numbers = [...new Set(references.map(({ number }) => number))].slice(0, maxReferences);
  const ids = [...places.values()].map(({ id }) => id);
  const states = new Map((await listStates(deps.db, ids, numbers)).map((state) => [`${state.repoId}#${state.number}`, state]));
  return rendered.map((html) =>
    html.replace(referring, (whole, space: string, paragraph: string, link: string, address: string, shown: string) => {
      const reference = referenceOf(origin, address);
      const place = reference && places.get(reference.place);
      const state = reference && place && states.get(`${place.id}#${reference.number}`);
      if (state === undefined || place === undefined || !canReadIssue(place, state)) return whole;
      const isTicked = place === repository ? state.isClosed : whole.includes(" checked");
      const box = `<input type="checkbox" disabled${isTicked ? " checked" : ""} />`;
      const title = `<span dir="auto">${escapeHtml(state.title)}</span> <span class="soft">${shown}</span>`;
      return `<li class="task-list-item${place === repository && isTicked ? " done" : ""}">${space}${box}${paragraph}${link}${title}</a>`;
    }),
  );
}
