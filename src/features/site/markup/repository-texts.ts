import type { Actor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Urls } from "../../../core/urls.ts";
import { batchedResolver } from "./batched-resolver.ts";
import type { RenderContext } from "./context.ts";
import type { PageTexts } from "./page-texts.ts";
import type { ReferenceResolver } from "./references.ts";

export interface RepositoryTextDeps {
  readonly urls: Urls;
  readonly pageTexts: PageTexts;
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

/**
 * Renders the texts of a repository page and resolves the references of all texts together.
 * @param ref for documents: the ref to whose files relative addresses lead, such as `commit/<oid>`; undefined: the texts are comments
 */
export async function renderTexts(
  deps: RepositoryTextDeps,
  actor: Actor,
  { ownerName, name }: Pick<RepositorySubject, "ownerName" | "name">,
  texts: readonly string[],
  ref?: string,
): Promise<string[]> {
  const { pageTexts, urls } = deps;
  const context: RenderContext = {
    kind: ref === undefined ? "comment" : "document",
    origin: urls.origin,
    repository: { owner: ownerName, name },
    ref: ref ?? "",
    folder: "",
  };
  const resolve = batchedResolver(deps.resolverOf(actor));
  return Promise.all(texts.map(async (text) => (text === "" ? "" : pageTexts.renderMarkdown(text, context, resolve))));
}
