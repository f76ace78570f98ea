import { render } from "preact-render-to-string";
import type { Actor } from "../../../access/actor.ts";
import { signedIn } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Rendered } from "../../../ui/rendered.tsx";
import { languageFor, renderIn } from "../../../ui/texts/texts.ts";
import { choice, inPlace, optional, text } from "../../../wire/schema.ts";
import { readPlace } from "./context.ts";
import { listEmoji } from "./emoji.ts";
import type { PageTexts } from "./page-texts.ts";
import type { ReferenceResolver } from "./references.ts";

export interface PreviewDeps {
  readonly pageTexts: PageTexts;
  /** Root address, without a trailing slash. */
  readonly urls: { readonly origin: string };
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

const PreviewForm = inPlace({ text: text(), repository: text(), kind: optional(choice("wiki")) });

/** The preview of text fields, and the emoji that they complete. */
export const writingPages = ({ pageTexts, urls, resolverOf }: PreviewDeps): readonly Route[] => [
  defineRoute({
    id: "previewMarkdown",
    method: "POST",
    mount: "root",
    path: "/-/preview",
    tag: "miscellaneous",
    summary: "A comment as pages show it",
    isUnlisted: true,
    isPage: true,
    access: signedIn,
    scope: "none",
    answers: raw(["text/html"]),
    body: PreviewForm,
    handle: async (request) => {
      const { actor, body } = request;
      const context = { kind: body.kind ?? "comment", origin: urls.origin, ...readPlace(body.repository, urls.origin), ref: "", folder: "" } as const;
      const html = await pageTexts.renderMarkdown(body.text, context, resolverOf(actor));
      const language = languageFor(pageReader(request).languages);
      return {
        status: 200,
        headers: {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
          "cache-control": "private, no-store",
        },
        body: renderIn(language, () => render(<Rendered html={html} />)),
      };
    },
  }),
  defineRoute({
    ...openDocument,
    id: "emojiNames",
    path: "/-/emoji",
    summary: "The names of emoji, for completion in text fields",
    answers: raw(["application/json"]),
    handle: async () => ({
      status: 200,
      headers: { "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" },
      body: JSON.stringify(await listEmoji()),
    }),
  }),
];
