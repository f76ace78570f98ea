import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { escapeHtml, unescapeHtml } from "../../../core/escape-html.ts";
import type { Log } from "../../../core/log.ts";
import type { RenderContext } from "./context.ts";
import type { Formula, FormulaResult } from "./jobs.ts";
import type { ReferenceResolver } from "./references.ts";
import type { Markup } from "./service.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** Renders texts for pages, like `Markup`. Formulas become MathML. */
export interface PageTexts {
  renderMarkdown(text: string, context: RenderContext, resolve?: ReferenceResolver): Promise<string>;
  renderFile(path: string, text: string, context: RenderContext, resolve?: ReferenceResolver): Promise<string>;
}

export interface PageTextDeps {
  readonly log: Log;
  readonly workers: WorkerPool;
  readonly markup: Markup;
}

/** Further formulas of a text are shown as source. */
export const maxFormulas = 1_000;
const maxLength = 50_000;
/** Size of the cache of formulas, in UTF-16 units. */
const cacheSize = 4_000_000;

/** A formula of rendered text, inline or as a block. Attributes and texts of sanitized HTML contain no unescaped `<` or `>`. */
const formula =
  /<div class="code-block-container code-overflow-scroll"><pre class="code-block is-loading"><code class="(?:chroma )?language-math display">([^<]*)<\/code><\/pre><\/div>|<code class="language-math( display)?">([^<]*)<\/code>/g;

export function createPageTexts({ log, workers, markup }: PageTextDeps): PageTexts {
  /** By the formulas of a text: one that takes too long affects only texts that contain it. */
  const cache = new LRUCache<string, readonly FormulaResult[]>({ maxSize: cacheSize, sizeCalculation: sizeOf });

  async function withFormulas(html: string): Promise<string> {
    const formulas = findFormulas(html);
    if (formulas.length === 0) return html;
    const results = await resultsOf(formulas);
    let at = 0;
    return html.replace(formula, (asSource) => withResult(asSource, results[at++]));
  }

  async function resultsOf(formulas: readonly Formula[]): Promise<readonly FormulaResult[]> {
    const key = createHash("sha256").update(JSON.stringify(formulas)).digest("base64");
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const outcome = await workers.run({ kind: "formulas", formulas });
    const results = outcome.kind === "done" ? outcome.value : [];
    if (outcome.kind !== "done")
      log.warn({ reason: outcome.reason, formulas: formulas.length }, "formulas are shown as source: they could not be rendered in time");
    if (outcome.kind !== "unavailable") cache.set(key, results);
    return results;
  }

  const onPage = (context: RenderContext): RenderContext => ({ ...context, isPage: true });
  return {
    renderMarkdown: async (text, context, resolve) => withFormulas(await markup.renderMarkdown(text, onPage(context), resolve)),
    renderFile: async (path, text, context, resolve) => withFormulas(await markup.renderFile(path, text, onPage(context), resolve)),
  };
}

/** The first formulas of rendered text, within the limits. */
function findFormulas(html: string): Formula[] {
  const formulas: Formula[] = [];
  let length = 0;
  for (const [, block, isDisplay, inline] of html.matchAll(formula)) {
    const source = unescapeHtml(block ?? inline ?? "").trim();
    length += source.length;
    if (formulas.length === maxFormulas || length > maxLength) break;
    formulas.push({ source, isDisplay: block !== undefined || isDisplay !== undefined });
  }
  return formulas;
}

function withResult(asSource: string, result: FormulaResult | undefined): string {
  if (result === undefined) return asSource;
  return "html" in result ? result.html : asSource.replace("<code ", `<code title="${escapeHtml(result.problem)}" `);
}

const sizeOf = (results: readonly FormulaResult[]): number =>
  results.reduce((sum, result) => sum + 20 + ("html" in result ? result.html : result.problem).length, 1);
