import type { Html } from "./html.ts";
import { type SharedTexts, sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

/** A kind of name, whose characters the hint of its field describes. */
export type NameKind = keyof SharedTexts["forms"]["names"];

/** The hint of a field, followed by the characters of its kind of name. */
export function useHint(hint: Html, kind: NameKind | undefined): Html {
  const { names } = useTexts(sharedTexts).forms;
  if (kind === undefined) return hint;
  return hint === undefined ? names[kind] : `${hint} ${names[kind]}`;
}
