import { describe, expect, test } from "vitest";
import type { RenderContext } from "../context.ts";
import * as highlighter from "../highlight.ts";
import { renderText } from "../render.ts";

const context: RenderContext = {
  kind: "document",
  origin: "http://forge.example",
  repository: { owner: "alice", name: "demo" },
  ref: "branch/main",
  folder: "docs",
};
const rawOf = async (text: string): Promise<string> => (await renderText("org", text, context, highlighter)).pieces.join("");
const htmlOf = async (text: string): Promise<string> => (await rawOf(text)).replace(/>\n+</g, "><").replace(/\n/g, " ").trim();

describe("inline text", () => {
  test.each([
    ["*b* /i/ _u_ +s+ =v*b*= ~c~", "<strong>b</strong> <em>i</em> <u>u</u> <del>s</del> <code>v*b*</code> <code>c</code>"],
    ["*a /b/ c*, (*d*) *e*!", "<strong>a <em>b</em> c</strong>, (<strong>d</strong>) <strong>e</strong>!"],
    ["a*b*c 2*3*4 *a * b* /usr/bin and/or", "a*b*c 2*3*4 <strong>a * b</strong> /usr/bin and/or"],
    ["[[https://a.example][words *b*]]", '<a href="https://a.example" rel="nofollow">words <strong>b</strong></a>'],
    [
      "[[file:x.org]] [[../y.png]]",
      '<a href="http://forge.example/alice/demo/src/branch/main/docs/x.org" rel="nofollow">file:x.org</a> <img alt="../y.png" src="http://forge.example/alice/demo/media/branch/main/y.png" loading="lazy" />',
    ],
    ["see https://a.example/x. <b> & [[x] [[]]", 'see <a href="https://a.example/x" rel="nofollow">https://a.example/x</a>. &lt;b&gt; &amp; [[x] [[]]'],
    ["[[javascript:alert(1)][x]]", "x"],
  ])("%s", async (text, expected) => {
    expect(await rawOf(text)).toBe(`<p>\n${expected}\n</p>\n`);
  });
});

describe("blocks", () => {
  test.each([
    ["one\ntwo\n\nthree", "<p> one two </p><p> three </p>"],
    ["#+TITLE: T\n#+AUTHOR: A\n# comment\n-----", "<h1>T</h1><hr />"],
    ["- a\n- b\n  more\n\n  para\n  - c\n- d", "<ul><li>a</li><li>b more <p> para </p><ul><li>c</li></ul></li><li>d</li></ul>"],
    ["1. a\n\n2) b\n+ c", "<ol><li>a</li><li>b</li></ol><ul><li>c</li></ul>"],
    [
      "- [X] a\n- [ ] b\n- t :: d",
      '<ul><li><input type="checkbox" checked disabled /> a</li><li><input type="checkbox" disabled /> b</li><li><strong>t</strong> d</li></ul>',
    ],
    ["| a | *b* |\n|---+---|\n| 1 | 2 |", "<table><tr><th>a</th><th><strong>b</strong></th></tr><tr><td>1</td><td>2</td></tr></table>"],
    ["| a |\n| b |", "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"],
    [": a <\n:  b", "<pre>a &lt;  b</pre>"],
    ["#+BEGIN_QUOTE\na\n#+END_QUOTE", "<blockquote><p> a </p></blockquote>"],
    ["#+begin_example\n*a*\n#+end_example", "<pre>*a*</pre>"],
    ["#+begin_verse\na\nb\n#+end_verse", "<p> a<br /> b </p>"],
    ["#+begin_export html\n<b>x</b>\n#+end_export\n#+begin_comment\nx\n#+end_comment", ""],
    ["#+begin_quote\na", "<p> #+begin_quote </p><p> a </p>"],
    ["", ""],
  ])("%j", async (text, expected) => {
    expect(await htmlOf(text)).toBe(expected);
  });

  test("code is highlighted by its language", async () => {
    expect(await htmlOf("#+begin_src js :results none\n  let a;\n    b\n#+end_src")).toBe(
      '<div class="code-block-container code-overflow-scroll"><pre class="code-block"><code class="chroma language-js display"><span class="hljs-keyword">let</span> a;   b </code></pre></div>',
    );
  });
});

describe("headlines", () => {
  const listed = (at: number, words: string, below = "") => `<li><a href="#user-content-headline-${at}" rel="nofollow">${words}</a>${below}</li>`;

  test("produce a table of contents and nested sections with ids in order", async () => {
    expect(await htmlOf("* A *b* :tag:\n:PROPERTIES:\n:ID: x\n:END:\ntext\n** B\n* TODO C")).toBe(
      `<ul>${listed(1, "A <strong>b</strong>", `<ul>${listed(2, "B")}</ul>`)}${listed(3, "TODO C")}</ul>` +
        '<div id="user-content-outline-container-headline-1"><h2 id="user-content-headline-1"> A <strong>b</strong></h2><div id="user-content-outline-text-headline-1"><p> text </p></div>' +
        '<div id="user-content-outline-container-headline-2"><h3 id="user-content-headline-2"> B </h3></div></div>' +
        '<div id="user-content-outline-container-headline-3"><h2 id="user-content-headline-3"> TODO C </h2></div>',
    );
  });

  test("produce no table of contents if the document disables it", async () => {
    expect(await htmlOf("#+OPTIONS: toc:nil\n* A")).toBe('<div id="user-content-outline-container-headline-1"><h2 id="user-content-headline-1"> A </h2></div>');
  });
});
