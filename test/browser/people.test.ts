import { expect, test } from "vitest";
import { sqlite } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";
import { inBrowser } from "../kit/real-browser.ts";
import { enter, narrow, shareShowcase, widthOf } from "../kit/shared-showcase.ts";
import { startSmtpServer } from "../kit/smtp-server.ts";

/** Profiles and organizations, with the keyboard and without scripts. */

inBrowser("people", ({ visit }) => {
  const { showcase, asOwner } = shareShowcase(visit);

  test("repositories are pinned to a profile and ordered, with the keyboard and without scripts at 360 px", async () => {
    await showcase().owner.post("/user/repos", { name: "greenhouse", description: "Glass" }).expect(201);
    const one = await asOwner();
    const { page, open } = one;
    await open("/ada");
    await enter(one, ".pinned a:has-text('Customize pins')");
    for (const name of ["garden", "greenhouse"]) {
      await page.waitForSelector("[name=repository]");
      await one.ready();
      await page.focus("[name=repository]");
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`.rows a:has-text('ada/${name}')`);
      await one.ready();
    }
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await enter(one, "button[aria-label='Move up: ada/greenhouse']");
    await page.waitForURL(/#pin-\d+$/);
    await open("/ada");
    expect(await page.locator(".pinned h3 a").allInnerTexts()).toEqual(["greenhouse", "garden"]);
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await asOwner(narrow);
    await plain.open("/ada");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click(".pinned a:has-text('Angeheftete anpassen')");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.fill("[name=repository]", "no-such");
    await plain.page.click("main button.primary");
    await plain.page.waitForSelector(".wrong");
    expect(await plain.page.inputValue("[name=repository]")).toBe("no-such");
    await plain.page.click("button[aria-label='Lösen: ada/garden']");
    await plain.page.waitForURL(/saved=true/);
    await plain.open("/ada");
    expect(await plain.page.locator(".pinned h3 a").allInnerTexts()).toEqual(["greenhouse"]);
  });

  test("an address is invited with the keyboard, and accepts without scripts at 360 px", async () => {
    await using mailServer = await startSmtpServer();
    await using forge = await startForge({ dialect: sqlite, environment: mailServer.environment });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/orgs", { username: "guild" }).expect(201);
    await alice.post("/orgs/guild/teams", { name: "builders", units_map: { "repo.code": "read" } }).expect(201);
    const one = await visit(forge.url);
    await one.enterAs(alice);
    await one.open("/org/guild/members");
    await one.page.focus("[name=user]");
    await one.page.keyboard.type("bob@elsewhere.example");
    await one.page.keyboard.press("Tab");
    await one.page.keyboard.type("builders");
    await one.page.keyboard.press("Tab");
    await one.page.keyboard.press("Enter");
    await one.page.waitForSelector("#invitations strong:has-text('bob@elsewhere.example')");
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await forge.settled();
    const link = /https?:\/\/[^/\s]+(\/user\/invitation\?code=\w+)/.exec(mailServer.emails[0]?.raw ?? "")?.[1] ?? "";

    const plain = await visit(forge.url, narrow);
    await plain.open(link);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await one.open(link);
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await plain.page.click("text=Anmelden und Einladung annehmen");
    await plain.page.fill("[name=user_name]", bob.name);
    await plain.page.fill("[name=password]", bob.password);
    await plain.page.click("main button[type=submit]");
    await plain.page.waitForURL(/invitation/);
    await plain.page.click("button:has-text('guild beitreten')");
    await plain.page.waitForURL(/\/guild$/);
    await one.open("/org/guild/members");
    expect(await one.page.locator(".rows a:has-text('bob')").count()).toBe(1);
    expect(await one.page.locator("#invitations").count()).toBe(0);
  });

  test("a starred repository is put on a list and taken off it, with the keyboard and without scripts at 360 px", async () => {
    await showcase().owner.put("/user/starred/ada/garden").expect(204);
    const one = await asOwner();
    await one.open("/ada?tab=stars");
    await enter(one, "a:has-text('Manage star lists')");
    await one.page.waitForSelector("main [name=name]");
    await one.ready();
    await one.page.focus("main [name=name]");
    await one.page.keyboard.type("To water");
    await one.page.keyboard.press("Enter");
    await one.page.waitForSelector(".rows strong:has-text('To water')");
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await one.open("/ada?tab=stars");
    await enter(one, ".corner summary");
    await enter(one, ".corner button:has-text('Add to To water')");
    await one.page.waitForURL(/#lists-/);
    await one.ready();
    await enter(one, "nav a:has-text('To water')");
    await one.page.waitForURL(/list=\d+/);
    await one.ready();
    expect(await one.page.locator(".list h2 a").allInnerTexts()).toEqual(["ada/garden"]);
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await asOwner(narrow);
    await plain.open("/ada?tab=stars");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click("nav a:has-text('To water')");
    await plain.page.click(".corner summary");
    await plain.page.click("text=Aus To water entfernen");
    await plain.page.waitForSelector("text=Diese Liste hat keine für Sie sichtbaren Repositorys.");
  });

  test("subscribed issues are listed and unsubscribed from, with the keyboard and without scripts at 360 px, where titles keep their width", async () => {
    const path = "/notifications/subscriptions";
    const titles = await Promise.all(
      ["first", "second"].map(async (title) => (await showcase().owner.post<{ title: string }>("/repos/ada/garden/issues", { title }).expect(201)).title),
    );
    const one = await asOwner();
    await one.open("/notifications");
    await enter(one, `main a[href='${path}']`);
    await one.page.waitForURL(/subscriptions/);
    await one.ready();
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await enter(one, `button[aria-label='Unsubscribe: ${titles[0]}']`);
    await one.page.waitForURL(/saved=true/);
    expect(await one.page.locator(`button[aria-label='Unsubscribe: ${titles[0]}']`).count()).toBe(0);

    const plain = await asOwner(narrow);
    await plain.open(path);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    const widths = await plain.page.locator(".issues .what").evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(200);
    await plain.page.click(`button[aria-label='Abbestellen: ${titles[1]}']`);
    await plain.page.waitForURL(/saved=true/);
    expect(await plain.page.locator(`button[aria-label='Abbestellen: ${titles[1]}']`).count()).toBe(0);
  });

  test("watched repositories are listed and unwatched, with the keyboard and without scripts at 360 px", async () => {
    await showcase().owner.post("/user/repos", { name: "shed" }).expect(201);
    for (const name of ["garden", "shed"]) await showcase().owner.put(`/repos/ada/${name}/subscription`).expect(200);
    const one = await asOwner();
    await one.open("/notifications");
    await enter(one, "main a[href='/notifications/watching']");
    await one.page.waitForURL(/watching/);
    await one.ready();
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await enter(one, "button[aria-label='Unwatch: ada/garden']");
    await one.page.waitForURL(/saved=true/);
    expect(await one.page.locator("button[aria-label='Unwatch: ada/garden']").count()).toBe(0);

    const plain = await asOwner(narrow);
    await plain.open("/notifications/watching");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click("button[aria-label='Nicht mehr beobachten: ada/shed']");
    await plain.page.waitForURL(/saved=true/);
    expect(await plain.page.locator("a[href='/ada/shed']").count()).toBe(0);
  });
});
