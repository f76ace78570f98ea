import { afterAll, beforeAll, expect, test } from "vitest";
import { insertLabels } from "../../src/features/collaboration/labels/store.ts";
import type { TestUser } from "../kit/forge.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Content that people rarely write stays readable, and does not break the pages around it. */

const word = "W".repeat(200);
const arabicName = "ليلى عبد الرحمن";

inBrowser("bad input", ({ visit }) => {
  let showcase: Showcase;
  beforeAll(async () => {
    showcase = await openShowcase();
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  const visitAs = async (user: TestUser, options?: Parameters<typeof visit>[1]): Promise<Visit> => {
    const visited = await visit(showcase.forge.url, options);
    await visited.enterAs(user);
    return visited;
  };
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  /** The pages that are wider than their window, with the excess in px. */
  const findWide = async ({ page, open }: Visit, paths: readonly string[], widths: readonly number[]): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for (const path of paths) {
      expect([path, await open(path)]).toEqual([path, 200]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 740 });
        const excess = (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
        if (excess > 1) found[`${path} at ${width}`] = excess;
      }
    }
    return found;
  };

  test("names and titles of 200 characters without a space fit on all pages from 360 to 1680 px", { timeout: 180_000 }, async () => {
    const user = await showcase.forge.createUser("wanda", { full_name: word.slice(0, 100) });
    const at = `/repos/wanda/${word.slice(0, 100)}`;
    const path = `/wanda/${word.slice(0, 100)}`;
    await user.post("/user/repos", { name: word.slice(0, 100), description: word, auto_init: true, default_branch: "main" }).expect(201);
    const branchName = word.slice(0, 100);
    const file = `${word}/${word}/${word}.txt`;
    const change = { content: base64(`${word}${word}\n`), message: word, branch: "main", new_branch: branchName };
    await user.post(`${at}/contents/${file}`, change).expect(201);
    await user.post(`${at}/labels`, { name: word.slice(0, 50), color: "#c62828" }).expect(201);
    const { id: label } = await user.post<{ id: number }>(`${at}/labels`, { name: `${word.slice(0, 20)}/${word.slice(0, 25)}`, color: "#00ff00" }).expect(201);
    const { id: milestone } = await user.post<{ id: number }>(`${at}/milestones`, { title: word, description: word }).expect(201);
    const { number: issue } = await user
      .post<{ number: number }>(`${at}/issues`, { title: word, body: `${word}\n\n\`${word}\``, labels: [label], milestone, assignees: ["wanda"] })
      .expect(201);
    await user.post(`${at}/issues/${issue}/comments`, { body: `# ${word}\n\n| ${word} | b |\n| --- | --- |\n| ${word} | ${word} |\n` }).expect(201);
    await user.patch(`${at}/issues/${issue}`, { title: `${word} again` }).expect(201);
    const { number: pull } = await user.post<{ number: number }>(`${at}/pulls`, { title: word, body: word, head: branchName, base: "main" }).expect(201);
    await user.post(`${at}/releases`, { tag_name: word, name: word, body: word, target_commitish: "main" }).expect(201);
    await user.post(`${at}/wiki/new`, { title: word.slice(0, 100), content_base64: base64(word) }).expect(201);
    await user.post("/orgs", { username: word.slice(0, 40), full_name: word.slice(0, 100), description: word }).expect(201);
    const branch = `${path}/src/branch/${branchName}`;
    const below = ["/issues", `/issues/${issue}`, "/pulls", `/pulls/${pull}`, `/pulls/${pull}/commits`, `/pulls/${pull}/files`, "/labels", "/milestones"];
    const more = ["/releases", "/branches", "/tags", "/wiki", "/settings", "/settings/branches", "/activity", `/commits/branch/${branchName}`, "/graph"];
    const pages = [
      ...["/", "/issues", "/pulls", "/wanda", `/${word.slice(0, 40)}`, "/explore/repos", "/explore/users", "/notifications", path, branch],
      ...[`${branch}/${file}`, `${path}/blame/branch/${branchName}/${file}`, `${path}/find/branch/${branchName}`],
      ...[...below, ...more].map((page) => path + page),
    ];
    const one = await visitAs(user);
    expect(await findWide(one, pages, [360, 768, 1280, 1680])).toEqual({});
    await one.open(`${path}/issues/${issue}`);
    const heights = (await one.page.evaluate("[...document.querySelectorAll('.label')].map((label) => label.offsetHeight)")) as number[];
    expect([heights.length > 0, heights.filter((height) => height > 24)]).toEqual([true, []]);
  });

  test("5,000 labels leave the pages of issues small, and each one is on a page of the list", { timeout: 180_000 }, async () => {
    const user = await showcase.forge.createUser("lena");
    const { id: repoId } = await user.post<{ id: number }>("/user/repos", { name: "many" }).expect(201);
    const common = { color: "c62828", description: "", isExclusive: false, isArchived: false };
    await showcase.forge.context.db.tx(async (tx) => {
      for (let from = 1; from <= 5_000; from += 500) {
        const labels = Array.from({ length: 500 }, (_, at) => ({ ...common, name: `label ${from + at}` }));
        await insertLabels(tx, { repoId }, labels);
      }
    });
    await user.post("/repos/lena/many/issues", { title: "One", labels: [] }).expect(201);
    const one = await visitAs(user);
    const sizes: Record<string, number> = {};
    const paths = ["/labels", "/issues", "/issues/1", "/issues/new", "/issues?q=label:%22label+4999%22"].map((below) => `/lena/many${below}`);
    for (const path of paths) {
      await one.open(path);
      sizes[path] = (await one.page.evaluate("document.querySelectorAll('*').length")) as number;
    }
    expect(Object.entries(sizes).filter(([, size]) => size > 4_000)).toEqual([]);
    expect(await findWide(one, paths, [360])).toEqual({});
    await one.open("/lena/many/labels");
    await one.page.click(".pager a[aria-label] >> nth=-1");
    await one.page.waitForURL(/page=\d+/);
    expect(await one.page.locator("main .label").count()).toBeGreaterThan(0);
  });

  test.each([
    [
      "of 1 MB with 400 headings",
      `# Top\n\n${"Some *words* and `code`.\n\n".repeat(38_000).replace(/(?:Some.*\n\n){95}/g, (part) => `## Part\n\n${part}`)}`,
      "rendered",
    ],
    ["of one line", "W".repeat(1_000_000), "rendered"],
    ["of 1.2 MB", `# Top\n\n${"Some words.\n".repeat(100_000)}`, "too large"],
  ])("a README %s leaves the files of the repository usable", { timeout: 120_000 }, async (_name, text, outcome) => {
    const name = `readme-${text.length}`;
    await showcase.owner.post("/user/repos", { name }).expect(201);
    await showcase.owner.post(`/repos/ada/${name}/contents/README.md`, { content: base64(text), message: "Write" }).expect(201);
    const one = await visitAs(showcase.owner, { viewport: { width: 360, height: 740 } });
    await one.open(`/ada/${name}`);
    expect(await one.page.locator(".files a:has-text('README.md')").isVisible()).toBe(true);
    expect(await one.page.locator(".box .markdown").count()).toBe(outcome === "rendered" ? 1 : 0);
    if (outcome === "too large") expect(await one.page.textContent("section.box")).toContain("This file is too large to show.");
    expect(await one.page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(1);
  });

  test("names and messages in a right-to-left script keep the order of the words around them", async () => {
    const user = await showcase.forge.createUser("layla", { full_name: arabicName });
    await user.post("/user/repos", { name: "arabic", auto_init: true }).expect(201);
    const file = "ملف.txt";
    await user.post(`/repos/layla/arabic/contents/${encodeURIComponent(file)}`, { content: base64("مرحبا\n"), message: "إضافة ملف جديد" }).expect(201);
    await user.post("/repos/layla/arabic/labels", { name: "عاجل/جدا", color: "#c62828" }).expect(201);
    const one = await visitAs(showcase.forge.admin);
    /** Whether elements follow each other from left to right. */
    const isInOrder = async (path: string, selectors: readonly string[]): Promise<boolean> => {
      await one.open(path);
      const boxes = await Promise.all(selectors.map((selector) => one.page.locator(selector).first().boundingBox()));
      return boxes.every((box, at) => box !== null && (at === 0 || box.x >= (boxes[at - 1]?.x ?? 0) + (boxes[at - 1]?.width ?? 0) - 1));
    };
    const orders: readonly (readonly [path: string, selectors: readonly string[]])[] = [
      ["/layla/arabic", [".latest .avatar", ".latest strong a", ".latest .one-line", ".latest .oid", ".latest time", ".latest .history"]],
      ["/layla/arabic", [".files tr:has-text('ملف') .icon", ".files tr:has-text('ملف') td:nth-child(2) a", ".files tr:has-text('ملف') time"]],
      ["/layla/arabic/commits/branch/main", [".commits .who .avatar", ".commits .who a", ".commits .who time"]],
      ["/layla/arabic/branches", [".commits .who .avatar", ".commits .who time"]],
      ["/-/admin/users?q=layla", [".rows .avatar", ".rows .face strong", ".rows bdi"]],
      [`/layla/arabic/src/branch/main/${encodeURIComponent(file)}`, [".path a", ".path strong"]],
    ];
    const wrong: string[] = [];
    for (const [path, selectors] of orders) if (!(await isInOrder(path, selectors))) wrong.push(`${path}: ${selectors.join(" ")}`);
    expect(wrong).toEqual([]);
  });
});
