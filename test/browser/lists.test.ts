import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { findShift, watchShift } from "../kit/layout-shift.ts";
import { inBrowser } from "../kit/real-browser.ts";
import { enter, narrow, shareShowcase, widthOf } from "../kit/shared-showcase.ts";

/** Dashboards, branches, commits and large files, with the keyboard and without scripts. */

inBrowser("lists", ({ visit }) => {
  const { showcase, asOwner } = shareShowcase(visit);

  test("the dashboard shows the contributions once they are loaded, without a shift, and links to them without scripts", async () => {
    const one = await asOwner();
    await one.page.addInitScript(watchShift);
    await one.open("/");
    await one.page.waitForSelector(".calendar svg rect");
    expect(await findShift(one.page)).toEqual([]);
    expect(await one.page.locator("[data-part]").count()).toBe(0);
    expect(await one.findAccessibilityIssues()).toEqual([]);
    // A part that cannot be loaded leaves its link.
    await one.page.route("**/-/contributions*", (route) => route.abort());
    await one.open("/");
    await one.page.waitForSelector(".calendar h2 a");
    one.pageErrors.splice(0);

    const plain = await asOwner(narrow);
    await plain.open("/");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click(".calendar a:has-text('Beiträge im letzten Jahr')");
    await plain.page.waitForURL(/\/ada$/);
    expect(await plain.page.locator(".calendar svg").count()).toBe(1);
  });

  test("a member changes between the own dashboard and that of an organization, with the keyboard and without scripts at 360 px", async () => {
    await showcase().owner.post("/orgs/gardeners/repos", { name: "tools" }).expect(201);
    await showcase()
      .owner.post("/repos/gardeners/tools/issues", { title: "Sharpen the shears", assignees: ["ada"] })
      .expect(201);
    const one = await asOwner();
    await one.open("/");
    await enter(one, ".heading .menu > summary");
    await enter(one, ".heading .menu a[href='/org/gardeners/dashboard']");
    await one.page.waitForURL(/\/org\/gardeners\/dashboard$/);
    await one.ready();
    await one.page.waitForSelector("text=Sharpen the shears");
    expect(await one.page.locator("main a[href='/ada/garden']").count()).toBe(0);
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await asOwner(narrow);
    await plain.open("/org/gardeners/dashboard");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click(".heading .menu > summary");
    await plain.page.click(".heading .menu a[href='/']");
    await plain.page.waitForURL(`${showcase().forge.url}/`);
    expect(await plain.page.locator("aside a[href='/ada/garden']").count()).toBe(1);
  });

  test("branches are shown in groups, of which one is opened and searched, with the keyboard and without scripts at 360 px", async () => {
    const path = `${showcase().garden.path}/branches`;
    const one = await asOwner();
    await one.open(path);
    expect(await one.page.locator("main h2").allInnerTexts()).toContain("Default branch");
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await enter(one, `.lists a[href='${path}?view=all']`);
    await one.page.waitForURL(/view=all/);
    await one.ready();
    expect(await one.page.locator(".commits .what > a").allInnerTexts()).toEqual(expect.arrayContaining(["main", "valve", "drip", "beds"]));
    await one.page.focus("main [name=q]");
    await one.page.keyboard.type("val");
    await Promise.all([one.page.waitForURL(/q=val/), one.page.keyboard.press("Enter")]);
    await one.ready();
    expect(await one.page.locator(".commits .what > a").allInnerTexts()).toEqual(["valve"]);

    const plain = await asOwner(narrow);
    await plain.open(path);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click(`.lists a[href='${path}?view=active']`);
    await plain.page.waitForURL(/view=active/);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
  });

  test("commits are found by a word and an author, and the search is undone, with the keyboard and without scripts at 360 px", async () => {
    const path = `${showcase().garden.path}/commits/branch/main`;
    const one = await asOwner();
    await one.open(path);
    const total = await one.page.locator(".commits > li").count();
    await one.page.focus("main form.find [name=q]");
    await one.page.keyboard.type("beds");
    await Promise.all([one.page.waitForURL(/q=beds/), one.page.keyboard.press("Enter")]);
    await one.ready();
    const found = await one.page.locator(".commits .what > a").allInnerTexts();
    expect([found.length > 0, found.length < total || total === 1, found.every((title) => title.includes("beds"))]).toEqual([true, true, true]);
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await enter(one, "main form.find summary");
    await one.page.focus("main form.find [name=author]");
    await one.page.keyboard.type("nobody at all");
    await Promise.all([one.page.waitForURL(/author=nobody/), one.page.keyboard.press("Enter")]);
    await one.ready();
    await one.page.waitForSelector("text=No commits match");
    expect(await one.page.inputValue("main form.find [name=q]")).toBe("beds");
    await enter(one, `main .empty a[href='${path}']`);
    await one.page.waitForURL(new RegExp(`${path}$`));
    expect(await one.page.locator(".commits > li").count()).toBe(total);

    const plain = await asOwner(narrow);
    await plain.open(path);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click("main form.find summary");
    await plain.page.fill("main form.find [name=author]", "Ann");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await Promise.all([plain.page.waitForURL(/author=Ann/), plain.page.click("form.find:has([name=author]) > button")]);
    expect(await plain.page.locator(".commits .what > a").count()).toBeGreaterThan(0);
  });

  test("large files are listed, and a file is unlocked, with the keyboard and without scripts at 360 px", async () => {
    const base = `${showcase().forge.url}${showcase().garden.path}.git/info/lfs`;
    const authorization = `Basic ${Buffer.from(`ada:${showcase().owner.token}`).toString("base64")}`;
    const content = Buffer.from("a picture of a bed");
    const oid = createHash("sha256").update(content).digest("hex");
    expect((await fetch(`${base}/objects/${oid}/${content.length}`, { method: "PUT", headers: { authorization }, body: content })).status).toBe(200);
    const type = "application/vnd.git-lfs+json";
    for (const path of ["art/first.psd", "art/second.psd"]) {
      const lock = { method: "POST", headers: { authorization, "content-type": type, accept: type }, body: JSON.stringify({ path }) };
      expect((await fetch(`${base}/locks`, lock)).status).toBe(201);
    }
    const path = `${showcase().garden.path}/settings/lfs`;
    const one = await asOwner();
    await one.open(`${showcase().garden.path}/settings`);
    await enter(one, `a[href='${path}']`);
    await one.page.waitForURL(/\/lfs$/);
    await one.ready();
    await one.page.waitForSelector(`text=${oid}`);
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await enter(one, "button[aria-label='Force unlock: art/first.psd']");
    await enter(one, "dialog.confirmation button.danger");
    await one.page.waitForURL(/saved=true/);
    expect(await one.page.locator("bdi").allInnerTexts()).toEqual(["art/second.psd"]);

    const plain = await asOwner(narrow);
    await plain.open(path);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click("button[aria-label$=': art/second.psd']");
    await plain.page.waitForURL(/saved=true/);
    expect(await plain.page.locator("bdi").count()).toBe(0);
  });

  test("a commit is commented on, and the comment edited, with the keyboard and without scripts at 360 px", async () => {
    const path = `${showcase().garden.path}/commit/${showcase().garden.commit}`;
    const one = await asOwner();
    await one.open(path);
    await one.ready();
    await one.page.keyboard.press("c");
    await one.page.waitForSelector("#answer textarea:focus");
    await one.page.keyboard.type("The **south** bed.");
    await one.page.keyboard.press("Control+Enter");
    await one.page.waitForSelector("#comments .markdown strong:has-text('south')");
    await one.ready();
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await asOwner(narrow);
    await plain.open(path);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click("#comments li:has-text('south') a:has-text('Bearbeiten')");
    await plain.page.fill("[name=content]", "The north bed.");
    await plain.page.click("main form button[type=submit]");
    await plain.page.waitForURL(/#commitcomment-/);
    expect(await plain.page.locator("#comments li:has-text('north')").count()).toBe(1);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
  });

  test("a branch is created from an issue, with the keyboard and without scripts at 360 px", async () => {
    const path = `${showcase().garden.path}/issues/${showcase().garden.issue}`;
    const one = await asOwner();
    await one.open(path);
    await enter(one, "#side-development summary");
    expect(await one.page.inputValue("#side-development [name=name]")).toBe(`${showcase().garden.issue}-the-north-bed-stays-dry`);
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await one.page.focus("#side-development [name=name]");
    await Promise.all([one.page.waitForURL(/#side-development$/), one.page.keyboard.press("Enter")]);
    await one.page.waitForSelector("#side-development a:has-text('the-north-bed')");
    await one.ready();
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await asOwner(narrow);
    await plain.open(path);
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
    await plain.page.click("#side-development .panel > summary");
    await plain.page.fill("#side-development [name=name]", "main");
    await plain.page.click("#side-development button[type=submit]");
    await plain.page.waitForSelector("text=existiert bereits");
    expect(await plain.page.inputValue("[name=name]")).toBe("main");
    expect(await widthOf(plain)).toBeLessThanOrEqual(360);
  });
});
