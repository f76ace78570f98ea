import { afterAll, beforeAll, expect, test } from "vitest";
import { Result } from "../../src/wire/actions-protocol/runner.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { registerRunner } from "../kit/runner.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Common tasks of users, from the first click to the last. */

inBrowser("stories", ({ visit }) => {
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
  const arrived = async ({ page }: Visit, path: RegExp): Promise<void> => page.waitForURL((url) => path.test(url.pathname));
  /** A branch of the garden with an additional file. */
  const branchOff = async (name: string): Promise<void> => {
    await showcase.work.git("garden", "checkout", "-q", "-b", name, "main");
    await showcase.work.commit("garden", { [`${name}.txt`]: `${name}\n` }, `Add ${name}`);
    await showcase.work.git("garden", "push", "-q", `${showcase.owner.gitOrigin}${showcase.garden.path}.git`, name);
  };

  test("the header of a repository does not move between its pages, and nothing shifts while a page loads", async () => {
    const one = await asOwner({ viewport: { width: 1680, height: 700 } });
    const { path, pull, largePull, issue } = showcase.garden;
    const places: Record<string, readonly number[]> = {};
    for (const below of [
      "",
      "/issues",
      `/issues/${issue}`,
      `/pulls/${pull}`,
      `/pulls/${pull}/commits`,
      `/pulls/${largePull}/files`,
      "/commits/branch/main",
      "/compare/main...valve",
      "/wiki",
      "/settings",
    ]) {
      await one.open(path + below);
      await one.ready();
      const boxes = ["header.site .brand", ".repository h2, .repository strong, .repository a"].map((selector) =>
        one.page.locator(selector).first().boundingBox(),
      );
      const shift = `(async () => {
        const observer = new PerformanceObserver(() => undefined);
        observer.observe({ type: "layout-shift", buffered: true });
        for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
        return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
      })()`;
      places[below] = [...(await Promise.all(boxes)).map((box) => box?.x ?? -1), (await one.page.evaluate(shift)) as number];
    }
    const [first] = Object.values(places);
    expect(first?.[2]).toBe(0);
    expect(new Set(Object.values(places).map((place) => JSON.stringify(place)))).toEqual(new Set([JSON.stringify(first)]));
  });

  test("the page of a new repository explains the first push, and its commands work", async () => {
    const newcomer = await showcase.forge.createUser("cleo");
    const one = await visit(showcase.forge.url);
    const { page, open } = one;
    await open("/");
    await one.signIn(newcomer);
    await page.click("a[href='/repo/create'] >> visible=true");
    await page.fill("main [name=name]", "first");
    await page.click("text=Create repository");
    await arrived(one, /^\/cleo\/first$/);
    // The whole address is visible.
    await one.ready();
    expect(await page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#clone-http'))")).toBe(0);
    const steps = (await page.textContent(".empty pre")) ?? "";
    await showcase.work.init("first");
    await showcase.work.commit("first", { "README.md": "# My first\n" }, "Begin");
    for (const step of steps.split("\n").filter((line) => /^git (?:remote|push)/.test(line))) {
      const [, ...words] = step.replace(showcase.forge.url, newcomer.gitOrigin).split(" ");
      await showcase.work.git("first", ...words);
    }
    await page.reload();
    expect(await page.textContent(".markdown h2")).toBe("My first");
    await page.click(".files a:has-text('README.md')");
    await arrived(one, /\/src\/branch\/main\/README\.md$/);
  });

  test("files are uploaded to a folder, and a permanent link to some lines is shared", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(`${showcase.garden.path}/_upload/main/docs`);
    const chosen = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`${name}\n`) });
    await page.setInputFiles("[name=files]", [chosen("sown.txt"), chosen("weeds.txt")]);
    await page.setInputFiles("[name=files]", chosen("reaped.txt"));
    await page.click("button[aria-label='Remove: weeds.txt']");
    await page.click("main button.primary");
    await arrived(one, /\/src\/branch\/main\/docs$/);
    expect(await page.locator(".files td a").allTextContents()).toEqual(expect.arrayContaining(["reaped.txt", "sown.txt"]));
    expect(await page.locator("text=weeds.txt").count()).toBe(0);
    await open(`${showcase.garden.path}/src/branch/main/data/long.txt`);
    await page.click("#L12");
    await page.click("#L9", { modifiers: ["Shift"] });
    expect(new URL(page.url()).hash).toBe("#L9-L12");
    await page.keyboard.press("y");
    await arrived(one, /\/src\/commit\/[0-9a-f]{40}\/data\/long\.txt$/);
    expect([new URL(page.url()).hash, await page.locator(".lines .marked").count()]).toEqual(["#L9-L12", 1]);
    expect(one.pageErrors).toEqual([]);
  });

  test("the branch menu closes with Escape, and a shortcut opens the editor of the file on that branch", async () => {
    const one = await asOwner();
    const { page, open, ready } = one;
    await open(`${showcase.garden.path}/src/branch/main/src/water.js`);
    await page.click(".revs summary");
    await page.keyboard.press("Escape");
    expect(await page.evaluate("[document.querySelectorAll('.revs[open]').length, document.activeElement.localName]")).toEqual([0, "summary"]);
    await page.keyboard.press("Enter");
    await page.click(".revs a:has-text('valve')");
    await arrived(one, /\/src\/branch\/valve\/src\/water\.js$/);
    await ready();
    await page.keyboard.press("e");
    await arrived(one, /\/_edit\/valve\/src\/water\.js$/);
    expect(one.pageErrors).toEqual([]);
  });

  test("an issue is closed by the merge of a pull request", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(`${showcase.garden.path}/issues`);
    await page.click("main >> text=New issue");
    await page.fill("[name=title]", "Frost is coming");
    await page.fill("[name=content]", "Cover the **beds**.");
    await page.click("text=Create issue");
    await arrived(one, /\/issues\/\d+$/);
    const number = /\d+$/.exec(page.url())?.[0];
    await page.fill("[name=content]", "I have found a cover.");
    await page.click("button[value=comment]");
    await page.waitForSelector("text=I have found a cover.");
    await branchOff("cover");
    await open(`${showcase.garden.path}/compare/main...cover`);
    await page.fill("[name=content]", `Closes #${number}`);
    await page.click("text=Create pull request");
    await arrived(one, /\/pulls\/\d+$/);
    await page.waitForSelector("text=This branch has no conflicts with the base branch");
    await page.click("button[name=action][value=merge]");
    await page.waitForSelector("text=Merged into main");
    await open(`${showcase.garden.path}/issues/${number}`);
    await expect.poll(() => page.reload().then(() => page.textContent(".state-badge"))).toBe("Closed");
  });

  test("a workflow is started by hand, and its log is followed until the job ends", async () => {
    const { token } = await showcase.owner.post<{ token: string }>("/repos/ada/sprinkler/actions/runners/registration-token", {}).expect(200);
    const runner = await registerRunner(showcase.forge.url, token);
    const one = await asOwner();
    const { page, open, findAccessibilityIssues } = one;
    await open("/ada/sprinkler/actions");
    await page.click("summary:has-text('Run workflow')");
    await page.click(".sheet a:has-text('Water')");
    await page.fill("[name='inputs.litres']", "12");
    await page.click("main button.primary");
    await arrived(one, /\/actions\/runs\/2$/);
    const task = await runner.fetch();
    if (task === undefined) throw new Error("no task");
    await runner.log(task.id, 0, ["##[group]Valves", "open"]);
    await page.click(".job-graph a:has-text('beds')");
    await page.waitForSelector(".run-log >> text=open");
    await runner.log(task.id, 2, ["\u001b[32mwet\u001b[0m"]);
    await page.waitForSelector(".run-log .ansi-green:has-text('wet')");
    expect(await findAccessibilityIssues()).toEqual([]);
    await runner.log(task.id, 3, ["##[endgroup]"], true);
    await runner.report(task.id, Result.SUCCESS, {}, [{ id: 0, result: Result.SUCCESS, logIndex: 0, logLength: 4 }]);
    await page.waitForSelector(".log-step");
    expect(await findAccessibilityIssues()).toEqual([]);
    expect(await page.locator(".run-head").textContent()).toContain("Success");
  });

  test("shortcuts lead to all pages, and the focus is always visible", async () => {
    const { page, open, ready, findAccessibilityIssues } = await asOwner();
    await open(showcase.garden.path);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("?");
    expect(await page.textContent("dialog h2")).toBe("Keyboard shortcuts");
    // The list contains only shortcuts that work on this page.
    const listed = await page.locator("dialog dd").allTextContents();
    expect([listed.includes("Go to the wiki"), listed.includes("Go to file"), listed.includes("Select the entry")]).toEqual([true, true, false]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL(/\/issues$/);
    await ready();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const first = await page.evaluate("document.activeElement.textContent");
    expect(await page.textContent(".list li:first-child h2 a")).toBe(first);
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/issues\/\d+$/);
    await ready();
    await page.keyboard.press("c");
    await page.keyboard.type("typed, and ? opens nothing here");
    expect(await page.inputValue("[name=content]")).toBe("typed, and ? opens nothing here");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".timeline >> text=opens nothing here");
    await ready();
    await page.keyboard.press("t");
    await page.keyboard.type("srwat");
    await page.waitForSelector(".finder [role=option]:has-text('src/water.js')");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/src\/branch\/main\/src\/water\.js$/);
    await ready();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.type")).toBe("search");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rlss");
    await page.waitForSelector(".finder [role=option][aria-selected=true]:has-text('Releases')");
    expect(await page.innerText(".finder [role=option][aria-selected=true]")).toMatch(/^Releases\s+ada\/garden$/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/releases$/);
    await ready();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(`#${showcase.garden.issue}`);
    await page.waitForSelector(".finder [role=option][aria-selected=true]:has-text('The north bed stays dry')");
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/issues/${showcase.garden.issue}$`));
    // Lists across repositories have the shortcuts, too.
    for (const path of ["/issues?q=is:all", "/pulls?q=is:all"]) {
      await open(path);
      await page.keyboard.press("j");
      expect(await page.evaluate("document.activeElement.matches('.list li:first-child h2 a')")).toBe(true);
    }
  });

  test("without JavaScript an issue is opened, commented on and found, and no draft is stored", async () => {
    const one = await asOwner({ javaScriptEnabled: false });
    const { page, open } = one;
    await open(`${showcase.garden.path}/issues/new`);
    await page.fill("[name=title]", "Plain");
    await page.click("text=Create issue");
    await arrived(one, /\/issues\/\d+$/);
    await page.fill("[name=content]", "Without a script");
    await page.click("button[value=close]");
    await page.waitForSelector("text=Without a script");
    expect(await page.textContent(".state-badge")).toBe("Closed");
    await open(`${showcase.garden.path}/pulls/${showcase.garden.largePull}/files`);
    expect(await page.locator("section.change").count()).toBe(100);
    await page.click("nav.pager >> text=Next");
    await page.waitForSelector("text=2 / 3");
    await page.click(".viewer summary");
    await page.click("text=Sign out");
    await page.waitForSelector("text=Sign in");
  });

  test("pages fit into 360 px, and everything on them is reachable", async () => {
    const { page, open } = await asOwner({ viewport: { width: 360, height: 740 }, hasTouch: true });
    const { garden, emptyPath } = showcase;
    const wide: string[] = [];
    const paths = [
      "",
      "/issues",
      `/issues/${garden.issue}`,
      `/issues/${garden.arabicIssue}`,
      "/issues/new",
      `/pulls/${garden.pull}`,
      `/pulls/${garden.pull}/files`,
      "/src/branch/main/src/water.js",
      "/src/branch/main/data/long.txt",
      "/commits",
      "/branches",
      "/releases",
      "/compare/main...valve",
      `/commit/${garden.commit}`,
    ];
    for (const path of [...paths.map((part) => garden.path + part), emptyPath, "/", "/explore/repos", "/ada", "/user/sessions"]) {
      await open(path);
      const excess = (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
      // Widths are rounded.
      if (excess > 1) wide.push(`${path}: ${excess} px`);
    }
    expect(wide).toEqual([]);
  });
});
