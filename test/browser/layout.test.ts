import { afterAll, beforeAll, expect, test } from "vitest";
import { findShift, watchShift } from "../kit/layout-shift.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";
import { openSlowLine } from "../kit/slow-line.ts";

/** Forms, tables and lists, as they are laid out. */

inBrowser("layout", ({ visit }) => {
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

  test("the form of a branch rule shows fields only while they apply, without a script", async () => {
    const one = await asOwner({ javaScriptEnabled: false });
    const { page, open } = one;
    await open(`${showcase.garden.path}/settings/branches/new`);
    const shown = async (): Promise<readonly string[]> => {
      const names = ["enable_push_whitelist", "push_whitelist_usernames", "enable_force_push", "status_check_contexts"];
      const visible = await Promise.all(names.map((name) => page.locator(`[name=${name}]`).isVisible()));
      return names.filter((_name, at) => visible[at]);
    };
    expect(await shown()).toEqual([]);
    await page.check("[name=enable_push]");
    expect(await shown()).toEqual(["enable_push_whitelist", "enable_force_push"]);
    await page.check("[name=enable_push_whitelist]");
    expect(await shown()).toEqual(["enable_push_whitelist", "push_whitelist_usernames", "enable_force_push"]);
    await page.fill("[name=rule_name]", "main");
    await page.fill("[name=push_whitelist_usernames]", "nobody-here");
    await page.check("[name=enable_status_check]");
    await page.click("main [type=submit]");
    await page.waitForSelector("form[data-refused]");
    expect(await shown()).toEqual(["enable_push_whitelist", "push_whitelist_usernames", "enable_force_push", "status_check_contexts"]);
    expect(await page.inputValue("[name=push_whitelist_usernames]")).toBe("nobody-here");
  });

  test("nothing moves on a page that arrives in small parts", { timeout: 120_000 }, async () => {
    const { path, issue, pull, conflictingPull } = showcase.garden;
    await using line = await openSlowLine(showcase.forge.url);
    const cookies = await (await asOwner()).context.cookies();
    const ofRepository = ["", "/issues", "/pulls", `/issues/${issue}`, `/pulls/${pull}/files`, `/pulls/${conflictingPull}/conflicts`];
    ofRepository.push("/commits/branch/main", "/branches", "/activity", "/graph", "/src/branch/main/data/long.txt", "/wiki", "/compare/main...valve");
    const found: Record<string, readonly string[]> = {};
    const waiting = ["/", "/issues", "/notifications", "/explore/repos", "/ada", "/gardeners", ...ofRepository.map((part) => path + part)];
    const walk = async (): Promise<void> => {
      const { context, page, open } = await visit(line.url);
      await context.addCookies(cookies);
      await page.addInitScript(watchShift);
      for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
        await open(address);
        const moved = await findShift(page);
        if (moved.length > 0) found[address] = moved;
      }
    };
    // The pages arrive slowly, and meanwhile the machine is idle.
    await Promise.all([walk(), walk()]);
    expect(found).toEqual({});
  });

  test("people and organizations have their picture wherever a list, a commit or a comment names them", async () => {
    const { path, issue, pull, commit } = showcase.garden;
    await showcase.owner.put("/repos/ada/garden/collaborators/ben", { permission: "read" }).expect(204);
    const one = await visit(showcase.forge.url);
    await one.enterAs(showcase.forge.admin);
    const places: Readonly<Record<string, string>> = {
      "/-/admin/users": ".rows > li",
      "/-/admin/orgs": ".rows > li",
      [path]: ".latest",
      [`${path}/src/branch/main/src/water.js`]: ".latest",
      [`${path}/blame/branch/main/src/water.js`]: ".blame .by",
      [`${path}/commits/branch/main`]: ".commits > li",
      [`${path}/commit/${commit}`]: "main header:has(time)",
      [`${path}/graph`]: ".graph > li",
      [`${path}/graphs/contributors`]: ".contributors > li",
      [`${path}/branches`]: ".commits > li",
      [`${path}/releases`]: ".box > header",
      [`${path}/issues/${issue}`]: ".timeline > li",
      [`${path}/pulls/${pull}`]: ".timeline > li, .review-comment, .standing",
      [`${path}/settings/collaboration`]: ".rows:first-of-type > li",
      "/org/gardeners/members": ".rows > li",
    };
    const bare: Record<string, readonly [rows: number, withoutPicture: number]> = {};
    for (const [at, selector] of Object.entries(places)) {
      await one.open(at);
      const rows = one.page.locator(selector);
      const [count, pictured] = [await rows.count(), await rows.filter({ has: one.page.locator("img.avatar") }).count()];
      if (count === 0 || pictured < count) bare[at] = [count, count - pictured];
    }
    expect(bare).toEqual({});
  });

  test.each(["light", "dark"] as const)("pages of the gallery have enough contrast for readers who prefer more of it: %s", async (colorScheme) => {
    const one = await asOwner({ colorScheme, contrast: "more" });
    const { path, issue, pull } = showcase.garden;
    const found: Record<string, readonly string[]> = {};
    for (const at of [
      path,
      `${path}/src/branch/main/src/water.js`,
      "/",
      `${path}/issues`,
      `${path}/issues/${issue}`,
      `${path}/pulls/${pull}/files`,
      "/-/design",
    ]) {
      await one.open(at);
      const issues = await one.findAccessibilityIssues({ onlyColours: true });
      if (issues.length > 0) found[at] = issues;
    }
    expect(found).toEqual({});
  });

  test.each([
    [360, "en-GB", 2],
    [360, "de-DE", 2],
    [768, "de-DE", 1],
    [1280, "en-GB", 1],
  ])("the header at %i px in %s has %i rows", async (width, locale, rows) => {
    const one = await asOwner({ viewport: { width, height: 740 }, locale });
    await one.open("/");
    const parts = await one.page.locator(".site > *").all();
    const middles = await Promise.all(parts.map(async (part) => (await part.boundingBox()) ?? { y: 0, height: 0 }));
    expect([parts.length, new Set(middles.map(({ y, height }) => Math.round((y + height / 2) / 8))).size]).toEqual([4, rows]);
  });

  test.each([360, 768, 1280])("no word of the configuration is broken at %i px", async (width) => {
    const one = await visit(showcase.forge.url, { viewport: { width, height: 740 } });
    await one.enterAs(showcase.forge.admin);
    await one.open("/-/admin/config");
    /** Words of the settings, and those that are on more than one line. */
    const words = `(() => {
      const counts = { words: 0, broken: [] };
      for (const cell of document.querySelectorAll("main td strong, main td .soft, main th, main .badge")) {
        for (const node of cell.childNodes) {
          for (const { index, 0: word } of (node.nodeValue ?? "").matchAll(/[\\p{L}_]+/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            counts.words += 1;
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) counts.broken.push(word);
          }
        }
      }
      return counts;
    })()`;
    const { words: count, broken } = (await one.page.evaluate(words)) as { words: number; broken: readonly string[] };
    expect([count > 500, broken]).toEqual([true, []]);
  });

  test("a page has one primary action at most", async () => {
    const { path, issue, pull } = showcase.garden;
    const one = await asOwner();
    const pages = ["/", "/ada", "/repo/create", "/org/gardeners/teams", "/org/gardeners/members", "/user/settings/organizations", showcase.emptyPath];
    const below = ["", "/issues", `/issues/${issue}`, "/issues/new", "/pulls", `/pulls/${pull}`, "/labels", "/milestones", "/releases", "/wiki", "/branches"];
    const settings = ["/settings", "/settings/branches", "/settings/hooks"];
    /** Visible elements of the page with the colors of a primary action. */
    const primaries = `(() => {
      const probe = document.body.appendChild(Object.assign(document.createElement("button"), { className: "primary" }));
      const merge = document.body.appendChild(Object.assign(document.createElement("button"), { className: "primary merge" }));
      const colors = [probe, merge].map((element) => getComputedStyle(element).backgroundColor);
      probe.remove();
      merge.remove();
      const seen = [...document.querySelectorAll("main :is(button, .button)")].filter((element) => element.checkVisibility());
      return seen.filter((element) => colors.includes(getComputedStyle(element).backgroundColor)).map((element) => element.textContent.trim());
    })()`;
    const several: Record<string, readonly string[]> = {};
    let count = 0;
    for (const at of [...pages, ...[...below, ...settings].map((page) => path + page)]) {
      await one.open(at);
      const found = (await one.page.evaluate(primaries)) as readonly string[];
      count += found.length;
      if (found.length > 1) several[at] = found;
    }
    expect([several, count > 10]).toEqual([{}, true]);
  });

  test("a pull request that waits for approvals has one primary action", async () => {
    const { path, largePull } = showcase.garden;
    await showcase.owner.post("/repos/ada/garden/branch_protections", { rule_name: "main", required_approvals: 2 }).expect(201);
    const one = await asOwner();
    await one.open(`${path}/pulls/${largePull}`);
    const primaries = (await one.page.evaluate(`(() => {
      const probe = document.body.appendChild(Object.assign(document.createElement("button"), { className: "primary" }));
      const color = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return [...document.querySelectorAll("main button")].filter((element) => getComputedStyle(element).backgroundColor === color).length;
    })()`)) as number;
    await showcase.owner.delete("/repos/ada/garden/branch_protections/main").expect(204);
    expect([primaries, await one.page.getByRole("button", { name: "Enable auto-merge" }).count()]).toEqual([0, 1]);
  });

  test.each([360, 1280])("the heading of a changed file at %i px is its only row above the lines, and hides them", async (width) => {
    const { path, pull } = showcase.garden;
    const one = await asOwner({ viewport: { width, height: 800 } });
    await one.open(`${path}/pulls/${pull}/files`);
    const file = one.page.locator(".change").first();
    const boxOf = async (selector: string) => (await file.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [heading, lines, fold] = [await boxOf("header"), await boxOf("table"), await boxOf(".fold")];
    expect(Math.abs(lines.y - (heading.y + heading.height))).toBeLessThan(1.5);
    expect([fold.y >= heading.y, fold.y + fold.height <= heading.y + heading.height]).toEqual([true, true]);
    expect(await file.locator("header").innerText()).toContain("+1");
    // A long name wraps the heading: the arrow stays in its first line, and the numbers of lines beside it can be clicked.
    await one.page.evaluate("document.querySelector('.change > header h2 a').textContent = 'src/watering/'.repeat(12)");
    await one.page.evaluate("document.querySelector('.change').scrollIntoView()");
    const [wrapped, arrow] = [await boxOf("header"), await boxOf(".fold")];
    expect([arrow.y - wrapped.y < 8, wrapped.height > 2 * arrow.height || width > 360]).toEqual([true, true]);
    const [comment, viewed] = [await boxOf(".file-comment"), await boxOf("form.viewed button")];
    expect(Math.abs(comment.y + comment.height / 2 - viewed.y - viewed.height / 2)).toBeLessThan(2);
    const line = (await one.page.evaluate(
      "(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('.change > header h2')); const { y, height } = range.getClientRects()[0]; return y + height / 2; })()",
    )) as number;
    expect(Math.abs(line - (arrow.y + arrow.height / 2))).toBeLessThan(2);
    const [x, y] = [arrow.x + arrow.width / 2, wrapped.y + wrapped.height + 30];
    expect(await one.page.evaluate(`document.elementFromPoint(${x}, ${y}).closest("summary")`)).toBeNull();
    await file.locator("header .menu > summary").click();
    const [arrowX, arrowY] = [arrow.x + arrow.width / 2, arrow.y + arrow.height / 2];
    expect(await one.page.evaluate(`document.elementFromPoint(${arrowX}, ${arrowY}).closest(".fold")`)).not.toBeNull();
    await one.page.keyboard.press("Escape");
    await file.locator(".fold").click();
    expect(await file.locator("table").isVisible()).toBe(false);
    await file.locator("> details > summary").focus();
    await one.page.keyboard.press("Enter");
    expect(await file.locator("table").isVisible()).toBe(true);
  });

  test("the button to discard a review has room above it", async () => {
    const { path, pull } = showcase.garden;
    const one = await asOwner();
    await one.open(`${path}/pulls/${pull}/files?file=0&on=new-1#write`);
    await one.page.fill("#write [name=content]", "Slowly?");
    await one.page.click("#write button[value=review]");
    await one.page.locator(".menu.review > summary").click();
    const button = one.page.getByRole("button", { name: "Discard review" });
    const [above, own] = [await one.page.getByRole("button", { name: "Submit review" }).boundingBox(), await button.boundingBox()];
    expect((own?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThanOrEqual(12);
    await button.click();
    await one.page.click("dialog .danger");
    await one.page.waitForURL((url) => !url.search.includes("on="));
  });

  test("the parts of the merge box have room between them, and its missing checks are indented", async () => {
    const api = `/repos${showcase.garden.path}`;
    const { owner } = showcase;
    await owner.post(`${api}/contents/drafted.txt`, { content: "YQ==", message: "Draft", branch: "main", new_branch: "drafted" }).expect(201);
    const { number } = await owner.post<{ number: number }>(`${api}/pulls`, { head: "drafted", base: "main", title: "WIP: Drafted" }).expect(201);
    await owner.post(`${api}/contents/newer.txt`, { content: "YQ==", message: "Newer", branch: "main" }).expect(201);
    await owner.post(`${api}/branch_protections`, { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci/test"] }).expect(201);
    const { page, open } = await asOwner();
    await open(`${showcase.garden.path}/pulls/${number}`);
    const box = page.locator("#merging");
    const boxOf = async (selector: string) => (await box.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [ready, update] = [await boxOf("form[action$='/draft']"), await boxOf("form[action$='/update']")];
    expect(update.y - ready.y - ready.height).toBeGreaterThanOrEqual(12);
    const [check, requirement, next] = [
      await boxOf(".requirements li li"),
      await boxOf(".requirements > li:has(ul)"),
      await boxOf(".requirements > li:has(ul) + li, .requirements + *"),
    ];
    expect(check.x - requirement.x).toBeGreaterThanOrEqual(32);
    expect(next.y - check.y - check.height).toBeLessThanOrEqual(24);
    await owner.delete(`${api}/branch_protections/main`).expect(204);
  });

  test("the two kinds of a comparison are in one line at 1280 px, in German", async () => {
    const one = await asOwner({ locale: "de-DE" });
    await one.open(`${showcase.garden.path}/compare/main...${showcase.garden.pullCommit}`);
    const links = await one.page.locator(".compare-ends > .switch > a").all();
    const tops = await Promise.all(links.map(async (link) => (await link.boundingBox())?.y));
    expect([links.length, new Set(tops).size]).toEqual([2, 1]);
  });

  test.each(["en-GB", "de-DE"])("the watch menu fits into the page at 360 px: %s", async (locale) => {
    const one = await asOwner({ locale, viewport: { width: 360, height: 740 } });
    await one.open(showcase.garden.path);
    await one.page.click(".marks .menu > summary");
    const box = await one.page.locator(".marks .sheet").boundingBox();
    expect(box).toMatchObject({ x: expect.any(Number), width: expect.any(Number) });
    const { x = -1, width = 0 } = box ?? {};
    expect([x >= 0, x + width <= 360]).toEqual([true, true]);
    expect(await one.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await one.findAccessibilityIssues()).toEqual([]);
  });

  test("the icon of a draft is in the line of its title", async () => {
    const { owner, garden } = showcase;
    await owner.post("/repos/ada/garden/branches", { new_branch_name: "unfinished", old_branch_name: "valve" }).expect(201);
    const { number } = await owner.post<{ number: number }>("/repos/ada/garden/pulls", { head: "unfinished", base: "main", title: "WIP: Later" }).expect(201);
    const { page, open } = await asOwner({ viewport: { width: 360, height: 740 } });
    await open(`${garden.path}/pulls?q=is%3Adraft`);
    const icon = await page.locator(".state.draft").first().boundingBox();
    const title = await page.locator(`main a[href$="/pulls/${number}"]`).first().boundingBox();
    expect(Math.abs((icon?.y ?? 0) - (title?.y ?? 99))).toBeLessThan(8);
    expect(
      await page
        .locator(".state.draft")
        .first()
        .evaluate((element) => getComputedStyle(element).display),
    ).not.toBe("flex");
  });

  test("the role of a collaborator and its buttons are in one line", async () => {
    await showcase.owner.put("/repos/ada/garden/collaborators/ben", { permission: "read" }).expect(204);
    const one = await asOwner();
    await one.open(`${showcase.garden.path}/settings/collaboration`);
    const parts = await one.page.locator(".rows li").first().locator("select, button").all();
    const middles = await Promise.all(parts.map(async (part) => (await part.boundingBox()) ?? { y: 0, height: 0 }));
    expect([parts.length, new Set(middles.map(({ y, height }) => Math.round((y + height / 2) / 8))).size]).toEqual([3, 1]);
  });

  test("the fields of settings are in a column of at most 640 px, and the buttons of the danger zone have one width", async () => {
    const one = await asOwner({ viewport: { width: 1680, height: 900 } });
    await one.open(`${showcase.garden.path}/settings`);
    const widths = await one.page.evaluate("[...document.querySelectorAll('form.stack, .danger-zone')].map((part) => part.offsetWidth)");
    expect(widths).toEqual([640, 640, 640]);
    const buttons = (await one.page.evaluate(
      "[...document.querySelectorAll('.danger-zone :is(button, .button)')].map((part) => part.offsetWidth)",
    )) as number[];
    expect([buttons.length, new Set(buttons).size]).toEqual([5, 1]);
  });

  test("forms of organizations and teams are at most 640 px wide", async () => {
    const one = await asOwner({ viewport: { width: 1280, height: 900 } });
    const widths: Record<string, number> = {};
    for (const path of [
      "/org/create",
      "/org/gardeners/teams/new",
      "/org/gardeners/teams/waterers",
      "/org/gardeners/teams/waterers/edit",
      "/org/gardeners/members",
    ]) {
      await one.open(path);
      const boxes = await one.page.locator("main form.stack input:visible, main form.stack textarea").all();
      widths[path] = Math.max(...(await Promise.all(boxes.map(async (box) => (await box.boundingBox())?.width ?? 0))));
    }
    expect(Object.entries(widths).filter(([, width]) => width < 200 || width > 640)).toEqual([]);
  });

  test("the heading of pinned repositories and the link to change them are in one line", async () => {
    const one = await asOwner();
    await one.open("/gardeners");
    const { page } = one;
    const boxOf = async (selector: string) => page.locator(`main .pinned ${selector}`).first().boundingBox();
    const [heading, link, note] = [await boxOf("h2"), await boxOf(".bar a"), await boxOf("> p")];
    expect((link?.x ?? 0) > (heading?.x ?? 0) + 300 && (note?.y ?? 0) > (heading?.y ?? 0) + 10 && note?.x === heading?.x).toBe(true);
  });

  test("the field that leads to a file and the times of files are not cut at 360 px, in German", async () => {
    const one = await asOwner({ viewport: { width: 360, height: 740 }, locale: "de-DE" });
    await one.open(showcase.garden.path);
    const cut = `[...document.querySelectorAll(".field-like span, .files .when, .files td:last-child")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => element.textContent)`;
    expect(await one.page.evaluate(cut)).toEqual([]);
  });
});
