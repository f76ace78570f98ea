import { afterAll, beforeAll, expect, test } from "vitest";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Reviews of pull requests from the first comment on a line to the commit that follows it. */

inBrowser("reviews", ({ visit }) => {
  let showcase: Showcase;
  beforeAll(async () => {
    showcase = await openShowcase();
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  const as = async (user: Showcase["owner"], options?: Parameters<typeof visit>[1]): Promise<Visit> => {
    const visited = await visit(showcase.forge.url, options);
    await visited.enterAs(user);
    return visited;
  };
  const filesOf = (number: number): string => `${showcase.garden.path}/pulls/${number}/files`;
  const isAlike = async ({ page, findAccessibilityIssues }: Visit): Promise<void> => {
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findAccessibilityIssues({ onlyColours: true })).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  };
  const commentOf = async (reviewId: number): Promise<number> => {
    const path = `/repos${showcase.garden.path}/pulls/${showcase.garden.pull}/reviews/${reviewId}/comments`;
    return (await showcase.owner.get<{ id: number }[]>(path).expect(200))[0]?.id ?? 0;
  };
  const contentOn = async (branch: string): Promise<string> => {
    const { content } = await showcase.owner.get<{ content: string }>(`/repos/ada/garden/contents/src/water.js?ref=${branch}`).expect(200);
    return Buffer.from(content, "base64").toString();
  };

  // First: a suggestion that is committed later leaves no lines to expand.
  test("all files are collapsed and expanded, and all lines of one are shown, in place and without scripts", async () => {
    const { page, open, ready } = await as(showcase.reader);
    await open(filesOf(showcase.garden.largePull));
    await ready();
    const openFiles = () => page.locator("section[data-file] > details[open]").count();
    const total = await page.locator("section[data-file]").count();
    await page.click("a[data-folds=true]");
    expect([await openFiles(), new URL(page.url()).search]).toEqual([0, ""]);
    await page.click("a[data-folds=false]");
    expect(await openFiles()).toBe(total);
    await open(filesOf(showcase.garden.pull));
    await ready();
    const few = await page.locator("table.diff tr").count();
    const unfold = async () => {
      await page.click("#file-1 > header .menu > summary");
      await page.click("#file-1 .unfold");
    };
    await unfold();
    await expect.poll(() => page.locator("a.gap").count()).toBe(0);
    expect(await page.locator("table.diff tr").count()).toBeGreaterThan(few);
    await unfold();
    await expect.poll(() => page.locator("table.diff tr").count()).toBe(few);
    const plain = await as(showcase.reader, { javaScriptEnabled: false });
    await plain.open(filesOf(showcase.garden.largePull));
    await plain.page.click("a[data-folds=true]");
    expect(await plain.page.locator("section[data-file] > details[open]").count()).toBe(0);
    await plain.open(filesOf(showcase.garden.pull));
    await plain.page.click("#file-1 > header .menu > summary");
    await plain.page.click("#file-1 .unfold");
    expect([await plain.page.locator("a.gap").count(), new URL(plain.page.url()).searchParams.get("gap")]).toEqual([0, "all"]);
  });

  test("task items of a comment on lines are ticked in place by those who can edit it, around its suggestion", async () => {
    const { pull } = showcase.garden;
    const body = "Für später:\n\n- [ ] measure\n\n```suggestion\nconst dry = 1;\n```\n\n- [ ] tell Grace";
    const comments = [{ path: "src/water.js", new_position: 1, body }];
    const { id } = await showcase.owner.post<{ id: number }>(`/repos${showcase.garden.path}/pulls/${pull}/reviews`, { event: "COMMENT", comments }).expect(200);
    const textOf = async () => (await showcase.owner.get(`/repos${showcase.garden.path}/pulls/${pull}/reviews/${id}/comments`).expect(200))[0].body;
    for (const path of [filesOf(pull), `${showcase.garden.path}/pulls/${pull}`]) {
      const { page, open } = await as(showcase.owner);
      await open(path);
      for (const word of ["tell Grace", "measure"]) {
        const box = `.review-comment li:has-text("${word}") input[type=checkbox]`;
        const saved = page.waitForResponse((response) => response.url().endsWith("/tasks") && response.ok());
        await page.click(box);
        await saved;
        await page.waitForSelector(`${box}:enabled`);
      }
      const isDone = path === filesOf(pull);
      expect(await textOf()).toBe(isDone ? body.replaceAll("[ ]", "[x]") : body);
    }
    const other = await as(showcase.reader);
    await other.open(filesOf(pull));
    expect(await other.page.locator('.review-comment li:has-text("measure") input[type=checkbox]').isDisabled()).toBe(true);
    const late = await as(showcase.owner);
    await late.open(filesOf(pull));
    await showcase.owner.patch(`/repos${showcase.garden.path}/pulls/comments/${await commentOf(id)}`, { body: `Now ${body}` }).expect(200);
    await late.page.click('.review-comment li:has-text("measure") input[type=checkbox]');
    await late.page.waitForSelector("text=The task was not saved");
    expect([await textOf(), late.pageErrors.splice(0)]).toEqual([`Now ${body}`, [expect.stringContaining("409")]]);
    await showcase.owner.delete(`/repos${showcase.garden.path}/pulls/comments/${await commentOf(id)}`).expect(204);
  });

  test("a range of lines is commented on with a suggestion, which its author commits", async () => {
    const one = await as(showcase.reader);
    const { page, open } = one;
    await open(filesOf(showcase.garden.pull));
    const gap = page.locator("a.gap").last();
    await gap.click();
    await page.waitForSelector("text=return beds.filter(water);");
    expect(new URL(page.url()).search).toBe("");
    const marked = "['removed', 'added'].map((side) => [...CSS.highlights.get(`words-${side}`)].map(String).filter(Boolean))";
    expect(await page.evaluate(marked)).toEqual([["3"], ["4"]]);
    await page.click(".number a[href*='on=new-3#']");
    await page.waitForSelector(".write[data-line='3']");
    await page.click(".number a[href*='on=new-4#']", { modifiers: ["Shift"] });
    await page.waitForSelector(".write[data-line='4']");
    expect(await page.locator(".write").count()).toBe(1);
    expect(await page.inputValue("[name=start_line]")).toBe("3");
    await page.fill(".write textarea", "Rather:");
    await page.click("a.suggest");
    await expect.poll(() => page.inputValue(".write textarea")).toContain("```suggestion\n// Beds are watered at dawn.\n");
    const typed = await page.inputValue(".write textarea");
    await page.fill(".write textarea", typed.replace("at dawn", "at dusk"));
    await isAlike(one);
    await page.click("button[value=review]");
    await page.waitForSelector(".thread >> text=Pending");
    await page.click("#review > summary");
    await page.fill("#review textarea", "One thing.");
    await page.check("#verdict-approve");
    await page.click("text=Submit review");
    await page.waitForSelector("text=approved this");
    const author = await as(showcase.owner);
    await author.open(filesOf(showcase.garden.pull));
    await author.page.waitForSelector(".suggestion >> text=at dusk");
    await isAlike(author);
    await author.page.click(".suggestion button");
    await author.page.waitForSelector("text=resolved by ada");
    expect(await contentOn("valve")).toContain("// Beds are watered at dusk.");
  });

  test("files stay viewed, are found by their path, and are shown side by side on request", async () => {
    const one = await as(showcase.reader);
    const { page, open } = one;
    await open(filesOf(showcase.garden.largePull));
    await page.click("#file-1 form.viewed button");
    await page.waitForSelector("#file-1 form.viewed button[aria-pressed=true]");
    await page.waitForSelector("text=1 of 300 viewed");
    expect(await page.locator("#file-1 > details[open]").count()).toBe(0);
    await page.reload();
    expect(await page.locator("#file-1 > details[open]").count()).toBe(0);
    await page.fill(".tree input", "beds/25");
    expect(await page.locator(".tree li[data-path]:visible").count()).toBe(11);
    await page.click("button[value=split]");
    await page.waitForSelector("#file-2 table.diff.split");
    await open(filesOf(showcase.garden.pull));
    await page.waitForSelector("table.diff.split");
    await isAlike(one);
  });

  test("a file is found, viewed, commented on and reviewed with the keyboard only", async () => {
    const { page, open, ready } = await as(showcase.reader);
    const { keyboard } = page;
    const focused = (): Promise<unknown> => page.evaluate("document.activeElement.textContent");
    await open(filesOf(showcase.garden.pull));
    await ready();
    await keyboard.press("j");
    expect(await focused()).toBe("src/water.js");
    await keyboard.press("v");
    await page.waitForSelector("#file-1 form.viewed button[aria-pressed=true]");
    await keyboard.press("v");
    await page.waitForSelector("#file-1 form.viewed button[aria-pressed=false]");
    const line = "a[aria-label='Comment on line 1']";
    for (let steps = 0; !(await page.evaluate(`document.activeElement.matches("${line}")`)); steps += 1) {
      expect(steps).toBeLessThan(20);
      await keyboard.press("Tab");
    }
    await keyboard.press("Enter");
    await page.waitForSelector(".write textarea:focus");
    await keyboard.type("By keys");
    await keyboard.press("Control+Enter");
    await page.waitForSelector(".thread >> text=By keys");
    await ready();
    await keyboard.press("c");
    await page.waitForSelector("#review textarea:focus");
    await keyboard.type("All by keys.");
    await keyboard.press("Control+Enter");
    await page.waitForSelector("text=All by keys.");
    expect(new URL(page.url()).pathname).toBe(`${showcase.garden.path}/pulls/${showcase.garden.pull}`);
  });

  test("a conflict is resolved in the browser, and a remaining conflict marker is reported", async () => {
    const one = await as(showcase.owner);
    const { page, open } = one;
    await open(`${showcase.garden.path}/pulls/${showcase.garden.conflictingPull}`);
    const [values, draft] = await Promise.all([
      page.locator("#side-reviewers .values > .soft").boundingBox(),
      page.locator("#side-reviewers .values > .bar").boundingBox(),
    ]);
    expect((draft?.y ?? 0) - (values?.y ?? 0) - (values?.height ?? 0)).toBeGreaterThanOrEqual(4);
    await page.click("text=Resolve conflicts");
    await page.waitForSelector("textarea.code");
    await isAlike(one);
    await page.click("text=Commit merge");
    await page.waitForSelector("text=Remove all conflict markers");
    await page.waitForSelector(".settle button");
    await page.press("textarea.code", "x");
    expect(await page.locator("form.stack .wrong, form.stack [role=alert], textarea[aria-invalid]").count()).toBe(3);
    await page.press("textarea.code", "ControlOrMeta+z");
    await page.click(".settle >> text=Keep valve");
    await page.waitForSelector("text=No conflicts left in this file.");
    expect(await page.locator("form.stack .wrong, form.stack [role=alert], textarea[aria-invalid]").count()).toBe(0);
    expect(await page.inputValue("textarea.code")).toContain("moisture < 0.4;");
    await page.press("textarea.code", "ControlOrMeta+z");
    await expect.poll(() => page.locator(".settle li").count()).toBe(1);
    const marked = await page.inputValue("textarea.code");
    await page.fill("textarea.code", marked.replace(/<{7}.*?>{7}[^\n]*\n/s, "export const water = (bed) => bed.moisture < 0.45;\n"));
    await page.click("text=Commit merge");
    await page.waitForSelector("text=This branch has no conflicts with the base branch");
    expect(await contentOn("drip")).toMatch(/^export const water = \(bed\) => bed\.moisture < 0\.45;\n\n/);
  });

  test("review forms are accessible", async () => {
    const one = await as(showcase.owner);
    const { garden } = showcase;
    const pull = `${garden.path}/pulls/${garden.pull}`;
    for (const path of [
      pull,
      `${pull}/reviewers`,
      `${pull}/base`,
      `${pull}/files/comments/${garden.lineComment}/edit`,
      `${garden.path}/_cherrypick/${garden.commit}`,
      `${garden.path}/compare/main...valve`,
    ]) {
      expect([path, await one.open(path)]).toEqual([path, 200]);
      await one.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await isAlike(one);
    }
  });

  test("reviews work without JavaScript on a narrow screen", async () => {
    const { page, open } = await as(showcase.reader, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const files = filesOf(showcase.garden.pull);
    await open(files);
    await page.click(".number a[href*='on=new-1#']");
    await page.fill(".write textarea", "Without a script");
    await page.click("button[value=now]");
    await page.waitForSelector(".thread >> text=Without a script");
    await page.click(".thread:has-text('Without a script') .reply > summary");
    await page.fill(".thread:has-text('Without a script') .reply textarea", "And answered");
    await page.click(".thread:has-text('Without a script') .reply button");
    await page.waitForSelector(".thread >> text=And answered");
    await page.click("a.gap");
    await page.click("text=All files");
    await page.click("form.viewed button");
    await page.waitForSelector("text=1 of 1 viewed");
  });

  /** A pull request that adds a file. */
  const propose = async (branch: string, title: string): Promise<string> => {
    const file = { content: Buffer.from(`${branch}\n`).toString("base64"), branch: "main", new_branch: branch, message: `Add ${branch}.txt` };
    await showcase.owner.post(`/repos${showcase.garden.path}/contents/${branch}.txt`, file).expect(201);
    const pull = { base: "main", head: branch, title };
    const { number } = await showcase.owner.post<{ number: number }>(`/repos${showcase.garden.path}/pulls`, pull).expect(201);
    return `${showcase.garden.path}/pulls/${number}`;
  };
  const stateOf = (path: string) => showcase.owner.get<{ merged: boolean }>(`/repos${path}`).expect(200);

  test("the message follows the merge method until it is edited, and a pull request is merged with the keyboard only", async () => {
    const path = await propose("keys-only", "Merge by keys");
    const one = await as(showcase.owner);
    const { page, open, ready } = one;
    await open(path);
    await ready();
    const method = page.locator("select[name=style]");
    const title = page.locator("input[name=title]");
    expect(await title.inputValue()).toMatch(/^Merge pull request 'Merge by keys'/);
    await method.focus();
    await method.selectOption("squash");
    expect(await title.inputValue()).toMatch(/^Merge by keys \(#\d+\)$/);
    await method.selectOption("rebase");
    expect(await page.locator("details:has(input[name=title])").isVisible()).toBe(false);
    await method.selectOption("squash");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await isAlike(one);
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.type(", edited");
    await method.selectOption("merge");
    expect(await title.inputValue()).toMatch(/^Merge by keys \(#\d+\), edited$/);
    const button = "button[value=merge]";
    for (let steps = 0; !(await page.evaluate(`document.activeElement.matches("${button}")`)); steps += 1) {
      expect(steps).toBeLessThan(20);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Merged into main");
    expect(await stateOf(path)).toMatchObject({ merged: true });
  });

  test("a pull request is merged without JavaScript, with the default message of the selected method", async () => {
    const path = await propose("no-script", "Merge without a script");
    const { page, open } = await as(showcase.owner, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await open(path);
    await page.selectOption("select[name=style]", "squash");
    await page.click("button[value=merge]");
    await page.waitForSelector("text=Merged into main");
    const { commit } = await showcase.owner.get<{ commit: { message: string } }>(`/repos${showcase.garden.path}/branches/main`).expect(200);
    expect(commit.message).toMatch(/^Merge without a script \(#\d+\)\n/);
  });

  test("review pages fit into 360 px", async () => {
    const { page, open } = await as(showcase.owner, { viewport: { width: 360, height: 740 }, hasTouch: true });
    const files = filesOf(showcase.garden.pull);
    for (const path of [files, `${files}?style=split`, `${files}?file=0&on=new-1`, `${showcase.garden.path}/pulls/${showcase.garden.pull}`]) {
      await open(path);
      expect([path, await page.evaluate("document.documentElement.scrollWidth - innerWidth")]).toEqual([path, 0]);
    }
  });

  test("the ends of a comparison are chosen with the keyboard, and found without scripts at 360 px in German", async () => {
    const one = await as(showcase.owner);
    const { page, open } = one;
    await open(`${showcase.garden.path}/compare`);
    const head = page.locator(".compare-ends .menu").last();
    await head.locator("summary").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".compare-ends .menu[open] input[name=head]:focus");
    await page.keyboard.type("valv");
    expect(await head.locator("a[data-value]:visible").allInnerTexts()).toEqual(["valve"]);
    await isAlike(one);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/compare/main...valve");
    await one.ready();
    await page.focus(".compare-ends .menu summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".compare-ends .menu[open] input[name=base]:focus");
    await page.keyboard.type("valve");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/compare/valve...valve");

    const plain = await as(showcase.owner, { javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" });
    await plain.open(`${showcase.garden.path}/compare/main...valve`);
    await plain.page.click(".compare-ends .menu >> nth=1 >> summary");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await plain.page.fill("input[name=head]:visible", "val");
    await plain.page.keyboard.press("Enter");
    await plain.page.waitForSelector("text=Branches und Tags mit „val“");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await plain.page.click("main .plain-list a >> text=valve");
    await plain.page.waitForURL("**/compare/main...valve");
  });

  test("a line of one commit is commented on with the keyboard, and without scripts at 360 px in German, and its page shows the conversation", async () => {
    const range = `${filesOf(showcase.garden.pull)}/${showcase.garden.pullCommit}`;
    const one = await as(showcase.reader);
    const { page, open } = one;
    await open(range);
    await page.focus(".number a[href*='on=new-1#']");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".write textarea:focus");
    await page.keyboard.type("About this commit.");
    await isAlike(one);
    await page.focus(".write button[value=now]");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${range}#issuecomment-*`);
    await page.waitForSelector(".thread >> text=About this commit.");
    await open(filesOf(showcase.garden.pull));
    await page.waitForSelector(".thread >> text=About this commit.", { state: "attached" });

    const plain = await as(showcase.reader, { javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" });
    await plain.open(range);
    await plain.page.click(".number a[href*='on=new-1#']");
    await plain.page.fill(".write textarea", "Ohne Skripte");
    await plain.page.click(".write button[value=now]");
    await plain.page.waitForURL(`**${range}#issuecomment-*`);
    await plain.page.waitForSelector(".thread >> text=Ohne Skripte");
    expect(await plain.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
