import type { Env } from "markdown-it";
import type { Highlight } from "./code-block.ts";
import type { RenderContext } from "./context.ts";
import type { FoundReference } from "./references.ts";

/** State shared by the rules while one text is rendered. */
export interface Rendering {
  readonly context: RenderContext;
  /** The text as written: the parser changes line ends. */
  readonly source: string;
  /** The references found so far. The text contains a mark with the same index in place of each. */
  readonly references: FoundReference[];
  /** Placeholder for a reference until the reader's access is known. Input texts cannot contain it. */
  readonly mark: (index: number) => string;
  readonly emoji: EmojiTable | undefined;
  readonly highlight: Highlight;
}

export interface EmojiTable {
  /** Characters by name. */
  readonly byName: ReadonlyMap<string, string>;
  /** Descriptions by character. */
  readonly descriptions: ReadonlyMap<string, string>;
}

const key = Symbol("rendering");

export const environmentOf = (rendering: Rendering): Env => ({ [key]: rendering });

/** @throws Error outside of a render */
export function renderingOf(env: Env | undefined): Rendering {
  const rendering = env?.[key];
  if (rendering === undefined) throw new Error("a Markdown rule was used outside of a render");
  return rendering as Rendering;
}
