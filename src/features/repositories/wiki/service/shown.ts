import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Urls } from "../../../../core/urls.ts";
import { batchedResolver } from "../../../site/markup/batched-resolver.ts";
import type { PageTexts } from "../../../site/markup/page-texts.ts";
import type { ReferenceResolver } from "../../../site/markup/references.ts";
import type { WikiPageDetails } from "../model.ts";

export interface WikiShowDeps {
  readonly pageTexts: PageTexts;
  readonly urls: Pick<Urls, "origin">;
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

/** A page with sidebar and footer, as sanitized HTML; empty parts are empty strings. */
export interface ShownWikiPage {
  readonly html: string;
  readonly sidebar: string;
  readonly footer: string;
}

/** Larger pages are shown as source. */
const maxRenderedBytes = 1024 * 1024;

export async function showWikiPage(deps: WikiShowDeps, actor: Actor, repository: RepositorySubject, page: WikiPageDetails): Promise<ShownWikiPage> {
  const render = rendererOf(deps, actor, repository);
  const [html, sidebar, footer] = await Promise.all([render(page.content), render(page.sidebar), render(page.footer)]);
  return { html, sidebar, footer };
}

/** A text of the wiki as sanitized HTML. */
export const showWikiText = (deps: WikiShowDeps, actor: Actor, repository: RepositorySubject, content: Buffer): Promise<string> =>
  rendererOf(deps, actor, repository)(content);

function rendererOf(deps: WikiShowDeps, actor: Actor, repository: RepositorySubject): (content: Buffer) => Promise<string> {
  const { pageTexts, urls } = deps;
  const context = { kind: "wiki", origin: urls.origin, repository: { owner: repository.ownerName, name: repository.name }, ref: "", folder: "" } as const;
  const resolve = batchedResolver(deps.resolverOf(actor));
  return async (content) => {
    const text = content.toString("utf8", 0, maxRenderedBytes);
    return text.trim() === "" ? "" : pageTexts.renderMarkdown(text, context, resolve);
  };
}
