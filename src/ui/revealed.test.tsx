import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { hasManyUnseen, Revealed, revealedHtml } from "./revealed.tsx";

const show = (text: string): string => render(<Revealed text={text} />);

test("shows direction controls and zero-width characters by name", () => {
  expect(show("if (admin\u202e \u2066// check\u2069 \u2066)")).toBe(
    'if (admin<mark class="unseen">U+202E</mark> <mark class="unseen">U+2066</mark>// check<mark class="unseen">U+2069</mark> <mark class="unseen">U+2066</mark>)',
  );
  expect(show("a\u200bb\u061c")).toBe('a<mark class="unseen">U+200B</mark>b<mark class="unseen">U+061C</mark>');
  expect(revealedHtml('<span class="k">a\u202e&lt;</span>')).toBe('<span class="k">a<mark class="unseen">U+202E</mark>&lt;</span>');
});

test.each(["", "plain text", "שלום עולם", "مرحبا", "👩\u200d💻", "a\u0301"])("leaves %j unchanged", (text) => {
  expect([show(text), revealedHtml(text)]).toEqual([text, text]);
});

test("renders a text with many such characters as one string, escaped", () => {
  const mark = '<mark class="unseen">U+200B</mark>';
  expect(show(`<b>${"\u200b".repeat(200)}`)).toBe(`<span>&lt;b&gt;${mark.repeat(200)}</span>`);
});

test("a text can have 50,000 such characters", () => {
  expect([50_000, 50_001].map((count) => hasManyUnseen("a\u200b".repeat(count)))).toEqual([false, true]);
});
