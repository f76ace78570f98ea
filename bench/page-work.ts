import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { findBrowser } from "../tools/browser.mjs";
import { startServer } from "../tools/server.ts";
import type { GitClient } from "./git-client.ts";
import { percentile } from "./measure.ts";
import type { FigureItem } from "./process-work.ts";
import { openSource } from "./source.ts";
import { gitUrl, openTarget } from "./target.ts";

/** The page of a repository in a real browser, for a signed-in user who reads it: what it transfers, and when it appears. */
interface PageFigures {
  readonly coldBytes: number;
  readonly coldRequests: number;
  readonly warmBytes: number;
  readonly scriptBytes: number;
  readonly coldPaintMs: number;
  readonly layoutShift: number;
}

/** 100 ms and 4 Mbit/s. */
const slowLine = { offline: false, latency: 100, downloadThroughput: 500_000, uploadThroughput: 500_000 };

interface Loaded {
  readonly bytes: number;
  readonly scriptBytes: number;
  readonly requests: number;
  readonly paintMs: number;
  readonly layoutShift: number;
}

/** Loads a page and waits until nothing is transferred any more. */
async function load(page: Page, path: string, isSlow: boolean): Promise<Loaded> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Network.enable");
  if (isSlow) await devTools.send("Network.emulateNetworkConditions", slowLine);
  const scripts = new Set<string>();
  const sums = { bytes: 0, scriptBytes: 0, requests: 0 };
  devTools.on("Network.requestWillBeSent", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    // A response from the cache has no length.
    if (encodedDataLength === 0) return;
    sums.requests += 1;
    sums.bytes += encodedDataLength;
    if (scripts.has(requestId)) sums.scriptBytes += encodedDataLength;
  });
  await page.addInitScript(
    "globalThis.shift = 0; new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value; }).observe({ type: 'layout-shift', buffered: true });",
  );
  await page.goto(path, { waitUntil: "networkidle" });
  const seen = await page.evaluate("({ paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, layoutShift: globalThis.shift })");
  await devTools.detach();
  return { ...sums, ...(seen as Pick<Loaded, "paintMs" | "layoutShift">) };
}

async function measurePages(git: GitClient, isShort: boolean): Promise<PageFigures> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("no browser is installed: run npm test, or set HEARTH_TEST_BROWSER");
  const password = randomBytes(12).toString("hex");
  const reader = "reader1";
  // The README has images of other hosts.
  const server = await startServer({ settings: { HEARTH_IMAGES_ENABLED: "false" } });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--headless=shell"] });
  try {
    const target = await openTarget({ name: "hearth", url: server.url, token: server.token, hasCounters: false, pid: server.pid });
    const account = { username: reader, email: "reader1@example.org", password, must_change_password: false };
    await target.http.json("POST", "/api/v1/admin/users", account);
    const source = await openSource({ ...git, folder: join(git.folder, "pages") });
    await target.http.json("POST", "/api/v1/user/repos", { name: "pages", default_branch: source.defaultBranch });
    await git.run(["-C", source.folder, "push", "--quiet", gitUrl(target, "pages"), "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"]);
    const path = `/${target.owner}/pages`;
    const paints: number[] = [];
    let figures: PageFigures | undefined;
    for (let round = 0; round < (isShort ? 1 : 5); round += 1) {
      const context = await browser.newContext({ baseURL: server.url });
      const page = await context.newPage();
      await page.goto("/user/login");
      await page.fill("[name=user_name]", reader);
      await page.fill("[name=password]", password);
      await Promise.all([page.waitForURL((url) => url.pathname === "/"), page.click("main button[type=submit]")]);
      // A new cache with the session of the first one.
      const cold = await browser.newContext({ baseURL: server.url, storageState: await context.storageState() });
      const first = await load(await cold.newPage(), path, true);
      const again = await load(await cold.newPage(), path, false);
      paints.push(first.paintMs);
      figures = {
        coldBytes: first.bytes,
        coldRequests: first.requests,
        warmBytes: again.bytes,
        scriptBytes: first.scriptBytes,
        coldPaintMs: 0,
        layoutShift: Math.max(first.layoutShift, again.layoutShift, figures?.layoutShift ?? 0),
      };
      await context.close();
      await cold.close();
    }
    target.http.close();
    if (figures === undefined) throw new Error("no page was loaded");
    return {
      ...figures,
      coldPaintMs: percentile(
        paints.toSorted((a, b) => a - b),
        0.5,
      ),
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

let measured: Promise<PageFigures> | undefined;

/** The rows share one measurement. */
const figureOf =
  (read: (figures: PageFigures) => number): FigureItem["take"] =>
  async (git, isShort) => {
    measured ??= measurePages(git, isShort);
    return read(await measured);
  };

const kilobyte = 1_000;

export const pageWork: readonly FigureItem[] = [
  { id: "browser-cold", title: "repository page in a browser, empty cache", unit: "KB", ceiling: 60, take: figureOf(({ coldBytes }) => coldBytes / kilobyte) },
  {
    id: "browser-requests",
    title: "repository page in a browser, empty cache",
    unit: "requests",
    ceiling: 8,
    take: figureOf(({ coldRequests }) => coldRequests),
  },
  { id: "browser-warm", title: "repository page in a browser, again", unit: "KB", ceiling: 15, take: figureOf(({ warmBytes }) => warmBytes / kilobyte) },
  { id: "browser-scripts", title: "its scripts", unit: "KB", ceiling: 40, take: figureOf(({ scriptBytes }) => scriptBytes / kilobyte) },
  { id: "browser-paint", title: "its first contentful paint, 100 ms and 4 Mbit/s", unit: "ms", ceiling: 350, take: figureOf(({ coldPaintMs }) => coldPaintMs) },
  { id: "browser-shift", title: "its layout shift", unit: "score", ceiling: 0, take: figureOf(({ layoutShift }) => layoutShift) },
];
