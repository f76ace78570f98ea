import { describe, expect, test } from "vitest";
import { type RenderContext, type RenderKind, readPlace } from "./context.ts";
import * as highlighter from "./highlight.ts";
import { byPattern, linkReference } from "./references.ts";
import { render } from "./render.ts";

const origin = "http://forge.example";
const contextOf = (kind: RenderKind, more: Partial<RenderContext> = {}): RenderContext => ({
  kind,
  origin,
  repository: { owner: "alice", name: "demo" },
  ref: "",
  folder: "",
  ...more,
});

/** Renders like the service, with links for the references that need no lookup. */
async function htmlOf(text: string, context: RenderContext): Promise<string> {
  const { pieces, references } = await render(text, context, highlighter);
  const isLink = await byPattern(references.map(({ reference }) => reference));
  return pieces
    .map((piece, at) => piece + (references[at] === undefined ? "" : isLink[at] ? linkReference(references[at], origin) : references[at].text))
    .join("");
}

/** Ignores whitespace between tags. */
const squeezed = (html: string): string => html.replace(/>\n+</g, "><").replace(/\n/g, " ").trim();
const documentOf = async (text: string, more?: Partial<RenderContext>): Promise<string> => squeezed(await htmlOf(text, contextOf("document", more)));

describe("Markdown", () => {
  test.each([
    ["# Title", '<h1 id="user-content-title">Title</h1>'],
    ["## Sub *title*", '<h2 id="user-content-sub-title">Sub <em>title</em></h2>'],
    ["para one\npara two", '<p dir="auto">para one para two</p>'],
    ["a  \nb", '<p dir="auto">a<br /> b</p>'],
    ["**bold** _it_ ~~gone~~ `code`", '<p dir="auto"><strong>bold</strong> <em>it</em> <del>gone</del> <code>code</code></p>'],
    ["- a\n- b\n  - c", '<ul dir="auto"><li>a</li><li>b <ul><li>c</li></ul></li></ul>'],
    ["1. one\n2. two", '<ol dir="auto"><li>one</li><li>two</li></ol>'],
    ["7. seven", '<ol start="7" dir="auto"><li>seven</li></ol>'],
    ["> quote\n> more", '<blockquote><p dir="auto">quote more</p></blockquote>'],
    ["    indented", "<pre><code>indented </code></pre>"],
    ['[link](https://example.org "t")', '<p dir="auto"><a title="t" href="https://example.org" rel="nofollow">link</a></p>'],
    ["[ref][r]\n\n[r]: https://r.example.org", '<p dir="auto"><a href="https://r.example.org" rel="nofollow">ref</a></p>'],
    ["<https://auto.example.org>", '<p dir="auto"><a href="https://auto.example.org" rel="nofollow">https://auto.example.org</a></p>'],
    [
      "| a | b |\n|---|:-:|\n| 1 | 2 |",
      '<table><thead><tr><th>a</th><th align="center">b</th></tr></thead><tbody><tr><td>1</td><td align="center">2</td></tr></tbody></table>',
    ],
    ["---", "<hr />"],
    ["&copy; &amp; <", '<p dir="auto">© &amp; &lt;</p>'],
    ["\\*esc\\*", '<p dir="auto">*esc*</p>'],
    ["H~2~O and ~~~x~~~", '<p dir="auto">H<del>2</del>O and ~~~x~~~</p>'],
    ["~~a~ b~~", '<p dir="auto"><del>a~ b</del></p>'],
    ["line <br> break", '<p dir="auto">line <br /> break</p>'],
    ["<details><summary>S</summary>\n\nbody\n\n</details>", '<details><summary>S</summary><p dir="auto">body</p></details>'],
    ["<!-- comment -->x", "x"],
    ["Term\n: Def", "<dl><dt>Term</dt><dd>Def</dd></dl>"],
    ["", ""],
    ["\u0000", '<p dir="auto">\ufffd</p>'],
  ])("%j", async (text, expected) => {
    expect(squeezed(await htmlOf(text, contextOf("document")))).toBe(expected);
  });

  test("headings get ids of their own in any script", async () => {
    expect(await documentOf("# Dup\n\n# Dup\n\n# Dup-1\n\n# 日本 Ünï!\n\n# !?\n\n# `code` ![pic](x)")).toBe(
      '<h1 id="user-content-dup">Dup</h1><h1 id="user-content-dup-1">Dup</h1><h1 id="user-content-dup-1-1">Dup-1</h1>' +
        '<h1 id="user-content-日本-ünï">日本 Ünï!</h1><h1 id="user-content-heading">!?</h1>' +
        '<h1 id="user-content-code"><code>code</code> <a href="http://forge.example/alice/demo/src/x" rel="nofollow noopener" target="_blank"><img alt="pic" loading="lazy" src="http://forge.example/alice/demo/media/x" /></a></h1>',
    );
  });

  test("tasks contain the byte position of their marks", async () => {
    const text = "é\n\n- [ ] todo\n- [x] done\n- [X]\n- [ ]\n- [] no\n  1. [x] deep\n\n     more";
    const html = await documentOf(text);
    const boxes = [...html.matchAll(/<li class="task-list-item"><input type="checkbox" disabled data-source-position="(\d+)"( checked)? \/>(\w+|<p)/g)];
    expect(boxes.map(([, position, checked, words]) => [Number(position), checked !== undefined, words])).toEqual([
      [6, false, "todo"],
      [17, true, "done"],
      [51, true, "<p"],
    ]);
    const bytes = Buffer.from(text);
    for (const [, position] of boxes) expect(bytes.subarray(Number(position), Number(position) + 3).toString()).toMatch(/^\[[ x]\]$/);
    expect(html).toContain("<li>[X]</li><li>[ ]</li><li>[] no");
  });

  test("positions of tasks count the line ends of the text", async () => {
    const html = await documentOf("- [ ] one\r\n- [ ] two\r- [ ] three\n- [ ] four");
    expect([...html.matchAll(/data-source-position="(\d+)"/g)].map(([, position]) => Number(position))).toEqual([2, 13, 23, 35]);
  });

  test("footnotes are numbered and listed at the end", async () => {
    expect(await documentOf("a[^1] b[^big] c[^1] d[^no]\n\n[^1]: note\n\n[^big]: one\n\n    two")).toBe(
      '<p dir="auto">a<sup id="fnref:user-content-1"><a href="#fn:user-content-1" rel="nofollow">1 </a></sup> b<sup id="fnref:user-content-big"><a href="#fn:user-content-big" rel="nofollow">2 </a></sup> c<sup id="fnref1:user-content-1"><a href="#fn:user-content-1" rel="nofollow">1 </a></sup> d[^no]</p>' +
        '<div><hr /><ol><li id="fn:user-content-1"><p dir="auto">note <a href="#fnref:user-content-1" rel="nofollow">↩︎</a> <a href="#fnref1:user-content-1" rel="nofollow">↩︎</a></p></li>' +
        '<li id="fn:user-content-big"><p dir="auto">one</p><p dir="auto">two <a href="#fnref:user-content-big" rel="nofollow">↩︎</a></p></li></ol></div>',
    );
  });

  test("alerts are quotations with a title", async () => {
    const note = '<blockquote class="attention-header attention-note"><p><strong class="attention-note">Note</strong></p>';
    expect(await documentOf("> [!NOTE]\n> careful")).toBe(`${note}<p dir="auto">careful</p></blockquote>`);
    expect(await documentOf("> [!note]")).toBe(`${note}</blockquote>`);
    expect(await documentOf("> \\[!NOTE\\]\n> x")).toBe(`${note}<p dir="auto">x</p></blockquote>`);
    expect(await documentOf("> [!CAUTION]\n>\n> - a")).toContain('<strong class="attention-caution">Caution</strong></p><ul dir="auto"><li>a</li></ul>');
    expect(await documentOf("> [!OTHER]\n> x")).toBe('<blockquote><p dir="auto">[!OTHER] x</p></blockquote>');
    expect(await documentOf("> [!NOTE] x")).toBe('<blockquote><p dir="auto">[!NOTE] x</p></blockquote>');
  });

  test.each([
    ["$a+b$ and $$x^2$$", '<code class="language-math">a+b</code> and <code class="language-math">x^2</code>'],
    ["$5 and $6", "$5 and $6"],
    ["US$5 and US$6", "US$5 and US$6"],
    ["$ a $ and a$ b$", "$ a $ and a$ b$"],
    ["\\$a$ $", "$a$ $"],
    ["$<b>$", '<code class="language-math">&lt;b&gt;</code>'],
    ["`$a$`", "<code>$a$</code>"],
  ])("formulas: %s", async (text, expected) => {
    expect(await documentOf(text)).toBe(`<p dir="auto">${expected}</p>`);
  });

  test("formulas on separate lines become blocks", async () => {
    const formula =
      '<div class="code-block-container code-overflow-scroll"><pre class="code-block is-loading"><code class="language-math display">a &lt; b</code></pre></div>';
    expect(await documentOf("$$\na < b\n$$")).toBe(formula);
    expect(await documentOf("- x\n\n  $$\n  a < b\n  $$\n")).toContain(formula);
    expect(await documentOf("$$\na")).toBe('<p dir="auto">$$ a</p>');
  });

  test("emoji are recognized by name and by character", async () => {
    const span = (character: string, description: string) => `<span class="emoji" aria-label="${description}">${character}</span>`;
    expect(await documentOf(":smile: :nosuchemoji: ::+1:")).toBe(
      `<p dir="auto">${span("😄", "grinning face with smiling eyes")} :nosuchemoji: :${span("👍", "thumbs up")}</p>`,
    );
    expect(await documentOf("ünï 日本 🎉 👨‍👩‍👧 🇩🇪 ❤️ ❤ ©")).toBe(
      `<p dir="auto">ünï 日本 ${span("🎉", "party popper")} ${span("👨‍👩‍👧", "family: man, woman, girl")} ${span("🇩🇪", "flag: Germany")} ${span("❤️", "red heart")} ❤ ©</p>`,
    );
    expect(await documentOf("`:smile:` 12:30:45 a:b:c")).toBe(`<p dir="auto"><code>:smile:</code> 12:30:45 a${span("🅱️", "B button (blood type)")}c</p>`);
  });
});

