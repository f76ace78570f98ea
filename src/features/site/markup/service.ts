import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { invalid } from "../../../core/errors.ts";
import { escapeHtml } from "../../../core/escape-html.ts";
import type { Log } from "../../../core/log.ts";
import { createSingleFlight } from "../../../core/single-flight.ts";
import { contextKey, type RenderContext } from "./context.ts";
import { isQuick } from "./cost.ts";
import { plainText } from "./escape.ts";
import { type FileKind, fileKind, type TableKind } from "./file-kinds.ts";
import { type MediaOptions, withOwnMedia } from "./foreign-media.ts";
import type { CodePiece } from "./jobs.ts";
import { byPattern, linkReference, type ReferenceResolver } from "./references.ts";
import type { Rendered } from "./render.ts";
import { renderTableFile } from "./table-file.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface MarkupOptions {
  /** Size of the cache of rendered texts, in UTF-16 units. */
  readonly cacheSize: number;
  /** Longer texts are returned as source. */
  readonly maxTextLength: number;
}

export const defaultOptions: MarkupOptions = { cacheSize: 8_000_000, maxTextLength: 1_000_000 };

/**
 * Renders user input as safe HTML. No text makes it fail, block the event loop or exceed its time limit; a text that would is
 * returned as source.
 */
export interface Markup {
  /** @param resolve decides which references become links for the reader; by default those that need no lookup */
  renderMarkdown(text: string, context: RenderContext, resolve?: ReferenceResolver): Promise<string>;
  /** Renders a file by its extension. @throws ForgeError `invalid` for an unsupported one */
  renderFile(path: string, text: string, context: RenderContext, resolve?: ReferenceResolver): Promise<string>;
  /** Highlights code; undefined for a language without a grammar, and for code that takes too long. */
  highlight(code: string, language: string): Promise<string | undefined>;
  /** The same for several pieces, which share one time limit. */
  highlightAll(pieces: readonly CodePiece[]): Promise<readonly (string | undefined)[]>;
}

export interface MarkupDeps {
  readonly log: Log;
  readonly workers: WorkerPool;
  /** The path of this server that loads an image of another host on a page. By default such an image becomes its alternative text. */
  readonly pathOfImage?: MediaOptions["pathOfImage"];
}

export function createMarkup({ log, workers, pathOfImage = () => undefined }: MarkupDeps, options: Partial<MarkupOptions> = {}): Markup {
  const settings = { ...defaultOptions, ...options };
  const cache = new LRUCache<string, Rendered>({ maxSize: settings.cacheSize, sizeCalculation: sizeOf });
  /** Concurrent readers share one rendering. */
  const flights = createSingleFlight();

  async function renderedOf(format: FileKind, text: string, context: RenderContext): Promise<Rendered> {
    const key = `${format} ${createHash("sha256").update(text).digest("base64")} ${contextKey(context)}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    return flights.run(key, undefined, () => renderFresh(format, text, context, key));
  }

  async function renderFresh(format: FileKind, text: string, context: RenderContext, key: string): Promise<Rendered> {
    const asWritten = (): Rendered => ({ pieces: [plainText(text)], references: [] });
    if (text.length > settings.maxTextLength) return asWritten();
    if (isQuick(text)) {
      const rendered = shownIn(context, isTable(format) ? renderTable(text, format) : await (await loadRenderer()).renderText(format, text, context));
      cache.set(key, rendered);
      return rendered;
    }
    const outcome = await workers.run(isTable(format) ? { kind: "table", text, isTabbed: format === "tab" } : { kind: "text", format, text, context });
    const rendered = outcome.kind === "done" ? shownIn(context, outcome.value) : asWritten();
    if (outcome.kind !== "done") log.warn({ reason: outcome.reason, length: text.length }, "a text is returned as source: it could not be rendered in time");
    if (outcome.kind !== "unavailable") cache.set(key, rendered);
    return rendered;
  }

  function shownIn({ isPage, origin }: RenderContext, { pieces, references }: Rendered): Rendered {
    return { pieces: isPage === true ? pieces.map(withOwnMedia({ origin, pathOfImage })) : pieces, references };
  }

  async function renderLinked(format: FileKind, text: string, context: RenderContext, resolve: ReferenceResolver = byPattern): Promise<string> {
    const { pieces, references } = await renderedOf(format, text, context);
    if (references.length === 0) return pieces[0] ?? "";
    const isLink = await resolve(references.map(({ reference }) => reference));
    const linked = references.map((found, at) => (isLink[at] === true ? linkReference(found, context.origin) : escapeHtml(found.text)));
    return pieces.map((piece, at) => piece + (linked[at] ?? "")).join("");
  }

  async function highlightAll(pieces: readonly CodePiece[]): Promise<readonly (string | undefined)[]> {
    if (pieces.length === 0) return [];
    const outcome = await workers.run({ kind: "highlight", pieces });
    return outcome.kind === "done" ? outcome.value : pieces.map(() => undefined);
  }

  return {
    renderMarkdown: (text, context, resolve) => renderLinked("markdown", text, context, resolve),
    renderFile: async (path, text, context, resolve) => {
      const kind = fileKind(path);
      if (kind === undefined) throw invalid("unable to find a render");
      return renderLinked(kind, text, context, resolve);
    },
    highlight: async (code, language) => (await highlightAll([{ code, language }]))[0],
    highlightAll,
  };
}

let isLoaded = false;

/** Loading the renderer takes as long as rendering a long text, so the first text is rendered in the next turn of the event loop. */
async function loadRenderer(): Promise<typeof import("./render.ts")> {
  const renderer = await import("./render.ts");
  if (!isLoaded) await setImmediate();
  isLoaded = true;
  return renderer;
}

const isTable = (format: FileKind): format is TableKind => format === "comma" || format === "tab";

const renderTable = (text: string, format: TableKind): Rendered => ({ pieces: [renderTableFile(text, format === "tab")], references: [] });

const sizeOf = ({ pieces, references }: Rendered): number => 1 + pieces.reduce((sum, piece) => sum + piece.length, 0) + references.length * 100;
