import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { codeBlock } from "./code-block.ts";
import type { RenderContext } from "./context.ts";
import { emojiFor } from "./emoji.ts";
import { environmentOf, type Rendering } from "./environment.ts";
import type { TextFormat } from "./file-kinds.ts";
import { parserFor } from "./parser.ts";
import type { FoundReference } from "./references.ts";
import { fenceLanguage } from "./rules/code-blocks.ts";
import { sanitize } from "./sanitize.ts";

/** Safe HTML with gaps: the reference with the same index belongs after each chunk. The same for every reader. */
export interface Rendered {
  readonly pieces: readonly string[];
  readonly references: readonly FoundReference[];
}

/** Highlights the code blocks of a text; without it they are plain. */
export interface Highlighter {
  loadGrammars(languages: Iterable<string>): Promise<void>;
  highlightCode(code: string, language: string): string | undefined;
}

/** Renders a text without a time limit: `service.ts` decides which thread runs it. */
export function renderText(format: TextFormat, text: string, context: RenderContext, highlighter?: Highlighter): Promise<Rendered> {
  return format === "org" ? renderOrg(text, context, highlighter) : render(text, context, highlighter);
}

async function renderOrg(text: string, context: RenderContext, highlighter?: Highlighter): Promise<Rendered> {
  const { orgHtml, orgLanguages } = await import("./org/document.ts");
  await highlighter?.loadGrammars(orgLanguages(text));
  const html = orgHtml(text, (code, language) => codeBlock(code, language, (...given) => highlighter?.highlightCode(...given)));
  return { pieces: [sanitize(html, context)], references: [] };
}

/** Longer texts are parsed, rendered and sanitized in separate turns of the event loop. */
const turnLength = 1_000;

/** Renders Markdown. */
export async function render(text: string, context: RenderContext, highlighter?: Highlighter): Promise<Rendered> {
  const nonce = `m${randomBytes(12).toString("hex")}`;
  const rendering: Rendering = {
    context,
    source: text,
    references: [],
    mark: (index) => `${nonce}-${index}-`,
    emoji: context.kind === "raw" ? undefined : await emojiFor(text),
    highlight: (code, language) => highlighter?.highlightCode(code, language),
  };
  const parser = parserFor(context.kind);
  const env = environmentOf(rendering);
  const tokens = parser.parse(text, env);
  if (text.length > turnLength) await setImmediate();
  await highlighter?.loadGrammars(tokens.filter(({ type }) => type === "fence").map(fenceLanguage));
  const rendered = parser.renderer.render(tokens, parser.options, env);
  if (text.length > turnLength) await setImmediate();
  const html = sanitize(rendered, context);
  return { ...fill(html, new RegExp(`${nonce}-(\\d+)-`), rendering.references) };
}

/** Splits HTML at its marks. A reference is lost if its mark was removed together with the surrounding element. */
function fill(html: string, mark: RegExp, found: readonly FoundReference[]): Rendered {
  const parts = html.split(mark);
  const pieces: string[] = [];
  const references: FoundReference[] = [];
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) pieces.push(part);
    else references.push(found[Number(part)] as FoundReference);
  }
  return { pieces, references };
}
