import type { Actor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { escapeHtml } from "../../../../../core/escape-html.ts";
import type { Reader } from "../../../../../db/db.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../../site/markup/repository-texts.ts";
import { canReadIssue } from "../../rights.ts";
import { listStates } from "../store.ts";

/** Further items of a page show the reference as it is. */
const maxReferences = 300;

/** A task item that consists of a reference, in rendered text. Attributes of sanitized HTML contain no unescaped `<` or `>`. */
const referring =
  /<li class="task-list-item">(\s*)<input type="checkbox" disabled data-source-position="\d+"(?: checked)? \/>((?:<p(?: dir="auto")?>)?)(<a class="ref-issue"[^>]* href="([^"]*)"[^>]*>)([^<]*)<\/a>(?=\s*<(?:\/p|\/li|ul|ol)\b)/g;

/**
 * Renders the texts of a conversation. Task items that consist of a reference to an issue of the repository show its title, and are ticked if
 * it is closed. One statement more than `renderTexts` if there are any.
 */
export async function renderConversation(
  deps: RepositoryTextDeps & { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  texts: readonly string[],
): Promise<string[]> {
  const rendered = await renderTexts(deps, actor, repository, texts);
  const numberOf = (address: string): number | undefined => {
    const base = `${deps.urls.origin}/${repository.ownerName}/${repository.name}/`.toLowerCase();
    const rest = address.toLowerCase().startsWith(base) ? /^(?:issues|pulls)\/(\d+)$/.exec(address.slice(base.length)) : null;
    return rest === null ? undefined : Number(rest[1]);
  };
  const numbers = [...new Set(rendered.flatMap((html) => [...html.matchAll(referring)].flatMap(([, , , , address = ""]) => numberOf(address) ?? [])))];
  if (numbers.length === 0) return rendered;
  const states = await listStates(deps.db, [repository.id], numbers.slice(0, maxReferences));
  const known = new Map(states.flatMap((state) => (canReadIssue(repository, state) ? [[state.number, state]] : [])));
  return rendered.map((html) =>
    html.replace(referring, (whole, space: string, paragraph: string, link: string, address: string, shown: string) => {
      const state = known.get(numberOf(address) ?? 0);
      if (state === undefined) return whole;
      const box = `<input type="checkbox" disabled${state.isClosed ? " checked" : ""} />`;
      const title = `<span dir="auto">${escapeHtml(state.title)}</span> <span class="soft">${shown}</span>`;
      return `<li class="task-list-item${state.isClosed ? " done" : ""}">${space}${box}${paragraph}${link}${title}</a>`;
    }),
  );
}