describe("code", () => {
  const block = (language: string, code: string, classes = "code-block") =>
    `<div class="code-block-container code-overflow-scroll"><pre class="${classes}"><code class="chroma language-${language} display">${code}</code></pre></div>`;

  test.each([
    ["```\nplain <b>\n```", block("text", "plain &lt;b&gt;\n")],
    ["```nosuch\nx\n```", block("nosuch", "x\n")],
    ["```mermaid\ngraph TD;A-->B\n```", block("mermaid", "graph TD;A--&gt;B\n", "code-block is-loading")],
    ["~~~ json title=x\n1\n~~~", block("json", '<span class="hljs-number">1</span>\n')],
    ["```C++\nint x;\n```", block("C++", '<span class="hljs-type">int</span> x;\n')],
    ["```rs,ignore\nlet x;\n```", block("rs", '<span class="hljs-keyword">let</span> <span class="hljs-variable">x</span>;\n')],
    ['```"><script>\nx\n```', block("text", "x\n")],
    ["```constructor\nx\n```", block("constructor", "x\n")],
  ])("%j", async (text, expected) => {
    expect((await htmlOf(text, contextOf("document"))).trim()).toBe(expected);
  });

  test("embedded languages are highlighted too", async () => {
    const html = await htmlOf("```html\n<script>let a = 1;</script><style>a { color: red }</style>\n```", contextOf("document"));
    expect(html).toContain('<span class="hljs-keyword">let</span>');
    expect(html).toContain('<span class="hljs-attribute">color</span>');
  });

  test("every grammar loads", async () => {
    const { grammars, aliases } = await import("./highlight-languages.ts");
    await highlighter.loadGrammars(Object.keys(grammars));
    for (const name of [...Object.keys(grammars), ...Object.keys(aliases)]) expect(highlighter.highlightCode("x", name), name).toBeDefined();
    expect(highlighter.highlightCode("x", "toString")).toBeUndefined();
  });
});

