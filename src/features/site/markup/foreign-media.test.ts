import { expect, test } from "vitest";
import { withoutForeignMedia } from "./foreign-media.ts";

const origin = "https://git.example.com";

test.each([
  [`<img src="${origin}/a/b/raw/branch/main/x.png" alt="x" />`, `<img src="${origin}/a/b/raw/branch/main/x.png" alt="x" />`],
  ['<img src="/a/x.png" alt="x" />', '<img src="/a/x.png" alt="x" />'],
  ['<img alt="A &lt;b&gt;" src="https://other.example/p?a=1&amp;b=2" />', '<span class="badge" title="https://other.example/p?a=1&amp;b=2">A &lt;b&gt;</span>'],
  ['<img src="https://other.example/p" />', '<span class="badge" title="https://other.example/p">https://other.example/p</span>'],
  ['<img src="//other.example/p" alt="p" />', '<span class="badge" title="//other.example/p">p</span>'],
  ['<img src="/\\other.example/p" alt="p" />', '<span class="badge" title="/\\other.example/p">p</span>'],
  [`<img src="${origin}.other.example/p" alt="p" />`, `<span class="badge" title="${origin}.other.example/p">p</span>`],
  [`<img srcset="https://other.example/p 2x" src="${origin}/p" alt="p" />`, '<span class="badge" title="https://other.example/p 2x">p</span>'],
  ['<video src="https://other.example/v" controls></video>', "<video></video>"],
  ['<video><source src="https://other.example/v" /></video>', "<video><source></video>"],
  ["<p>&lt;img src=&quot;https://other.example/&quot;&gt;</p>", "<p>&lt;img src=&quot;https://other.example/&quot;&gt;</p>"],
])("%s", (html, expected) => {
  expect(withoutForeignMedia(html, origin)).toBe(expected);
});
