import type { Actor } from "../../../access/actor.ts";
import { invalid } from "../../../core/errors.ts";
import { repository, signedIn } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { MarkdownOption, MarkdownRender, MarkupOption } from "../../../wire/markup.ts";
import { text } from "../../../wire/schema.ts";
import { type Place, type RenderContext, type RenderKind, type RepositoryName, readPlace } from "./context.ts";
import type { ReferenceResolver } from "./references.ts";
import type { Markup } from "./service.ts";

export interface MarkupApiDeps {
  readonly markup: Markup;
  /** Root address, without a trailing slash. */
  readonly urls: { readonly origin: string };
  /** Resolves references with the caller's visibility. */
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

const maxTextBytes = 2_000_000;
const produced = raw(["text/html"], 200, MarkdownRender);
const page = (body: string) => ({ status: 200, headers: { "content-type": "text/html;charset=utf-8" }, body });

/** The API's render modes; `file` selects by file name. */
const kinds: ReadonlyMap<string, RenderKind | "file"> = new Map([
  ["", "raw"],
  ["markdown", "raw"],
  ["gfm", "document"],
  ["comment", "comment"],
  ["wiki", "wiki"],
  ["file", "file"],
]);

interface Input {
  readonly Text: string;
  readonly Mode: string;
  readonly Context: string;
  readonly Wiki: boolean;
  readonly FilePath?: string;
}

export function markupRoutes(deps: MarkupApiDeps): readonly Route[] {
  const { markup } = deps;

  /** @param home the repository in the path, for a text without a context of its own */
  async function answer(actor: Actor, input: Input, home?: RepositoryName) {
    const kind = kinds.get(input.Wiki ? "wiki" : input.Mode);
    if (kind === undefined) throw invalid(`unsupported render mode: ${input.Mode}`);
    const resolve = deps.resolverOf(actor);
    const path = input.FilePath ?? "";
    const place = readPlace(input.Context, deps.urls.origin, path);
    const context = contextOf(kind === "file" ? "document" : kind, home === undefined ? place : { ...place, repository: home });
    return page(await (kind === "file" ? markup.renderFile(path, input.Text, context, resolve) : markup.renderMarkdown(input.Text, context, resolve)));
  }

  const contextOf = (kind: RenderKind, place: Place): RenderContext => ({ kind, origin: deps.urls.origin, ...place });

  const answerRaw = async (body: string) => page(await markup.renderMarkdown(body, contextOf("raw", { repository: undefined, ref: "", folder: "" })));

  const shared = { method: "POST", tag: "miscellaneous", scope: "none", answers: produced, refusals: { 422: "validationError" } } as const;
  const inRepository = { ...shared, tag: "repository", access: repository.signedIn(), isUnlisted: true } as const;
  return [
    defineRoute({
      ...shared,
      id: "renderMarkdown",
      path: "/markdown",
      summary: "Render Markdown",
      access: signedIn,
      body: MarkdownOption,
      bodyLimitBytes: maxTextBytes,
      handle: ({ actor, body }) => answer(actor, body),
    }),
    defineRoute({
      ...shared,
      id: "renderMarkdownRaw",
      path: "/markdown/raw",
      summary: "Render plain Markdown",
      access: signedIn,
      body: text(),
      bodyLimitBytes: maxTextBytes,
      handle: ({ body }) => answerRaw(body),
    }),
    defineRoute({
      ...shared,
      id: "renderMarkup",
      path: "/markup",
      summary: "Render a text by its file name, or as Markdown",
      access: signedIn,
      body: MarkupOption,
      bodyLimitBytes: maxTextBytes,
      handle: ({ actor, body }) => answer(actor, body),
    }),
    defineRoute({
      ...inRepository,
      id: "repoRenderMarkdown",
      path: "/repos/{owner}/{repo}/markdown",
      summary: "Render Markdown in the context of a repository",
      body: MarkdownOption,
      bodyLimitBytes: maxTextBytes,
      handle: ({ actor, body, repository }) => answer(actor, body, { owner: repository.ownerName, name: repository.name }),
    }),
    defineRoute({
      ...inRepository,
      id: "repoRenderMarkdownRaw",
      path: "/repos/{owner}/{repo}/markdown/raw",
      summary: "Render plain Markdown",
      body: text(),
      bodyLimitBytes: maxTextBytes,
      handle: ({ body }) => answerRaw(body),
    }),
    defineRoute({
      ...inRepository,
      id: "repoRenderMarkup",
      path: "/repos/{owner}/{repo}/markup",
      summary: "Render markup in the context of a repository",
      body: MarkupOption,
      bodyLimitBytes: maxTextBytes,
      handle: ({ actor, body, repository }) => answer(actor, body, { owner: repository.ownerName, name: repository.name }),
    }),
  ];
}