describe("addresses", () => {
  const place = { ref: "branch/main", folder: "docs/guide" };
  const linked = async (address: string, kind: RenderKind, more: Partial<RenderContext> = {}) =>
    /href="([^"]*)"/.exec(await htmlOf(`[x](<${address}>)`, contextOf(kind, more)))?.[1];
  const shown = async (address: string, kind: RenderKind, more: Partial<RenderContext> = {}) =>
    /src="([^"]*)"/.exec(await htmlOf(`![x](<${address}>)`, contextOf(kind, more)))?.[1];

  test.each<[string, RenderKind, Partial<RenderContext>, string, string]>([
    ["a.md", "document", {}, "/alice/demo/src/a.md", "/alice/demo/media/a.md"],
    ["a.md", "document", place, "/alice/demo/src/branch/main/docs/guide/a.md", "/alice/demo/media/branch/main/docs/guide/a.md"],
    ["../a.md?x=1#y", "document", place, "/alice/demo/src/branch/main/docs/a.md?x=1#y", "/alice/demo/media/branch/main/docs/a.md?x=1#y"],
    ["/a.md", "document", place, "/alice/demo/src/branch/main/a.md", "/alice/demo/media/branch/main/a.md"],
    ["./", "document", place, "/alice/demo/src/branch/main/docs/guide/", "/alice/demo/media/branch/main/docs/guide/"],
    ["../../../../../../../../x", "document", place, "/x", "/x"],
    ["a b%20ü", "document", {}, "/alice/demo/src/a%20b%20%C3%BC", "/alice/demo/media/a%20b%20%C3%BC"],
    ["100%", "document", {}, "/alice/demo/src/100%25", "/alice/demo/media/100%25"],
    ["a.md", "comment", {}, "/alice/demo/a.md", "/alice/demo/a.md"],
    ["/bob/x", "comment", {}, "/bob/x", "/bob/x"],
    ["a.md", "wiki", {}, "/alice/demo/wiki/a.md", "/alice/demo/wiki/raw/a.md"],
    ["a.md", "document", { repository: undefined }, "/a.md", "/a.md"],
  ])("%s in a %s", async (address, kind, more, page, media) => {
    expect(await linked(address, kind, more)).toBe(origin + page);
    expect(await shown(address, kind, more)).toBe(origin + media);
  });

  test("absolute addresses are kept, and a fragment links to the heading with that name", async () => {
    expect(await linked("https://example.org/a?b#c", "document")).toBe("https://example.org/a?b#c");
    expect(await linked("//example.org/a", "document")).toBe("//example.org/a");
    expect(await linked("#title", "comment")).toBe("#user-content-title");
    expect(await linked("#user-content-title", "comment")).toBe("#user-content-title");
    expect(await linked("#", "comment")).toBe("#");
  });

  test("addresses in text become links", async () => {
    const generated = (href: string, words: string) => `<a data-markdown-generated-content href="${href}" rel="nofollow">${words}</a>`;
    expect(await documentOf("https://bare.example.org/x?y=1, a@b.example.org and www.example.org/z.")).toBe(
      `<p dir="auto">${generated("https://bare.example.org/x?y=1", "https://bare.example.org/x?y=1")}, ${generated("mailto:a@b.example.org", "a@b.example.org")} and ${generated("http://www.example.org/z", "www.example.org/z")}.</p>`,
    );
    expect(await documentOf("example.org, 1.2.3.4, `https://a.example`")).toBe('<p dir="auto">example.org, 1.2.3.4, <code>https://a.example</code></p>');
  });

  test("wiki links lead to wiki pages", async () => {
    expect(await documentOf("[[Wiki]]")).toBe('<p dir="auto"><a href="http://forge.example/alice/demo/src/Wiki" rel="nofollow">Wiki</a></p>');
    const html = squeezed(await htmlOf("[[The words|Home Page]], [[x.png]], [[https://a.example]] [[a] [[]] [[|]]", contextOf("wiki")));
    expect(html).toBe(
      '<p dir="auto"><a href="http://forge.example/alice/demo/wiki/Home-Page" rel="nofollow">The words</a>, ' +
        '<a href="http://forge.example/alice/demo/wiki/x.png" rel="nofollow noopener" target="_blank"><img alt="x.png" loading="lazy" src="http://forge.example/alice/demo/wiki/raw/x.png" /></a>, ' +
        '<a href="https://a.example" rel="nofollow">https://a.example</a> [[a] [[]] [[|]]</p>',
    );
  });

  test("an image links to itself unless it is inside a link", async () => {
    expect(await documentOf("[![x](a.png)](https://b.example)")).toBe(
      '<p dir="auto"><a href="https://b.example" rel="nofollow"><img alt="x" loading="lazy" src="http://forge.example/alice/demo/media/a.png" /></a></p>',
    );
  });
});

