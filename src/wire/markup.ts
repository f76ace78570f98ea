import type { Static } from "typebox";
import { bool, deprecated, field, named, option, text } from "./schema.ts";

/** Rendered HTML. */
export const MarkdownRender = named("MarkdownRender", text());

export const MarkdownOption = option("MarkdownOption", {
  Text: field("Text", text()),
  /** `markdown`, `comment`, `gfm`, `wiki` or `file`. */
  Mode: field("Mode", text()),
  /** Where links lead and references count: `owner/repo`, or a path below the root. */
  Context: field("Context", text()),
  Wiki: deprecated(field("Wiki", bool())),
});
export type MarkdownOption = Static<typeof MarkdownOption>;

export const MarkupOption = option("MarkupOption", {
  Text: field("Text", text()),
  Mode: field("Mode", text()),
  Context: field("Context", text()),
  /** Mode `file`: its extension names the language. */
  FilePath: field("FilePath", text()),
  Wiki: deprecated(field("Wiki", bool())),
});
export type MarkupOption = Static<typeof MarkupOption>;
