import { expect, test } from "vitest";
import type { RenderContext } from "./context.ts";
import { render } from "./render.ts";

const origin = "http://forge.example";
const at = (kind: RenderContext["kind"], folder = ""): RenderContext => ({
  kind,
  origin,
  repository: { owner: "alice", name: "demo" },
  ref: kind === "document" ? "branch/main" : "",
  folder,
  isPage: true,
});
const readme = at("document");
const guide = at("document", "docs/guide");
const wiki = at("wiki");
const comment = at("comment");

const htmlOf = async (text: string, context: RenderContext): Promise<string> => (await render(text, context)).pieces.join("").replaceAll(origin, "").trim();
const tree = "/alice/demo/src/branch/main";
const media = "/alice/demo/media/branch/main";

test.each<[string, RenderContext, string]>([
  // Files and directories
  ["[x](LICENSE)", readme, `href="${tree}/LICENSE"`],
  ["[x](./docs/)", readme, `href="${tree}/docs/"`],
  ["[x](docs)", readme, `href="${tree}/docs"`],
  ["[x](.)", guide, `href="${tree}/docs/guide"`],
  ["[x](..)", guide, `href="${tree}/docs"`],
  ["[x](../other.md)", guide, `href="${tree}/docs/other.md"`],
  ["[x](../../src/a.js#L10-L20)", guide, `href="${tree}/src/a.js#L10-L20"`],
  ["[x](/rooted.md)", guide, `href="${tree}/rooted.md"`],
  ["[x](<a b.md>)", guide, `href="${tree}/docs/guide/a%20b.md"`],
  ["[x](a%20b.md)", guide, `href="${tree}/docs/guide/a%20b.md"`],
  ["[x](a.zip?raw=true)", readme, `href="${tree}/a.zip?raw=true"`],
  ["[x][r]\n\n[r]: docs/a.md", readme, `href="${tree}/docs/a.md"`],
  ['<a href="docs/a.md">x</a>', readme, `href="${tree}/docs/a.md"`],
  // Fragments
  ["[x](#a-title)", readme, 'href="#user-content-a-title"'],
  ["[x](other.md#a-title)", guide, `href="${tree}/docs/guide/other.md#user-content-a-title"`],
  ["[x](other.md?plain=1#L3)", guide, `href="${tree}/docs/guide/other.md?plain=1#L3"`],
  ["[x](code.js#L3)", guide, `href="${tree}/docs/guide/code.js#L3"`],
  ["[x](Home#a-title)", wiki, 'href="/alice/demo/wiki/Home#user-content-a-title"'],
  // Above the root, as in GitHub's addresses
  ["[x](../../issues)", readme, 'href="/alice/demo/issues"'],
  ["[x](../../wiki/Home)", readme, 'href="/alice/demo/wiki/Home"'],
  ["[x](../../../../issues/1)", guide, 'href="/alice/demo/issues/1"'],
  ["[x](../../../other/issues)", readme, 'href="/alice/other/issues"'],
  ["[x](../../../../bob/other)", readme, 'href="/bob/other"'],
  ["[x](../../../../../../../..)", readme, 'href="/"'],
  // Images
  ["![x](a.png)", guide, `src="${media}/docs/guide/a.png"`],
  ["![x](../a.png?raw=true)", guide, `src="${media}/docs/a.png?raw=true"`],
  ["![x](/a.png)", guide, `src="${media}/a.png"`],
  [
    '<img src="./a b.png" width="20" height=10 align="right">',
    guide,
    `<img width="20" height="10" align="right" src="${media}/docs/guide/a%20b.png" loading="lazy" />`,
  ],
  [
    '<picture><source media="(prefers-color-scheme: dark)" srcset="dark.png"><img src="light.png"></picture>',
    readme,
    `<picture><source media="(prefers-color-scheme: dark)" srcset="${media}/dark.png" /><img src="${media}/light.png" loading="lazy" /></picture>`,
  ],
  ["![x](a.png)", wiki, 'src="/alice/demo/wiki/raw/a.png"'],
  // Comments and release notes refer to the default branch
  ["[x](docs/a.md)", comment, 'href="/alice/demo/src/docs/a.md"'],
  ["![x](docs/a.png)", comment, 'src="/alice/demo/media/docs/a.png"'],
  ["[x](/bob/other)", comment, 'href="/bob/other"'],
  ["![x](/attachments/123)", comment, 'src="/attachments/123"'],
  ["[x](../wiki/Home)", comment, 'href="/alice/demo/wiki/Home"'],
  // Other HTML
  ["<details><summary>S</summary>x</details>", comment, "<details><summary>S</summary>x</details>"],
  ["<kbd>Ctrl</kbd>", comment, "<kbd>Ctrl</kbd>"],
  ['<p align="center">x</p>', readme, '<p align="center">x</p>'],
])("%s", async (text, context, expected) => {
  expect(await htmlOf(text, context)).toContain(expected);
});
