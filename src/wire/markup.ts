import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, deprecated, field, named, option, text } from "./schema.ts";

/** Rendered HTML. */
export const MarkdownRender = named("MarkdownRender", text());

export const MarkdownOption = option("MarkdownOption", {
  Text: field("Text", text(lengths.content)),
  /** `markdown`, `comment`, `gfm`, `wiki` or `file`. */
  Mode: field("Mode", text(lengths.line)),
  /** Base of links and references: `owner/repo`, or a path below the root. */
  Context: field("Context", text(lengths.address)),
  Wiki: deprecated(field("Wiki", bool())),
});
export type MarkdownOption = Static<typeof MarkdownOption>;

export const MarkupOption = option("MarkupOption", {
  Text: field("Text", text(lengths.content)),
  Mode: field("Mode", text(lengths.line)),
  Context: field("Context", text(lengths.address)),
  /** Mode `file`: its extension determines the language. */
  FilePath: field("FilePath", text(lengths.path)),
  Wiki: deprecated(field("Wiki", bool())),
});
export type MarkupOption = Static<typeof MarkupOption>;
