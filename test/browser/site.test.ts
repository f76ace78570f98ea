import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startProgram } from "../kit/program.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** The parts that all pages share: header, search, menus, secrets, scripts and the way from page to page. */

inBrowser("the site", ({ visit }) => {
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
  const at = ({ page }: Visit): string => page.url().slice(showcase.forge.url.length);

  test.each([true, false])("the search of the header offers the repository first, and all places by keyboard: scripts %s", async (javaScriptEnabled) => {
    const one = await asOwner({ javaScriptEnabled });
    const { page, open } = one;
    const { path } = showcase.garden;
    const search = async (tabs: number): Promise<string> => {
      await open(path);
      expect(await page.locator(".scopes").isVisible()).toBe(false);
      await page.focus(".site [name=q]");
      expect(await page.locator(".scopes").isVisible()).toBe(true);
      await page.keyboard.type("valve");
      for (let tab = 0; tab < tabs; tab += 1) await page.keyboard.press("Tab");
      await Promise.all([page.waitForURL(/q=/), page.keyboard.press("Enter")]);
      return at(one);
    };
    expect(await search(0)).toBe(`${path}/search?q=valve`);
    expect(await search(2)).toBe(`${path}/issues?q=valve`);
    expect(await search(4)).toBe("/explore/repos?q=valve");
    expect(await search(7)).toBe("/explore/users?q=valve");
    await open("/");
    await page.fill(".site [name=q]", "garden");
    await Promise.all([page.waitForURL(/q=/), page.press(".site [name=q]", "Enter")]);
    expect(at(one)).toBe("/explore/repos?q=garden");
  });

  test("the places to search in and the menus are accessible, and close with the Escape key", async () => {
    const { page, open, findAccessibilityIssues } = await asOwner();
    await open("/");
    await page.focus(".site [name=q]");
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.locator(".scopes").isVisible()).toBe(false);
    await page.click(".viewer > summary");
    expect(await page.locator(".viewer .sheet").isVisible()).toBe(true);
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.locator(".viewer .sheet").isVisible()).toBe(false);
  });

  test("the menu of new things offers an issue in the repository of the page", async () => {
    const one = await asOwner();
    await one.open(`${showcase.garden.path}/src/branch/main/README.md`);
    await one.page.click(".site .menu:not(.viewer) > summary");
    await one.page.click(`.site .sheet a[href='${showcase.garden.path}/issues/new']`);
    await one.page.waitForURL(/\/issues\/new/);
  });

  test("a red button deletes after a question only, which the keyboard answers", async () => {
    const one = await asOwner();
    const { page, open, findAccessibilityIssues } = one;
    await showcase.owner.put(`/repos${showcase.garden.path}/actions/secrets/HOSE`, { data: "green" }).expect(201);
    await open(`${showcase.garden.path}/settings/actions`);
    const deletion = page.locator("button[aria-label='Delete: HOSE']");
    await deletion.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete: HOSE" });
    expect(await dialog.isVisible()).toBe(true);
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.keyboard.press("Enter");
    expect([await dialog.count(), await deletion.evaluate((button) => button === document.activeElement)]).toEqual([0, true]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    expect([await dialog.count(), await deletion.count()]).toEqual([0, 1]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await Promise.all([page.waitForURL(/saved=deleted/), page.keyboard.press("Enter")]);
    expect(await deletion.count()).toBe(0);
  });

  test("the value of a secret is kept in no draft, neither in the browser nor on the server", async () => {
    const { page, open } = await asOwner();
    const action = `${showcase.garden.path}/settings/actions/secrets`;
    await open(`${showcase.garden.path}/settings/actions`);
    await page.fill(`form[action='${action}'] textarea`, "hidden value");
    await page.fill(`form[action='${action}'] [name=name]`, "HOSE");
    const drafts = (): Promise<readonly { readonly fields: object }[]> => showcase.owner.get(`/user/drafts?forms=${action}`).expect(200);
    await expect.poll(drafts, { timeout: 20_000 }).toEqual([expect.objectContaining({ fields: { name: "HOSE" } })]);
    expect(await page.evaluate("Object.values(localStorage).join()")).not.toContain("hidden value");
  });

  test("a new token has a button that copies it", async () => {
    const one = await asOwner({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, open } = one;
    await open("/user/settings/applications");
    await page.fill("main [name=name]", "laptop");
    await page.selectOption("main [name=scope_user]", { index: 1 });
    const password = page.locator("main [name=password]");
    if ((await password.count()) > 0) await password.fill(showcase.owner.password);
    await page.click("main [type=submit].primary");
    await page.waitForSelector(".secret");
    await page.click(".copied:has(.secret) > .copy");
    const [shown, copied] = [await page.textContent(".secret"), (await page.evaluate("navigator.clipboard.readText()")) as string];
    expect([copied.length > 20, copied]).toEqual([true, shown]);
  });

  test("every secret that is shown once, and every commit of a list, has a button that copies it", async () => {
    const one = await asOwner({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, open } = one;
    const clipboard = async (): Promise<string> => (await page.evaluate("navigator.clipboard.readText()")) as string;
    const { path, commit } = showcase.garden;
    for (const at of [path, `${path}/commits/branch/main`, `${path}/tags`, `${path}/commit/${commit}`]) {
      await open(at);
      await page.locator(`[data-copies="${commit}"], .oid[data-copy="${commit}"] + button`).first().click();
      expect([at, await clipboard()]).toEqual([at, commit]);
    }
    await open("/ada/sprinkler/settings/actions");
    await page.click(".copied:has(.secret) > .copy");
    expect(await clipboard()).toBe(await page.textContent(".secret"));
    await open("/user/settings/applications/oauth2");
    await page.fill("main [name=name]", "Almanac");
    await page.fill("main [name=redirect_uris]", "https://almanac.example/");
    await page.click("main [type=submit].primary");
    await page.waitForSelector(".secret");
    expect([await page.locator(".secret").count(), await page.locator(".copied > .secret").count()]).toEqual([2, 2]);
    await open("/user/settings/security");
    await page.fill("main [name=password]", showcase.owner.password);
    await page.click("main [type=submit]");
    await page.waitForSelector(".copied > .secret");
  });

  test("a tab is loaded in advance while the pointer rests on it", async () => {
    const { page, open } = await asOwner();
    await open(showcase.garden.path);
    const loaded = page.waitForResponse((response) => response.url().endsWith("/issues") && response.request().headers()["sec-purpose"] === "prefetch");
    await page.hover(".tabs a[href$='/issues']");
    await (await loaded).finished();
    await page.click(".tabs a[href$='/issues']");
    await page.waitForURL(/\/issues$/);
    expect(await page.evaluate("performance.getEntriesByType('navigation')[0].deliveryType")).toBe("navigational-prefetch");
  });

  test.each(["en-GB", "de-DE"])("the built program sends few and small files, and one script that runs: %s", async (locale) => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-site-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await using program = await startProgram({
      HEARTH_DATA: folder,
      HEARTH_ADMIN_USERNAME: "root1",
      HEARTH_ADMIN_EMAIL: "root1@example.org",
      HEARTH_ADMIN_PASSWORD: "sprinkler-valve",
    });
    const one = await visit(program.url, { locale });
    await one.signIn({ name: "root1", password: "sprinkler-valve" });
    await one.open("/repo/create");
    await one.page.fill("main [name=name]", "beds");
    await one.page.check("main [name=auto_init]");
    await Promise.all([one.page.waitForURL(/\/root1\/beds$/), one.page.click("main [type=submit].primary")]);
    await one.ready();

    // A second window with the session, but with an empty cache.
    const { page, ready } = await visit(program.url, { locale, storageState: await one.context.storageState() });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Network.enable");
    const types = new Map<string, string>();
    const sizes: (readonly [type: string, bytes: number])[] = [];
    devTools.on("Network.requestWillBeSent", ({ requestId, type = "" }) => void types.set(requestId, type));
    devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => void sizes.push([types.get(requestId) ?? "", encodedDataLength]));
    await page.goto("/root1/beds", { waitUntil: "networkidle" });
    await ready();
    const sum = (of: typeof sizes): number => of.reduce((bytes, [, more]) => bytes + more, 0);
    expect(sizes.filter(([type]) => type === "Script")).toHaveLength(1);
    expect(sizes.filter(([type]) => type === "Stylesheet")).toHaveLength(1);
    expect(sizes.length).toBeLessThanOrEqual(8);
    expect(sum(sizes)).toBeLessThan(60_000);
    expect(sum(sizes.filter(([type]) => type === "Script"))).toBeLessThan(40_000);
    expect(sum(sizes.filter(([type]) => type === "Document"))).toBeLessThan(15_000);
    // The script speaks the language of the page.
    await page.keyboard.press("?");
    expect(await page.locator("dialog[open]").textContent()).toMatch(locale === "de-DE" ? /Tastenkürzel|Tastatur/ : /[Kk]eyboard/);
  });
});
