import type { Actor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Urls } from "../../../core/urls.ts";
import { batchedResolver } from "../../markup/batched-resolver.ts";
import type { RenderContext } from "../../markup/context.ts";
import { withoutForeignMedia } from "../../markup/foreign-media.ts";
import type { ReferenceResolver } from "../../markup/references.ts";
import type { Markup } from "../../markup/service.ts";

export interface ConversationDeps {
  readonly urls: Urls;
  readonly markup: Markup;
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

/** What people wrote on one page, rendered: the references of all texts are looked up together. */
export async function renderTexts(
  deps: ConversationDeps,
  actor: Actor,
  { ownerName, name }: Pick<RepositorySubject, "ownerName" | "name">,
  texts: readonly string[],
): Promise<string[]> {
  const { markup, urls } = deps;
  const context: RenderContext = { kind: "comment", origin: urls.origin, repository: { owner: ownerName, name }, ref: "", folder: "" };
  const resolve = batchedResolver(deps.resolverOf(actor));
  return Promise.all(texts.map(async (text) => (text === "" ? "" : withoutForeignMedia(await markup.renderMarkdown(text, context, resolve), urls.origin))));
}
