import { afterAll, beforeAll, expect, test } from "vitest";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** The pages of a repository and its files, as they are laid out. */

inBrowser("code pages", ({ visit }) => {
  let showcase: Showcase;
  beforeAll(async () => {
    showcase = await openShowcase();
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  const asOwner = async (options?: Parameters<typeof visit>[1]): Promise<Visit> => {
    const visited = await visit(showcase.forge.url, options);
    await visited.enterAs(showcase.owner);
    return visited;
  };
  /** The number of rows in which elements are, by their middles. */
  const rowsOf = async ({ page }: Visit, selector: string): Promise<number> => {
    const boxes = await Promise.all((await page.locator(selector).all()).map((element) => element.boundingBox()));
    return new Set(boxes.map((box) => Math.round(((box?.y ?? 0) + (box?.height ?? 0) / 2) / 8))).size;
  };

  test.each([
    [1680, "en-GB", 1],
    [1280, "en-GB", 1],
    [1280, "de-DE", 1],
    [1120, "en-GB", 1],
    [1120, "de-DE", 1],
    [768, "de-DE", 1],
    [360, "en-GB", 3],
    [360, "de-DE", 3],
  ])("the toolbar of a repository at %i px in %s has its buttons in %i rows", async (width, locale, rows) => {
    const one = await asOwner({ viewport: { width, height: 740 }, locale });
    await one.open(showcase.garden.path);
    expect(await rowsOf(one, ".toolbar :is(.button, .refs a)")).toBe(rows);
    const heights = (await one.page.evaluate("[...document.querySelectorAll('.toolbar .button')].map((button) => button.offsetHeight)")) as number[];
    expect([heights.length, new Set(heights)]).toEqual([5, new Set([32])]);
  });

  test.each([360, 1280])("the Code menu at %i px is on the screen, shows a whole address and copies it", async (width) => {
    const one = await asOwner({ viewport: { width, height: 740 }, permissions: ["clipboard-read", "clipboard-write"] });
    const { page, open } = one;
    await open(showcase.garden.path);
    await page.click(".clone > summary");
    const sheet = await page.locator(".clone .sheet").boundingBox();
    expect([(sheet?.x ?? -1) >= 0, (sheet?.x ?? 0) + (sheet?.width ?? 0) <= width]).toEqual([true, true]);
    if (width === 1280)
      expect(await page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#clone-http'))")).toBe(0);
    await page.click(".clone .copy");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${showcase.forge.url}${showcase.garden.path}.git`);
  });

  test("the tree beside a file opens the folders on its way, and keeps its width and whether it is open", async () => {
    const one = await asOwner({ viewport: { width: 1280, height: 740 } });
    const { page, open } = one;
    await open(`${showcase.garden.path}/src/branch/main/src/water.js`);
    const names = async (): Promise<readonly string[]> => page.locator(".source-tree li a").allTextContents();
    expect(await names()).toEqual(["data", "docs", "src", "water.js", "LICENSE", "README.md"]);
    expect(await page.textContent(".source-tree [aria-current]")).toBe("water.js");
    const box = async () => (await page.locator(".source-tree").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const { x, y, width, height } = await box();
    await page.mouse.move(x + width - 4, y + height - 4);
    await page.mouse.down();
    await page.mouse.move(x + width + 60, y + height - 4, { steps: 4 });
    await page.mouse.up();
    await page.click(".source-tree a:has-text('LICENSE')");
    await page.waitForURL((url) => url.pathname.endsWith("/LICENSE"));
    await one.ready();
    expect((await box()).width).toBeGreaterThan(width + 32);
    await page.click(".source-tree summary");
    await page.click(".path a");
    await page.waitForURL((url) => url.pathname.endsWith("/src/branch/main"));
    await page.click(".files a:has-text('docs')");
    await page.waitForURL((url) => url.pathname.endsWith("/docs"));
    expect(await page.locator(".source-tree details[open]").count()).toBe(0);
    await page.click(".source-tree summary");
    expect(await names()).toEqual(["data", "docs", "beds.md", "src", "LICENSE", "README.md"]);
  });

  test("the menu of selected lines copies them and their permalink, and leads to a new issue and to the blame", async () => {
    const one = await asOwner({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, open } = one;
    const clipboard = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");
    await open(`${showcase.garden.path}/src/branch/main/src/water.js`);
    expect(await page.locator(".line-menu").count()).toBe(0);
    await page.click("#L3");
    await page.click("#L4", { modifiers: ["Shift"] });
    await page.click(".line-menu summary");
    await page.click(".line-menu >> text=Copy lines");
    expect(await clipboard()).toBe("// Beds are watered at dawn.\nexport function plan(beds) {");
    await page.click(".line-menu summary");
    await page.click(".line-menu >> text=Copy permalink");
    const permalink = `${showcase.forge.url}${showcase.garden.path}/src/commit/${showcase.garden.commit}/src/water.js#L3-L4`;
    expect(await clipboard()).toBe(permalink);
    await page.click(".file [data-copy-from]");
    await page.waitForSelector(".file button:has-text('Copied')");
    expect((await clipboard()).split("\n").length).toBe(7);
    await page.click(".line-menu summary");
    await page.click(".line-menu >> text=Reference in new issue");
    await page.waitForURL((url) => url.pathname.endsWith("/issues/new"));
    expect(await page.inputValue("main [name=content]")).toBe(`${permalink}\n`);
    await page.goBack();
    await one.ready();
    await page.click(".line-menu summary");
    await page.click(".line-menu >> text=View blame");
    await page.waitForURL((url) => url.pathname.endsWith("/blame/branch/main/src/water.js") && url.hash === "#L3");
  });

  test.each([360, 1280])("the menu of contents of a README at %i px is on the screen, and closes after a jump", async (width) => {
    const parts = ["First", "Second", "Third", "Fourth"].map((title) => `## ${title}\n\n${"Text.\n\n".repeat(40)}`);
    const name = `parts-${width}`;
    await showcase.owner.post("/user/repos", { name }).expect(201);
    const content = Buffer.from(parts.join("\n")).toString("base64");
    await showcase.owner.post(`/repos/ada/${name}/contents/README.md`, { content, message: "Write" }).expect(201);
    const one = await asOwner({ viewport: { width, height: 740 } });
    for (const path of [`/ada/${name}`, `/ada/${name}/src/branch/main/README.md`]) {
      await one.open(path);
      await one.page.click(".contents > summary");
      const sheet = await one.page.locator(".contents .sheet").boundingBox();
      expect([path, (sheet?.x ?? -1) >= 0, (sheet?.x ?? 0) + (sheet?.width ?? 0) <= width]).toEqual([path, true, true]);
      await one.page.click(".contents a:has-text('Third')");
      expect(new URL(one.page.url()).hash).toBe("#user-content-third");
      expect(await one.page.locator(".contents[open]").count()).toBe(0);
    }
  });

  test("a file is found from the toolbar: in a dialog on the branch of the page, and on a page without a script", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(`${showcase.garden.path}/src/branch/beds`);
    await page.click("[data-find-file]");
    await page.keyboard.type("bed300");
    await page.locator("dialog [role=option]").first().waitFor();
    expect(await page.locator("dialog [role=option]").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `${showcase.garden.path}/src/branch/beds/beds/300.txt`);
    const plain = await visit(showcase.forge.url, { javaScriptEnabled: false });
    await plain.open(`${showcase.garden.path}/src/branch/beds`);
    await plain.page.click("[data-find-file]");
    await plain.page.fill("main [name=q]", "bed300");
    await plain.page.click("main [type=submit]");
    await plain.page.click("text=beds/300.txt");
    await plain.page.waitForURL((url) => url.pathname === `${showcase.garden.path}/src/branch/beds/beds/300.txt`);
  });
});
