import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { DiffTable } from "./diff-table.tsx";
import { renderIn } from "./texts/texts.ts";

test.each([false, true])("a last line without a line break is marked, without any text that would be copied (split: %s)", (isSplit) => {
  const lines = [
    { kind: "removed", before: 1, text: "same", html: "<b>same</b>", isUnended: true },
    { kind: "added", after: 1, text: "same", html: "<b>same</b>" },
  ] as const;
  const html = renderIn("en", () => render(<DiffTable path="f" hunks={[{ heading: "", lines }]} isSplit={isSplit} />));
  const cells = html.match(/<td[^>]*>(?:(?!<\/td>).)*same.*?<\/td>/g) ?? [];
  expect(cells.map((cell) => [cell.includes('aria-label="No newline at end of file"'), cell.replace(/<[^>]*>/g, "")])).toEqual([
    [true, "same"],
    [false, "same"],
  ]);
});
