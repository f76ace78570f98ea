import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";

/** Rendered texts in a real browser: formulas, alerts, the menu of contents, and diagrams in their sandboxed frames. */

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** A graph whose layout takes seconds. */
const dense = `flowchart TD\n${Array.from({ length: 22 }, (_, from) => Array.from({ length: 22 }, (_, to) => `n${from} --> n${to}`).join("\n")).join("\n")}`;

/** Ends the first limit of a diagram (8 s, `ui/scripts/diagrams.js`) after 0.1 s, so that the test does not depend on the speed of the machine. */
const shortenFirstLimit = `{
  const later = setTimeout;
  let isFirst = true;
  window.setTimeout = (run, ms, ...rest) => {
    const isShort = isFirst && ms === 8000;
    if (isShort) isFirst = false;
    return later(run, isShort ? 100 : ms, ...rest);
  };
}`;

inBrowser("rendered Markdown", ({ visit }) => {
  let forge: TestForge;
  let issue: (body: string) => Promise<string>;
  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite });
    await forge.admin.post("/user/repos", { name: "texts", auto_init: true }).expect(201);
    issue = async (body) => {
      const { number } = await forge.admin.post<{ number: number }>("/repos/chief/texts/issues", { title: "Text", body }).expect(201);
      return `/chief/texts/issues/${number}`;
    };
  }, 120_000);
  afterAll(() => forge?.[Symbol.asyncDispose]());

  const openText = async (body: string, options?: Parameters<typeof visit>[1]): Promise<Visit> => {
    const visited = await visit(forge.url, options);
    expect(await visited.open(await issue(body))).toBe(200);
    return visited;
  };

  test("formulas, alerts and headings are accessible, and formulas are drawn", async () => {
    const alerts = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"].map((kind) => `> [!${kind}]\n> Text with a [link](https://example.org)`).join("\n\n");
    const { page, findAccessibilityIssues } = await openText(`# Title\n\n$$\\sum_{i=1}^n \\frac{1}{i}$$\n\n${alerts}\n\n${fenced("js", "let a = 1;")}`);
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findAccessibilityIssues({ onlyColours: true })).toEqual([]);
    const size = await page.locator("math").boundingBox();
    expect(size?.height).toBeGreaterThan(30);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  test("a heading links to itself with the keyboard", async () => {
    const { page } = await openText("text\n\n## A title");
    await page.focus(".anchor");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.anchor')).opacity")).toBe("1");
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#user-content-a-title");
  });

  test("a diagram is drawn in a frame without access to the page, and its source stays readable", async () => {
    const { page, findAccessibilityIssues, pageErrors } = await openText(fenced("mermaid", "flowchart LR\n  first --> second"));
    await page.waitForSelector("iframe[data-drawn]");
    const frame = page.frames().find((one) => one !== page.mainFrame());
    expect(await frame?.locator("svg .node").count()).toBe(2);
    expect(await frame?.evaluate("[window.origin, (() => { try { return parent.document.title; } catch { return 'blocked'; } })()]")).toEqual([
      "null",
      "blocked",
    ]);
    expect((await page.locator("iframe").boundingBox())?.height).toBeGreaterThan(30);
    await page.click(".diagram-source summary");
    expect(await page.textContent(".diagram-source code")).toContain("first --> second");
    expect(await findAccessibilityIssues()).toEqual([]);
    // axe tries to reach its copy in the frame.
    pageErrors.splice(0, pageErrors.length, ...pageErrors.filter((line) => !/Failed to execute 'postMessage'/.test(line)));
  });

  test("the colours of a diagram follow the page", async () => {
    const { page } = await openText(fenced("mermaid", "flowchart LR\n  first --> second"), { colorScheme: "dark" });
    await page.waitForSelector("iframe[data-drawn]");
    const frame = page.frames().find((one) => one !== page.mainFrame());
    const colour = (): Promise<unknown> => frame?.evaluate("getComputedStyle(document.querySelector('svg .nodeLabel')).color") ?? Promise.resolve();
    const dark = await colour();
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(colour).not.toBe(dark);
  });

  test("a diagram cannot run scripts, show links or load anything", async () => {
    const hostile = [
      "flowchart LR",
      '  a["<img src=x onerror=\'parent.postMessage({height:1},0);document.title=1\'>"] --> b["<script>document.title=1</script>"]',
      '  click a "javascript:document.title=1"',
      "  click b call alert()",
      "  style a fill:url(http://elsewhere.invalid/a.png)",
    ].join("\n");
    const { page, pageErrors } = await openText(fenced("mermaid", hostile));
    await page.waitForSelector("iframe[data-drawn], .status-text");
    expect(await page.title()).toContain("Text #");
    const frame = page.frames().find((one) => one !== page.mainFrame());
    if (frame !== undefined) {
      expect(await frame.locator("script[src*='elsewhere'], [onerror], [onclick], a[href^='javascript']").count()).toBe(0);
      expect(await frame.title()).toBe("Diagram");
    }
    pageErrors.splice(0, pageErrors.length, ...pageErrors.filter((line) => !/Content Security Policy/i.test(line)));
  });

  test("a diagram with an error is shown as source with the reason", async () => {
    const { page } = await openText(fenced("mermaid", "flowchart LR\n  first -->"));
    await page.waitForSelector(".status-text");
    expect(await page.textContent(".status-text")).toContain("The diagram could not be drawn.");
    expect([await page.locator("iframe").count(), await page.isVisible("code.language-mermaid")]).toEqual([0, true]);
  });

  test("a diagram that takes too long is given up: its source is shown, and the next one is drawn", async () => {
    const { page, open } = await visit(forge.url);
    await page.addInitScript(shortenFirstLimit);
    await open(await issue(`${fenced("mermaid", dense)}\n\n${fenced("mermaid", "flowchart LR\n  a --> b")}`));
    await page.waitForSelector(".status-text");
    expect(await page.locator("code.language-mermaid").first().isVisible()).toBe(true);
    await page.locator("code.language-mermaid").last().scrollIntoViewIfNeeded();
    await page.waitForSelector("iframe[data-drawn]", { timeout: 20_000 });
    expect(await page.locator("iframe").count()).toBe(1);
  }, 90_000);

  test("only the diagrams in view are drawn", async () => {
    const { page } = await openText(fenced("mermaid", "flowchart LR\n  a --> b\n\n\n").concat("\n\ntext\n\n").repeat(100));
    await page.waitForSelector("iframe[data-drawn]");
    expect(await page.locator("iframe").count()).toBeLessThan(20);
  });

  test("an address with the name of a heading leads to it", async () => {
    const { page, open } = await openText(`${"text\n\n".repeat(100)}\n\n# A title`);
    await open(`${new URL(page.url()).pathname}?x=1#a-title`);
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(500);
  });

  test("text fields complete emoji after a colon, and the preview shows formulas and diagrams", async () => {
    const { page, open, enterAs } = await visit(forge.url);
    await enterAs(forge.admin);
    await open("/chief/texts/issues/new");
    const field = "textarea[name=content]";
    await page.focus(field);
    await page.keyboard.type("see 12:30 :rock");
    await page.waitForSelector(".suggestions [aria-selected=true]:has-text(':rock:')");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.inputValue(field)).toMatch(/^see 12:30 :rocket: $/);
    await page.fill(field, `$a^2$\n\n${fenced("mermaid", "flowchart LR\n  a --> b")}`);
    await page.click("text=Preview");
    await page.waitForSelector(".preview math");
    await page.waitForSelector(".preview iframe[data-drawn]");
    await page.click("text=Write");
    await page.fill(field, "");
  });

  test("without scripts a diagram is shown as source", async () => {
    const { page } = await openText(fenced("mermaid", "flowchart LR\n  first --> second"), { javaScriptEnabled: false });
    expect([await page.locator("iframe").count(), await page.isVisible("code.language-mermaid")]).toEqual([0, true]);
  });

  test("pages without a diagram load no library", async () => {
    const requested: string[] = [];
    const visited = await visit(forge.url);
    visited.page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await visited.open(await issue("text"));
    expect(requested.filter((path) => path.startsWith("/-/diagram"))).toEqual([]);
  });
});
