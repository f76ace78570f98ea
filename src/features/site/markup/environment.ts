import type { Env } from "markdown-it";
import type { Highlight } from "./code-block.ts";
import type { RenderContext } from "./context.ts";
import type { FoundReference } from "./references.ts";

/** What the rules share while one text is rendered. */
export interface Rendering {
  readonly context: RenderContext;
  /** Found so far; the text shows a mark of the same number in their place. */
  readonly references: FoundReference[];
  /** Stands in the text for a reference until the reader's rights are known. No text can contain it. */
  readonly mark: (index: number) => string;
  readonly emoji: EmojiTable | undefined;
  readonly highlight: Highlight;
}

export interface EmojiTable {
  /** Characters by their names. */
  readonly byName: ReadonlyMap<string, string>;
  /** Descriptions by their characters. */
  readonly descriptions: ReadonlyMap<string, string>;
}

const key = Symbol("rendering");

export const environmentOf = (rendering: Rendering): Env => ({ [key]: rendering });

/** @throws Error outside a rendering */
export function renderingOf(env: Env | undefined): Rendering {
  const rendering = env?.[key];
  if (rendering === undefined) throw new Error("a Markdown rule ran outside a rendering");
  return rendering as Rendering;
}
