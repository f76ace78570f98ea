import { describe, expect, test } from "vitest";
import type { RenderContext, RenderKind } from "./context.ts";
import { findReferences, linkReference, type Reference } from "./references.ts";
import { render } from "./render.ts";

const contextOf = (kind: RenderKind): RenderContext => ({
  kind,
  origin: "http://forge.example",
  repository: { owner: "alice", name: "demo" },
  ref: "",
  folder: "",
});
const home = { owner: "alice", repository: "demo" };
const sha1 = "0123456789abcdef0123456789abcdef01234567";
const sha256 = `${sha1}0123456789abcdef01234567`;

const found = (text: string, kind: RenderKind = "comment"): Reference[] =>
  findReferences(text, contextOf(kind)).flatMap((part) => (typeof part === "string" ? [] : [part.reference]));

describe("references", () => {
  test.each<[string, Reference[]]>([
    ["#1", [{ kind: "issue", ...home, index: 1 }]],
    [
      "(#1, #22.)",
      [
        { kind: "issue", ...home, index: 1 },
        { kind: "issue", ...home, index: 22 },
      ],
    ],
    ["!3", [{ kind: "issue", ...home, index: 3 }]],
    ["bob/x.y#4", [{ kind: "issue", owner: "bob", repository: "x.y", index: 4 }]],
    ["fixes bob/x!5!", [{ kind: "issue", owner: "bob", repository: "x", index: 5 }]],
    [
      "@bob: hi, @carol-2.",
      [
        { kind: "account", name: "bob" },
        { kind: "account", name: "carol-2" },
      ],
    ],
    ["0123abc", [{ kind: "commit", ...home, oid: "0123abc" }]],
    [sha1, [{ kind: "commit", ...home, oid: sha1 }]],
    [sha256, [{ kind: "commit", ...home, oid: sha256 }]],
    [`bob/x@${sha1}`, [{ kind: "commit", owner: "bob", repository: "x", oid: sha1 }]],
  ])("recognizes %s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each([
    "#0 #01 #a # 1 a#1 ##1 &#1; #1a /#1",
    "/home/alice/demo#1 ../..#1 a/b/c#1",
    "GH-1 JIRA-12",
    "@ @- a@b @@bob @org/team bob@host",
    "1234567 abcdefab 0123abg 0123ab 0123abc-def x0123abc",
    `${sha1}0`,
    `${sha1.toUpperCase()}`,
    "#99999999999999999999",
  ])("ignores %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  test("include the repository of an issue in a document or a text without a repository", () => {
    expect(found("#1 bob/x#2", "document")).toEqual([{ kind: "issue", owner: "bob", repository: "x", index: 2 }]);
    expect(findReferences("#1 0123abc bob/x#2", { ...contextOf("comment"), repository: undefined }).filter((part) => typeof part !== "string")).toHaveLength(1);
  });
});

describe("the search for references", () => {
  const texts = async (text: string) => (await render(text, contextOf("comment"))).references.map((one) => one.text);

  test("covers all words", async () => {
    expect(await texts("#1 **#2** <b>#3</b>\n\n- #4\n\n> #5\n\n| #6 |\n|---|\n| #7 |\n\n# x #8 y")).toEqual(["#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8"]);
  });

  test("skips code, links, addresses and escaped text", async () => {
    expect(await texts("`#1` [#2](x) <a href=x>#3 <b>#4</b></a> \\#5 https://x.example/#6\n\n    #7\n\n```\n#8\n```\n\n![#9](x) $#10$")).toEqual([]);
  });

  test("is not confused by text that resembles a mark", async () => {
    const { pieces, references } = await render("#1 m0123456789abcdef-0- \u0000", contextOf("comment"));
    expect(references).toHaveLength(1);
    expect(pieces.join("")).toContain("m0123456789abcdef-0-");
  });

  test("stops after a thousand references", async () => {
    const { references, pieces } = await render("#1 ".repeat(1_500), contextOf("comment"));
    expect(references).toHaveLength(1_000);
    expect(pieces.join("").match(/#1/g)).toHaveLength(500);
  });
});

test.each<[Reference, string, string]>([
  [{ kind: "account", name: "bob" }, "@bob", '<a data-markdown-generated-content="" href="http://forge.example/bob" rel="nofollow">@bob</a>'],
  [
    { kind: "issue", ...home, index: 1 },
    "#1",
    '<a class="ref-issue" data-markdown-generated-content="" href="http://forge.example/alice/demo/issues/1" rel="nofollow">#1</a>',
  ],
  [
    { kind: "issue", ...home, index: 1 },
    "!1",
    '<a class="ref-issue" data-markdown-generated-content="" href="http://forge.example/alice/demo/pulls/1" rel="nofollow">!1</a>',
  ],
  [
    { kind: "commit", ...home, oid: sha1 },
    sha1,
    `<a data-markdown-generated-content="" href="http://forge.example/alice/demo/commit/${sha1}" rel="nofollow"><code>0123456789</code></a>`,
  ],
  [
    { kind: "commit", owner: "b", repository: "c", oid: sha1 },
    `b/c@${sha1}`,
    `<a data-markdown-generated-content="" href="http://forge.example/b/c/commit/${sha1}" rel="nofollow"><code>b/c@0123456789</code></a>`,
  ],
])("links %j", (reference, text, expected) => {
  expect(linkReference({ reference, text }, "http://forge.example")).toBe(expected);
});
