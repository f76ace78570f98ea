import type { Mistake } from "../core/workflow-mistakes.ts";
import type { Html } from "./html.ts";
import { fillText } from "./texts/fill.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

/** A mistake in the reader's language. The English message follows if it is of an unknown kind. */
export function MistakeText({ line, column, message, within = [], kind, values = {} }: Mistake): Html {
  const texts = useTexts(sharedTexts).mistakes;
  const known = kind === undefined ? undefined : texts.kinds[kind];
  if (known === undefined) {
    const summary = line === undefined ? texts.unknown : fillText(texts.unknownAt, { line: String(line), column: String(column ?? 1) });
    return (
      <>
        {summary} <code lang="en">{message}</code>
      </>
    );
  }
  const { expected, type } = values;
  const types: Readonly<Record<string, string>> = texts.types;
  return (
    <>
      {within.map((part) => (
        <>
          <code>{part}</code>:{" "}
        </>
      ))}
      {fillText(known, { ...values, ...(type !== undefined && { expected: types[expected ?? ""] ?? expected ?? "", type: types[type] ?? type }) })}
    </>
  );
}
