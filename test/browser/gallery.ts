import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import type { TestUser } from "../kit/forge.ts";
import { inBrowser } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Takes the screenshots of docs/gallery (`npm run gallery`), of the pages that the stories use. */

const folder = fileURLToPath(new URL("../../docs/gallery/", import.meta.url));
const maxBytes = 150_000;

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1120, height: 700 } },
  dark: { viewport: { width: 1120, height: 700 }, colorScheme: "dark" },
  narrow: { viewport: { width: 360, height: 720 } },
  german: { viewport: { width: 1120, height: 700 }, locale: "de-DE" },
};

const pictures = ({ garden, expressPath = garden.path, emptyPath }: Showcase): Readonly<Record<keyof typeof looks, Readonly<Record<string, string>>>> => ({
  light: {
    repository: expressPath,
    file: `${garden.path}/src/branch/main/src/water.js`,
    blame: `${expressPath}/blame/branch/master/lib/express.js`,
    dashboard: "/",
    issues: `${garden.path}/issues`,
    "pull-request": `${garden.path}/pulls/${garden.pull}`,
    empty: emptyPath,
    graph: `${expressPath}/graph`,
    contributors: `${expressPath}/graphs/contributors`,
    "side-by-side": `${garden.path}/pulls/${garden.pull}/files?style=split`,
    teams: "/org/gardeners/teams",
    status: "/-/admin/monitor/stats",
    design: "/-/design",
  },
  dark: {
    repository: garden.path,
    issue: `${garden.path}/issues/${garden.issue}`,
    changes: `${garden.path}/pulls/${garden.pull}/files`,
    settings: `${garden.path}/settings`,
  },
  narrow: { repository: garden.path, issue: `${garden.path}/issues/${garden.arabicIssue}` },
  german: { settings: `${garden.path}/settings` },
});

/** Administration pages are viewed by an administrator, and the history of others by a reader who has not pushed it. */
const readerOf = (path: string, { owner, reader, forge, expressPath = "none" }: Showcase): TestUser =>
  path.startsWith("/-/admin") ? forge.admin : path.startsWith(expressPath) ? reader : owner;

inBrowser("gallery", ({ visit }) => {
  test("is taken", { timeout: 180_000 }, async () => {
    await using showcase = await openShowcase({ hasExpress: true });
    mkdirSync(folder, { recursive: true });
    for (const [look, pages] of Object.entries(pictures(showcase))) {
      const { page, open, signIn } = await visit(showcase.forge.url, looks[look]);
      let reader: TestUser | undefined;
      for (const [name, path] of Object.entries(pages)) {
        const wanted = readerOf(path, showcase);
        if (wanted !== reader) await signIn(wanted);
        reader = wanted;
        expect(await open(path)).toBe(200);
        const picture = await page.screenshot({ path: `${folder}${name}-${look}.png` });
        expect([name, look, picture.length < maxBytes]).toEqual([name, look, true]);
      }
    }
  });
});