describe("kinds of text", () => {
  const text = "a\nb #1 [l](x.md) ![i](y.png) :smile: @bob # c\n\n# h";

  test("raw: renders plain Markdown", async () => {
    expect(squeezed(await htmlOf(text, contextOf("raw")))).toBe(
      '<p dir="auto">a b #1 <a href="x.md" rel="nofollow">l</a> <img alt="i" src="y.png"> :smile: @bob # c</p><h1>h</h1>',
    );
    expect(squeezed(await htmlOf('a  \nb `<br />` &lt;br />\n\n<img alt="<br />" src=x>', contextOf("raw")))).toBe(
      '<p dir="auto">a<br> b <code>&lt;br /&gt;</code> &lt;br /&gt;</p><img alt="&lt;br /&gt;" src="x">',
    );
  });

  test("comment: keeps line breaks and links issues", async () => {
    expect(squeezed(await htmlOf("a\nb #1", contextOf("comment")))).toBe(
      '<p dir="auto">a<br /> b <a class="ref-issue" data-markdown-generated-content="" href="http://forge.example/alice/demo/issues/1" rel="nofollow">#1</a></p>',
    );
  });
});

describe("locations", () => {
  test.each([
    ["alice/demo", "", { repository: { owner: "alice", name: "demo" }, ref: "", folder: "" }],
    ["/alice/demo/", "", { repository: { owner: "alice", name: "demo" }, ref: "", folder: "" }],
    [`${origin}/alice/demo/src/branch/main/docs/a`, "", { repository: { owner: "alice", name: "demo" }, ref: "branch/main", folder: "docs/a" }],
    ["/alice/demo/src/branch/feature/x/docs", "docs/a.md", { repository: { owner: "alice", name: "demo" }, ref: "branch/feature/x", folder: "docs" }],
    ["/alice/demo/src/tag/v1", "a.md", { repository: { owner: "alice", name: "demo" }, ref: "tag/v1", folder: "" }],
    ["/alice/demo/src/elsewhere/x", "", { repository: { owner: "alice", name: "demo" }, ref: "", folder: "" }],
    ["alice", "", { repository: undefined, ref: "", folder: "" }],
    ["", "docs/a.md", { repository: undefined, ref: "", folder: "docs" }],
    ["../../x", "", { repository: undefined, ref: "", folder: "" }],
    ['a"b/c<d', "", { repository: undefined, ref: "", folder: "" }],
    ["http://other.example/a/b", "", { repository: undefined, ref: "", folder: "" }],
  ])("parses %s with %j", (path, filePath, expected) => {
    expect(readPlace(path, origin, filePath)).toEqual(expected);
  });
});
