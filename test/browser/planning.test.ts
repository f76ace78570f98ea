import { afterAll, beforeAll, expect, test } from "vitest";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Issues are found, planned and changed together, with and without scripts. */

inBrowser("planning", ({ visit }) => {
  let showcase: Showcase;
  beforeAll(async () => {
    showcase = await openShowcase();
    const { owner } = showcase;
    const label = await owner.post("/repos/ada/garden/labels", { name: "good first issue", color: "#7057ff" }).expect(201);
    for (let at = 1; at <= 32; at += 1)
      await owner.post("/repos/ada/garden/issues", { title: `Valve ${at}`, labels: at % 4 === 0 ? [label.id] : [] }).expect(201);
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  const list = "/ada/garden/issues";
  const asOwner = async (options = {}): Promise<Visit> => {
    const visited = await visit(showcase.forge.url, options);
    await visited.enterAs(showcase.owner);
    return visited;
  };
  const query = ({ page }: Visit): string | null => new URL(page.url()).searchParams.get("q");
  const requested = async (): Promise<unknown> => {
    const reviews = await showcase.owner
      .get<{ state: string; user: { login: string } }[]>(`/repos/ada/garden/pulls/${showcase.garden.pull}/reviews`)
      .expect(200);
    return reviews.filter(({ state }) => state === "REQUEST_REVIEW").map(({ state, user }) => [user.login, state]);
  };
  const issueOf = (number: number) => showcase.owner.get(`/repos/ada/garden/issues/${number}`).expect(200);

  test("the menus and the box of a list lead to the same queries, with the keyboard only", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(list);
    await page.focus(".filter[data-key=label] > summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".filter[data-key=label][open] input:focus");
    await page.keyboard.type("good");
    expect(await page.locator(".filter[data-key=label] a[data-value]:visible").allInnerTexts()).toEqual(["good first issue"]);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("q") === 'is:open label:"good first issue"');
    await one.ready();
    const fromMenu = await page.locator(".issues h2 > a[dir]").allInnerTexts();
    expect(fromMenu).toHaveLength(8);

    await open(list);
    await page.focus("[data-query]");
    await page.keyboard.press("End");
    await page.keyboard.type(" lab");
    await page.waitForSelector(".suggestions [aria-selected=true]:has-text('label:')");
    await page.keyboard.press("Enter");
    await page.keyboard.type("go");
    await page.waitForSelector(".suggestions [aria-selected=true]:has-text('good first issue')");
    await page.keyboard.press("Enter");
    expect(await page.inputValue("[data-query]")).toBe('is:open label:"good first issue" ');
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("q")?.trim() === 'is:open label:"good first issue"');
    await one.ready();
    expect(await page.locator(".issues h2 > a[dir]").allInnerTexts()).toEqual(fromMenu);
    await page.click("text=Clear search and filters");
    await page.waitForURL((url) => url.search === "");

    await open(`${list}?q=is%3Aopen+label%3Anosuch+no%3Areason`);
    expect(await page.textContent(".notice.bad")).toContain("do not exist: no:reason, label:nosuch.");
    expect(await one.findAccessibilityIssues()).toEqual([]);
  });

  test("the menus across repositories build queries, and a query is saved, chosen, renamed and deleted, with and without scripts", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open("/issues?q=is%3Aopen");
    await page.focus(".filter[data-key=label] > summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".filter[data-key=label][open] input:focus");
    await page.keyboard.type("good");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("q") === 'is:open label:"good first issue"');
    await one.ready();
    await page.click(".filter[data-key=repo] > summary");
    await page.click(".filter[data-key=repo] [data-value='ada/garden']");
    await page.waitForURL((url) => url.searchParams.get("q") === 'is:open label:"good first issue" repo:ada/garden');
    await one.ready();
    const found = await page.locator(".issues h2 > a[dir]").allInnerTexts();
    expect(found).toHaveLength(8);
    await page.fill("[data-query]", 'is:open label:"good first issue" repo:ada/garden');
    await page.press("[data-query]", "Enter");
    await one.ready();
    expect(await page.locator(".issues h2 > a[dir]").allInnerTexts()).toEqual(found);

    await page.focus(".searches > summary");
    await page.keyboard.press("Enter");
    await page.fill(".searches [name=name]", "First issues");
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".searches > summary:has-text('First issues')");
    expect(query(one)).toBe('is:open label:"good first issue" repo:ada/garden');

    const plain = await asOwner({ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" });
    await plain.open("/issues");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await plain.page.click(".searches > summary");
    await plain.page.click(".searches a:has-text('First issues')");
    await plain.page.waitForURL((url) => url.searchParams.get("q") === 'is:open label:"good first issue" repo:ada/garden');
    await plain.page.click(".searches > summary");
    await plain.page.click(".searches a[href='/user/settings/searches']");
    await plain.page.click(".rows a.button");
    await plain.page.fill("main [name=name]", "Einfache Issues");
    await plain.page.fill("main [name=query]", " ");
    await plain.page.click("text=Suche aktualisieren");
    await plain.page.waitForSelector(".wrong");
    expect(await plain.page.inputValue("main [name=name]")).toBe("Einfache Issues");
    await plain.page.fill("main [name=query]", "is:open");
    await plain.page.click("text=Suche aktualisieren");
    await plain.page.waitForSelector(".rows a:has-text('Einfache Issues')");
    await plain.page.click("button[aria-label='Löschen: Einfache Issues']");
    await plain.page.waitForSelector("text=Keine gespeicherten Suchen");
  });

  test("notifications show their reason, and are chosen for each reason, with the keyboard and without scripts at 360 px", async () => {
    await showcase.owner.post("/repos/ada/garden/issues", { title: "For you", body: `@${showcase.reader.name}` }).expect(201);
    const one = await visit(showcase.forge.url);
    await one.enterAs(showcase.reader);
    await one.open("/notifications");
    await one.page.waitForSelector(".commits li:has-text('For you') .who:has-text('You were mentioned')");
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await one.page.click("main a[href='/user/settings/notifications']");
    await one.page.waitForSelector("select[name=mention]");
    await one.ready();
    await one.page.focus("select[name=watch]");
    await one.page.keyboard.type("None");
    await one.page.keyboard.press("Tab");
    await one.page.keyboard.press("Enter");
    await one.page.waitForURL(/saved=true/);
    await one.ready();
    expect(await one.page.inputValue("select[name=watch]")).toBe("none");
    expect(await one.findAccessibilityIssues()).toEqual([]);

    const plain = await visit(showcase.forge.url, { javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" });
    await plain.enterAs(showcase.reader);
    await plain.open("/user/settings/notifications");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await plain.page.inputValue("select[name=watch]")).toBe("none");
    await plain.page.selectOption("select[name=watch]", { label: "Web und E-Mail" });
    await plain.page.click("text=Benachrichtigungseinstellungen speichern");
    await plain.page.waitForURL(/saved=true/);
    expect(await plain.page.inputValue("select[name=watch]")).toBe("both");
    await plain.open("/notifications?status=all");
  });

  test("the page of a milestone shows its progress and issues, which are reordered with the keyboard and without scripts at 360 px", async () => {
    const milestone = await showcase.owner.post("/repos/ada/garden/milestones", { title: "Spring 2031", description: "All **beds**" }).expect(201);
    const numbers: number[] = [];
    for (const title of ["First", "Second", "Third"])
      numbers.push((await showcase.owner.post("/repos/ada/garden/issues", { title, milestone: milestone.id }).expect(201)).number);
    await showcase.owner.patch(`/repos/ada/garden/issues/${numbers[0]}`, { state: "closed" }).expect(201);
    const path = `/ada/garden/milestone/${milestone.id}`;
    const titles = ({ page }: Visit) => page.locator(".issues h2 > a[dir]").allInnerTexts();

    const one = await asOwner();
    await one.open(path);
    expect([await titles(one), await one.page.textContent("h1:has-text('Spring 2031')")]).toEqual([["Third", "Second"], "Spring 2031"]);
    await one.page.waitForSelector("text=2 open, 1 closed (33 %)");
    await one.page.focus(`#move-${numbers[1]} > summary`);
    await one.page.keyboard.press("Enter");
    expect(await one.findAccessibilityIssues()).toEqual([]);
    await one.page.keyboard.press("Tab");
    await one.page.keyboard.press("Enter");
    await one.page.waitForURL(new RegExp(`#move-${numbers[1]}$`));
    await expect.poll(() => titles(one)).toEqual(["Second", "Third"]);

    const plain = await asOwner({ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" });
    await plain.open(path);
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await plain.page.click(`#move-${numbers[1]} > summary`);
    await plain.page.click(`#move-${numbers[1]} button[value=down]`);
    await plain.page.waitForURL(/#move-/);
    expect(await titles(plain)).toEqual(["Third", "Second"]);
    await plain.page.click(".list-header a:has-text('Geschlossen')");
    await plain.page.waitForURL(/state=closed/);
    expect(await titles(plain)).toEqual(["First"]);
    const reader = await visit(showcase.forge.url);
    await reader.open(path);
    expect([await titles(reader), await reader.page.locator(".issues .menu").count()]).toEqual([["Third", "Second"], 0]);
  });

  test("the title and state of a conversation stay in sight when it is scrolled, and lead back to its top", async () => {
    const title = `Long ${"title ".repeat(30)}`.trim();
    const { number } = await showcase.owner.post("/repos/ada/garden/issues", { title, body: "line\n\n".repeat(100) }).expect(201);
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      const one = await asOwner({ viewport, colorScheme: viewport.width === 360 ? "dark" : "light" });
      const { page } = one;
      for (const path of [`${list}/${number}`, `/ada/garden/pulls/${showcase.garden.pull}`]) {
        await one.open(path);
        const bar = page.locator(".stuck-title");
        expect(await bar.isVisible()).toBe(false);
        await page.evaluate("scrollTo({ top: document.body.scrollHeight })");
        await bar.waitFor({ state: "visible" });
        expect(await bar.locator(".state-badge").textContent()).toBe("Open");
        expect(await bar.evaluate((element) => [element.getBoundingClientRect().top, element.getBoundingClientRect().height < 60])).toEqual([0, true]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(viewport.width);
        expect(await one.findAccessibilityIssues()).toEqual([]);
        await bar.locator("a").click();
        await bar.waitFor({ state: "hidden" });
        expect(await page.evaluate("scrollY")).toBe(0);
      }
      // An element with the focus is not behind the bar.
      await one.open(`${list}/${number}`);
      await page.evaluate("scrollTo({ top: document.body.scrollHeight })");
      await page.evaluate("document.querySelector('.timeline .box a').focus()");
      await page.waitForFunction(
        "document.querySelector('.timeline .box a').getBoundingClientRect().top >= document.querySelector('.stuck-title').getBoundingClientRect().bottom",
      );
    }
  });

  test("a label and an assignee are changed in panels that save at once, and the timeline shows it", async () => {
    const one = await asOwner();
    const { page, open } = one;
    const { number } = await showcase.owner.post("/repos/ada/garden/issues", { title: "Plan" }).expect(201);
    await open(`${list}/${number}`);
    await page.click("#side-labels summary");
    await page.click("#side-labels label:has-text('bug')");
    await page.waitForSelector("#side-labels .values .label:has-text('bug')");
    await page.waitForSelector(".timeline .event:has-text('added the label')");
    expect(await page.locator("#side-labels .sheet").isVisible()).toBe(true);
    expect((await issueOf(number)).labels).toMatchObject([{ name: "bug" }]);
    await page.click("#side-labels label:has-text('bug')");
    await page.waitForSelector("#side-labels .values:has-text('None yet')");
    await page.keyboard.press("Escape");
    expect(await page.locator("#side-labels .sheet").isVisible()).toBe(false);
    await page.click("text=Assign yourself");
    await page.waitForSelector("#side-assignees .values:has-text('ada')");
    expect((await issueOf(number)).assignees).toMatchObject([{ login: "ada" }]);
    expect(await one.findAccessibilityIssues()).toEqual([]);
  });

  test("a review is requested again and withdrawn in a panel, with the keyboard only", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(`${showcase.garden.path}/pulls/${showcase.garden.pull}`);
    const values = "#side-reviewers .values";
    expect(await page.locator(`${values} .standing`).count()).toBe(1);
    await page.focus("#side-reviewers summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#side-reviewers [type=search]:focus");
    await page.focus("#side-reviewers [type=checkbox][value=ben]");
    await page.keyboard.press("Space");
    await page.waitForSelector(`${values}:has-text('awaiting review')`);
    await page.waitForSelector(".timeline .event:has-text('requested a review')");
    expect(await requested()).toEqual([["ben", "REQUEST_REVIEW"]]);
    await page.keyboard.press("Space");
    await page.waitForSelector(`${values} .standing button`);
    expect(await requested()).toEqual([]);
    expect(await one.findAccessibilityIssues()).toEqual([]);
  });

  test("a reviewer is named in the panel, and removed, without scripts at 360 px", async () => {
    const { page, open } = await asOwner({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await open(`${showcase.garden.path}/pulls/${showcase.garden.pull}`);
    await page.click("#side-reviewers summary");
    await page.fill("#side-reviewers [name=names]", "ben");
    await page.click("#side-reviewers .sheet button[type=submit]");
    await page.waitForSelector("#side-reviewers .values:has-text('awaiting review')");
    await page.click("#side-reviewers summary");
    await page.uncheck("#side-reviewers [type=checkbox][value=ben]");
    await page.click("#side-reviewers .sheet button[type=submit]");
    await page.waitForSelector("#side-reviewers .values .standing");
    expect(await requested()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(1);
  });

  test("all matches are changed after a preview, and the change is undone, without scripts at 360 px", async () => {
    const one = await asOwner({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const { page, open } = one;
    await open(`${list}?q=is%3Aopen+valve+in%3Atitle`);
    expect(await page.locator(".bulk > summary").isVisible()).toBe(false);
    await page.click(".issues .tick-box >> nth=0");
    await page.click(".bulk > summary");
    await page.selectOption(".bulk [name=state]", "close");
    await page.check(".bulk [name=all]");
    await page.click(".bulk button[type=submit]");
    await page.waitForSelector("text=These changes will be made to 32 items that match");
    await page.click("text=Change 32 items");
    await page.waitForSelector("text=32 items were changed.");
    expect(query(one)).toBe("is:open valve in:title");
    await page.click("text=Undo");
    await page.waitForSelector("text=The changes of 32 items were undone.");
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(1);
  });

  test("an issue is transferred from its side column without scripts at 360 px, and its former address leads to it", async () => {
    const { page, open } = await asOwner({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await showcase.owner.post("/user/repos", { name: "shed" }).expect(201);
    const { number } = await showcase.owner.post("/repos/ada/garden/issues", { title: "Belongs to the shed" }).expect(201);
    await open(`${list}/${number}`);
    await page.click(".side >> text=Transfer issue");
    await page.waitForURL(`**${list}/${number}/transfer`);
    expect(await page.locator("datalist option[value='ada/shed']").count()).toBe(1);
    await page.fill("[name=repository]", "ada/nowhere");
    await page.click(".narrow-form button[type=submit]");
    await page.waitForSelector(".wrong:has-text('There is no such repository')");
    expect(await page.inputValue("[name=repository]")).toBe("ada/nowhere");
    await page.fill("[name=repository]", "ada/shed");
    await page.click(".narrow-form button[type=submit]");
    await page.waitForURL("**/ada/shed/issues/1");
    await page.waitForSelector(`.timeline .event:has-text('transferred this from ada/garden#${number}')`);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(1);
    await page.click(`.timeline .event >> text=ada/garden#${number}`);
    await page.waitForURL("**/ada/shed/issues/1");
  });

  test("a label is changed on a page of its own without scripts", async () => {
    const one = await asOwner({ javaScriptEnabled: false });
    const { page, open } = one;
    const { number } = await showcase.owner.post("/repos/ada/garden/issues", { title: "Without scripts" }).expect(201);
    await open(`${list}/${number}`);
    await page.click("#side-labels summary");
    await page.check("#side-labels label:has-text('bug') input");
    await page.click("#side-labels button[type=submit]");
    await page.waitForSelector("#side-labels .values .label:has-text('bug')");
    expect((await issueOf(number)).labels).toMatchObject([{ name: "bug" }]);
  });

  test("pinned issues and repositories are dragged to the place of another one", async () => {
    const numbers: number[] = [];
    for (const title of ["First pin", "Second pin", "Third pin"]) {
      const { number } = await showcase.owner.post<{ number: number }>("/repos/ada/garden/issues", { title }).expect(201);
      await showcase.owner.post(`/repos/ada/garden/issues/${number}/pin`).expect(204);
      numbers.push(number);
    }
    const pinned = async (): Promise<readonly number[]> =>
      (await showcase.owner.get<{ number: number }[]>("/repos/ada/garden/issues/pinned").expect(200)).map(({ number }) => number);
    const [first, second, third] = numbers;
    const before = await pinned();
    const { page, open } = await asOwner();
    await open(list);
    await page.dragAndDrop("ul.pinned li:has-text('Third pin')", "ul.pinned li:has-text('First pin')");
    await page.waitForSelector("ul.pinned li:has-text('Third pin') + li:has-text('First pin')");
    expect(await pinned()).toEqual([...before.filter((number) => !numbers.includes(number)), third, first, second]);

    for (const name of ["one", "two", "three"]) await showcase.owner.post("/user/repos", { name: `pin-${name}` }).expect(201);
    await open("/user/settings/pins");
    for (const name of ["one", "two", "three"]) {
      await page.fill("input[name=repository]", `pin-${name}`);
      await page.press("input[name=repository]", "Enter");
      await page.waitForSelector(`.rows a:has-text('pin-${name}')`);
    }
    await page.dragAndDrop(".rows li:has-text('pin-one')", ".rows li:has-text('pin-three')");
    await page.waitForSelector(".rows li:has-text('pin-three') + li:has-text('pin-one')");
  });

  test("task items become issues with the keyboard, also after a tick in place, and without scripts at 360 px in German and dark", async () => {
    const { number } = await showcase.owner
      .post("/repos/ada/garden/issues", { title: "Season", body: "- [ ] Order the valves of the south bed\n- [ ] Dig\n- [ ] Sow\n" })
      .expect(201);
    const one = await asOwner();
    const { page, open } = one;
    await open(`${list}/${number}`);
    const saved = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
    await page.click("#issue input[type=checkbox] >> nth=1");
    await saved;
    await page.waitForSelector("#issue input[type=checkbox]:enabled >> nth=1");
    await page.focus("#issue input[type=checkbox] >> nth=0");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Create issue: Order the valves of the south bed");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#issue .task-list-item a:has-text('Order the valves of the south bed')");
    expect((await issueOf(number)).body).toBe(`- [ ] #${number + 1}\n- [x] Dig\n- [ ] Sow\n`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await one.findAccessibilityIssues()).toEqual([]);
    }

    await showcase.owner.patch(`/repos/ada/garden/issues/${number + 1}`, { state: "closed" }).expect(201);
    const plain = await asOwner({ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, hasTouch: true, locale: "de-DE", colorScheme: "dark" });
    await plain.open(`${list}/${number}`);
    expect(await plain.page.locator("#issue .task-list-item.done > input:checked").count()).toBe(1);
    await showcase.owner.patch(`/repos/ada/garden/issues/${number}`, { body: `- [ ] #${number + 1}\n- [x] Dig\n- [ ] Sow beans\n` }).expect(201);
    await plain.page.click("button[aria-label='Issue erstellen: Sow']");
    await plain.page.waitForSelector("text=Dieser Text wurde geändert");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await plain.page.click("text=Text erneut öffnen");
    await plain.page.click("button[aria-label='Issue erstellen: Sow beans']");
    await plain.page.waitForSelector("#issue .task-list-item a:has-text('Sow beans')");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
