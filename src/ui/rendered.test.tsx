import { render } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { expensiveHeadings } from "../../test/kit/expensive-texts.ts";
import { ContentsMenu, Rendered, type RenderedProps } from "./rendered.tsx";
import { renderIn } from "./texts/texts.ts";

const show = (props: RenderedProps, language: "en" | "de" = "en"): string =>
  renderIn(language, () => render(<Rendered {...props} />)).replace(/<svg.*?<\/svg>/g, "<svg/>");
const showMenu = (props: RenderedProps): string => renderIn("en", () => render(<ContentsMenu {...props} />)).replace(/<svg.*?<\/svg>/g, "<svg/>");
const headings = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<h${(at % 3) + 1} id="user-content-h${at}">H ${at}</h${(at % 3) + 1}>`).join("\n");

test("headings are one level below the page's, and link to themselves", () => {
  expect(show({ html: '<h1 id="user-content-a"><code>A</code> &amp; b</h1><h6 align="center" id="user-content-c">c</h6><h2>no id</h2>' })).toBe(
    '<div class="markdown"><h2 id="user-content-a"><code>A</code> &amp; b<a class="anchor" href="#user-content-a" aria-label="Link to this heading"><svg/></a></h2>' +
      '<h6 align="center" id="user-content-c">c<a class="anchor" href="#user-content-c" aria-label="Link to this heading"><svg/></a></h6><h3>no id</h3></div>',
  );
});

test("a text that was shown before is shown in the language of each reader", () => {
  const html = headings(3);
  const shown = [show({ html }), show({ html }, "de"), show({ html }), show({ html }, "de")];
  expect(shown[0]).toContain('aria-label="Link to this heading"');
  expect(shown[1]).not.toContain('aria-label="Link to this heading"');
  expect(shown.slice(2)).toEqual(shown.slice(0, 2));
  expect(showMenu({ html })).toContain(">H 2</a>");
});

describe("the menu of contents", () => {
  test("lists the headings of a document with at least three", () => {
    expect(showMenu({ html: headings(3) })).toContain(
      '<details class="menu contents"><summary class="button small"><svg/><span class="text">Contents</span></summary><nav class="sheet" aria-label="Contents"><ul><li data-depth="0"><a href="#user-content-h0">H 0</a></li><li data-depth="1"><a href="#user-content-h1">H 1</a></li>',
    );
    expect(showMenu({ html: headings(2) })).toBe("");
  });

  test("contains the words of headings without their elements, and at most 300", () => {
    expect(showMenu({ html: `<h1 id="user-content-x"><a href="/b"><img src="/a.png" /> X &lt;y&gt;</a></h1>${headings(1_000)}` })).toContain(
      '<a href="#user-content-x">X &lt;y&gt;</a>',
    );
    expect(showMenu({ html: headings(1_000) }).match(/<li /g)).toHaveLength(300);
  });
});

test.each([
  ["note", "Note", "Hinweis"],
  ["tip", "Tip", "Tipp"],
  ["important", "Important", "Wichtig"],
  ["warning", "Warning", "Warnung"],
  ["caution", "Caution", "Vorsicht"],
])("the alert %s has an icon and a title in the language of the page", (kind, english, german) => {
  const html = `<blockquote class="attention-header attention-${kind}"><p><strong class="attention-${kind}">${english}</strong></p>\n<p>x</p></blockquote>`;
  expect(show({ html })).toContain(`<p class="alert-title attention-${kind}"><svg/>${english}</p>`);
  expect(show({ html }, "de")).toContain(`<p class="alert-title attention-${kind}"><svg/>${german}</p>`);
});

test("code blocks name their language", () => {
  const code = (language: string): string =>
    `<div class="code-block-container code-overflow-scroll"><pre class="code-block"><code class="chroma language-${language} display">x</code></pre></div>`;
  expect(show({ html: code("c++") })).toContain('<span class="code-language">c++</span><pre class="code-block" tabindex="0">');
  expect(show({ html: code("text") })).not.toContain("code-language");
});

test("elements are added to the first 1,000 headings and alerts of a text", () => {
  const alert = '<blockquote class="attention-header attention-tip"><p><strong class="attention-tip">Tip</strong></p>\n</blockquote>';
  const html = show({ html: headings(3_000) + alert.repeat(3_000) });
  expect([html.match(/class="anchor"/g)?.length, html.match(/class="alert-title/g)?.length]).toEqual([1_000, 1_000]);
  expect([html.match(/<h[234]/g)?.length, html.match(/<strong/g)?.length]).toEqual([3_000, 2_000]);
});

test.each(Object.entries(expensiveHeadings))("a hostile document with %s keeps its text, and the menu has at most 300 headings", (_name, html) => {
  const shown = show({ html });
  expect([shown.length >= html.length, shown.length < html.length + 300_000]).toEqual([true, true]);
  expect(showMenu({ html }).match(/<li /g)?.length ?? 0).toBeLessThanOrEqual(300);
});
