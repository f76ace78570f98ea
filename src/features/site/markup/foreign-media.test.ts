import { expect, test } from "vitest";
import { withOwnMedia } from "./foreign-media.ts";

const origin = "https://git.example.com";
const pathOfImage = (address: string): string | undefined => (address.startsWith("https://other.example/") ? `/-/image/${address.slice(22)}` : undefined);

test.each([
  [`<img src="${origin}/a/b/raw/branch/main/x.png" alt="x" />`, `<img src="${origin}/a/b/raw/branch/main/x.png" alt="x" />`],
  ['<img src="/a/x.png" alt="x" />', '<img src="/a/x.png" alt="x" />'],
  ['<img alt="A" src="https://other.example/p?a=1&amp;b=2" />', `<img alt="A" src="${origin}/-/image/p?a=1&amp;b=2" />`],
  ['<img src="//other.example/p" alt="p" />', `<img src="${origin}/-/image/p" alt="p" />`],
  [
    '<img alt="A &lt;b&gt;" src="https://refused.example/p?a=1&amp;b=2" />',
    '<span class="badge" title="https://refused.example/p?a=1&amp;b=2">A &lt;b&gt;</span>',
  ],
  ['<img src="https://refused.example/p" />', '<span class="badge" title="https://refused.example/p">https://refused.example/p</span>'],
  ['<img src="/\\refused.example/p" alt="p" />', '<span class="badge" title="/\\refused.example/p">p</span>'],
  [`<img src="${origin}.refused.example/p" alt="p" />`, `<span class="badge" title="${origin}.refused.example/p">p</span>`],
  [`<img srcset="https://refused.example/p 2x" src="${origin}/p" alt="p" />`, '<span class="badge" title="https://refused.example/p 2x">p</span>'],
  [
    `<img srcset="https://other.example/a 1x, https://other.example/b 2x, ${origin}/c 3x" src="/p" alt="p" />`,
    `<img srcset="${origin}/-/image/a 1x, ${origin}/-/image/b 2x, ${origin}/c 3x" src="/p" alt="p" />`,
  ],
  [
    '<picture><source media="(prefers-color-scheme: dark)" srcset="https://other.example/d" /></picture>',
    `<picture><source media="(prefers-color-scheme: dark)" srcset="${origin}/-/image/d" /></picture>`,
  ],
  ['<picture><source srcset="https://refused.example/d" /></picture>', "<picture><source></picture>"],
  ['<video src="https://other.example/v" controls></video>', "<video></video>"],
  ['<video><source src="https://other.example/v" /></video>', "<video><source></video>"],
  ["<p>&lt;img src=&quot;https://other.example/&quot;&gt;</p>", "<p>&lt;img src=&quot;https://other.example/&quot;&gt;</p>"],
])("%s", (html, expected) => {
  expect(withOwnMedia({ origin, pathOfImage })(html)).toBe(expected);
});

test("shows 500 images of other hosts in a text", () => {
  const html = withOwnMedia({ origin, pathOfImage })('<img src="https://other.example/p" alt="p" />'.repeat(2_000));
  expect([html.match(/<img /g)?.length, html.match(/<span /g)?.length]).toEqual([500, 1_500]);
});
