import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Revealed, revealedHtml } from "./revealed.tsx";

const show = (text: string): string => render(<Revealed text={text} />);

test("what turns text around or cannot be seen stands there by its name", () => {
  expect(show("if (admin\u202e \u2066// check\u2069 \u2066)")).toBe(
    'if (admin<mark class="unseen">U+202E</mark> <mark class="unseen">U+2066</mark>// check<mark class="unseen">U+2069</mark> <mark class="unseen">U+2066</mark>)',
  );
  expect(show("a\u200bb\u061c")).toBe('a<mark class="unseen">U+200B</mark>b<mark class="unseen">U+061C</mark>');
  expect(revealedHtml('<span class="k">a\u202e&lt;</span>')).toBe('<span class="k">a<mark class="unseen">U+202E</mark>&lt;</span>');
});

test.each(["", "plain text", "שלום עולם", "مرحبا", "👩\u200d💻", "a\u0301"])("%j is as it is", (text) => {
  expect([show(text), revealedHtml(text)]).toEqual([text, text]);
});
