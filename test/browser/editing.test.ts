import { crc32, deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Files that are edited, and images that are compared, in a browser. */

/** A PNG image of one pixel. @param color of a palette with one entry */
const pixel = (color: readonly [number, number, number]): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, ...color]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

inBrowser("editing", ({ visit }) => {
  let showcase: Showcase;
  let path: string;
  beforeAll(async () => {
    showcase = await openShowcase();
    path = showcase.garden.path;
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  const as = async (user: Showcase["owner"], options?: Parameters<typeof visit>[1]): Promise<Visit> => {
    const visited = await visit(showcase.forge.url, options);
    await visited.enterAs(user);
    return visited;
  };
  const contentOf = async (file: string, branch: string): Promise<string> => {
    const { content } = await showcase.owner.get<{ content: string }>(`/repos${path}/contents/${file}?ref=${branch}`).expect(200);
    return Buffer.from(content, "base64").toString();
  };

  test("a file is edited with highlighting, indented with Tab, previewed in place, and committed with the keyboard only", async () => {
    const { page, open, ready, findAccessibilityIssues } = await as(showcase.owner);
    await open(`${path}/_new/main`);
    await ready();
    await page.waitForSelector(".code-editor .cm-content");
    await page.fill("[name=path]", "tools/count.js");
    await page.locator("[name=path]").blur();
    await page.locator(".code-editor .cm-content").click();
    await page.keyboard.type("export const beds = (all) => {\nreturn all.length;");
    await page.keyboard.press("Escape");
    // The second line is indented by the editor; Tab adds a level.
    await page.locator(".code-editor .cm-content").focus();
    await page.keyboard.press("Tab");
    const text = await page.inputValue("textarea[name=content]");
    expect(text).toMatch(/^export const beds = \(all\) => \{\n {2}return all\.length;/);
    const keyword = ".code-editor .cm-line span:text-is('export')";
    await page.waitForSelector(keyword);
    const colors = "[...document.querySelector('.code-editor').shadowRoot.querySelectorAll('.cm-line span')].map((one) => getComputedStyle(one).color)";
    expect(new Set((await page.evaluate(colors)) as string[]).size).toBeGreaterThan(1);
    // The label belongs to the field: no other element of the page has its id.
    expect(await page.evaluate("document.querySelector('textarea[name=content]').labels.length")).toBe(1);
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findAccessibilityIssues({ onlyColours: true })).toEqual([]);
    await page.click("button[value=preview]");
    await page.waitForSelector("#change-preview .diff >> text=export const beds");
    expect(new URL(page.url()).pathname).toBe(`${path}/_new/main`);
    // Escape lets Tab leave the editor.
    await page.locator(".code-editor .cm-content").focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.name")).toBe("summary");
    await page.locator(".code-editor .cm-content").focus();
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/src\/branch\/main\/tools\/count\.js$/);
    expect(await contentOf("tools/count.js", "main")).toBe(text);
  });

  test("the text of the editor is a draft until it is committed", async () => {
    const { page, open, ready } = await as(showcase.owner);
    const address = `${path}/_edit/main/src/water.js`;
    await open(address);
    await ready();
    await page.locator(".code-editor .cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// unsent\n");
    await expect.poll(() => page.evaluate("Object.keys(localStorage).length")).toBeGreaterThan(0);
    await page.click("button[value=preview]");
    await page.waitForSelector("#change-preview");
    await open(address);
    await page.click("text=Restore");
    await expect.poll(() => page.locator(".code-editor .cm-line").first().textContent()).toBe("// unsent");
    await page.click("text=Preview changes");
    await page.waitForSelector("#change-preview .diff:has-text('// unsent')");
  });

  test("text typed over a selected heading replaces it, and keeps none of its look", async () => {
    const { page, open, ready, pageErrors } = await as(showcase.owner);
    await open(`${path}/_edit/main/README.md`);
    await ready();
    await page.waitForSelector(".code-editor .cm-line span");
    await page.locator(".code-editor .cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.type("Plain words");
    expect((await page.inputValue("textarea[name=content]")).split("\n")[0]).toBe("Plain words");
    expect(pageErrors).toEqual([]);
    await page.keyboard.press("Control+z");
    expect((await page.inputValue("textarea[name=content]")).split("\n")[0]).not.toBe("Plain words");
  });

  test("without JavaScript a file is edited in a plain field and previewed on a page", async () => {
    const { page, open } = await as(showcase.owner, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await open(`${path}/_edit/main/README.md`);
    await page.fill("textarea[name=content]", "# Plain\n");
    await page.click("button[value=preview]");
    await page.waitForSelector("#change-preview .markdown >> text=Plain");
    expect(await page.inputValue("textarea[name=content]")).toBe("# Plain\n");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("images are compared side by side, with a divider and with a variable opacity, by keyboard too", async () => {
    const api = `/repos${path}/contents/leaf.png`;
    const send = (content: Buffer) => ({ content: content.toString("base64"), message: "Draw a leaf" });
    const { content } = await showcase.owner.post<{ content: { sha: string } }>(api, { ...send(pixel([0, 128, 0])), branch: "main" }).expect(201);
    await showcase.owner.put(api, { ...send(pixel([128, 0, 0])), sha: content.sha, branch: "main", new_branch: "leaf" }).expect(200);
    const { page, open, ready, findAccessibilityIssues } = await as(showcase.reader);
    await open(`${path}/compare/main...leaf`);
    await ready();
    await page.waitForSelector(".pictures + .picture-ways");
    const shown = page.locator(".pictures");
    const last = "getComputedStyle(document.querySelector('.pictures figure:last-child'))";
    expect(await shown.locator("img").count()).toBe(2);
    await page.focus(".picture-ways button:text-is('Swipe')");
    await page.keyboard.press("Enter");
    expect(await shown.getAttribute("data-compare")).toBe("swipe");
    await page.focus(".picture-ways input[type=range]");
    await page.keyboard.press("Home");
    expect(await page.evaluate(`${last}.clipPath`)).toContain("100%");
    await page.click(".picture-ways button:text-is('Onion skin')");
    expect(await page.evaluate(`${last}.opacity`)).toBe("0");
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.click(".picture-ways button:text-is('Side by side')");
    expect(await page.locator(".picture-ways input").isVisible()).toBe(false);
  });

  test("the form of a review stays on the screen while the changes scroll", async () => {
    const { page, open, ready } = await as(showcase.reader, { viewport: { width: 1280, height: 500 } });
    await open(`${path}/pulls/${showcase.garden.pull}/files`);
    await ready();
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.click("#review > summary");
    await page.check("#verdict-comment");
    expect(await page.locator("#review textarea").isVisible()).toBe(true);
  });

  test("a wiki page is previewed, searched for and compared with its former version, with the keyboard and without scripts at 360 px in German", async () => {
    const wiki = `${showcase.garden.path}/wiki`;
    const one = await visit(showcase.forge.url);
    await one.enterAs(showcase.owner);
    const { page, open } = one;
    await open(`${wiki}?action=_new&title=Compost`);
    await page.fill("[name=content]", "Layers of [[Home]]");
    await page.click(".modes >> text=Preview");
    await page.waitForSelector(`.preview a[href$='${wiki}/Home']`);
    await page.click("text=Save page");
    await page.waitForURL(`**${wiki}/Compost`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await one.findAccessibilityIssues()).toEqual([]);
    }
    await open(`${wiki}/Compost?action=_edit`);
    await page.fill("[name=content]", "Layers of leaves");
    await page.click("text=Save page");
    await page.waitForURL(`**${wiki}/Compost`);
    await page.focus(".wiki-side [name=q]");
    await page.keyboard.type("leaves");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".list .meta:has-text('Layers of leaves')");
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await visit(showcase.forge.url, { javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" });
    const fits = async (): Promise<void> => expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await plain.open(wiki);
    await fits();
    await plain.page.click(".wiki-pages a >> text=Compost");
    await plain.page.click("text=2 Versionen");
    await fits();
    await plain.page.click("text=Versionen vergleichen");
    await plain.page.waitForSelector(".changed-lines ins:has-text('Layers of leaves')");
    await fits();
    await plain.page.goBack();
    await plain.page.click(".commits a.oid >> nth=1");
    await plain.page.waitForSelector("text=Dies ist eine frühere Version der Seite.");
    await fits();
  });
});
