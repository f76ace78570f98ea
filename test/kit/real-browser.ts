import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { findBrowser } from "../../tools/browser.mjs";
import { createBrowser } from "./browser.ts";

/** A real browser, if available. `browser.ts` is faster and sufficient for tests without layout, keyboard and scripts. */

interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** A separate window: cookies and storage are not shared with other visits. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a page by its path. @returns its status */
  open(path: string): Promise<number>;
  /** Resolves when the scripts of the page have started, which is after it has loaded. */
  ready(): Promise<void>;
  /** Signs in with the form and ends on the target page. */
  signIn(user: Credentials): Promise<void>;
  /** Signs in before the first page is opened. The form is not shown, which takes a second of CPU time. */
  enterAs(user: Credentials): Promise<void>;
  /** Loads axe with each further page, which takes half as long as loading it into a page. For tests that check most of their pages. */
  expectAccessibilityChecks(): Promise<void>;
  /** The violations that axe finds on the current page, one per line: rule, subject, location. WCAG 2.2 A and AA, and best practices. */
  findAccessibilityIssues(options?: { readonly onlyColours?: boolean; readonly onlyNarrow?: boolean }): Promise<string[]>;
  /**
   * Hidden errors: of scripts and of the content security policy, failed requests and requests to other hosts. The test fails if any are
   * left here.
   */
  readonly pageErrors: string[];
}

export interface Visits {
  /** Opens a window that is closed at the end of the test. Time zone, language and size are fixed unless given. */
  visit(origin: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** Declares tests that share a browser. Without a browser they are skipped, with the reason in the name; if `CI` is set they fail. */
export function inBrowser(title: string, stories: (visits: Visits) => void): void {
  const executablePath = findBrowser();
  const isSkipped = executablePath === undefined && !process.env.CI;
  describe.skipIf(isSkipped)(isSkipped ? `${title} (skipped: no browser; npm test installs one on Linux, or set HEARTH_TEST_BROWSER)` : title, () => {
    let browser: Browser;
    beforeAll(async () => {
      if (executablePath === undefined) throw new Error("no browser is installed: run npm test, or set HEARTH_TEST_BROWSER");
      browser = await launchBrowser(executablePath);
    });
    afterAll(() => browser?.close());
    stories({
      visit: async (origin, options) => {
        const visit = await openVisit(browser, origin, options);
        onTestFinished(async () => {
          await visit.context.close();
          expect(visit.pageErrors).toEqual([]);
        });
        return visit;
      },
    });
  });
}

/**
 * A container has no display, no graphics card, and no permissions for the browser's own sandbox. Sandboxed frames have their own process, as
 * in a browser on a desk.
 */
const launchOptions = [
  ...["--no-sandbox", "--disable-gpu", "--headless=shell", "--site-per-process"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  // A compiler and a garbage collector on further threads take more CPU time in all, and compete with the server and the other worker.
  ...["--num-raster-threads=1", "--js-flags=--single-threaded"],
];

export const launchBrowser = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: launchOptions });

const usual: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  locale: "en-GB",
  timezoneId: "UTC",
  colorScheme: "light",
  reducedMotion: "reduce",
};

/**
 * Resolves when the scripts of the page have started, if it has any. A locator would do the same, but loads its own scripts into each page,
 * which takes longer than most pages.
 */
const scriptsStarted = `new Promise((resolve) => {
  const root = document.documentElement;
  const isReady = () => document.scripts.length === 0 || root.hasAttribute("data-ready");
  if (isReady()) return resolve();
  new MutationObserver((_changes, observer) => {
    if (!isReady()) return;
    observer.disconnect();
    resolve();
  }).observe(root, { attributes: true });
})`;

export async function openVisit(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ ...usual, baseURL: origin, ...options });
  const pageErrors: string[] = [];
  context.on("page", (page) => listen(page, origin, pageErrors));
  const page = await context.newPage();
  const ready = async (): Promise<void> => void (await page.waitForSelector("html[data-ready]", { state: "attached" }));
  const open = async (path: string): Promise<number> => {
    const status = (await page.goto(path))?.status() ?? 0;
    if (options.javaScriptEnabled !== false) await page.evaluate(scriptsStarted);
    return status;
  };
  return {
    context,
    page,
    pageErrors,
    open,
    ready,
    async signIn({ name, password }) {
      await open("/user/login?again=true");
      await page.fill("[name=user_name]", name);
      await page.fill("[name=password]", password);
      await page.click("main button[type=submit]");
      await page.waitForURL((url) => url.pathname !== "/user/login");
    },
    async enterAs(user) {
      const browser = createBrowser(origin);
      await browser.signIn(user);
      const cookies = browser.cookie.split("; ").map((pair) => pair.split("=") as [string, string]);
      await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin, httpOnly: true, sameSite: "Lax" })));
    },
    expectAccessibilityChecks: async () => void (await context.addInitScript(axeSource)),
    findAccessibilityIssues: ({ onlyColours = false, onlyNarrow = false } = {}) => {
      const rules = onlyColours ? ["color-contrast", "link-in-text-block"] : onlyNarrow ? ["scrollable-region-focusable"] : undefined;
      return findAccessibilityIssues(page, rules === undefined ? {} : { runOnly: rules });
    },
  };
}

function listen(page: Page, origin: string, pageErrors: string[]): void {
  const report = (what: string): void => void pageErrors.push(`${new URL(page.url()).pathname}: ${what}`);
  page.on("pageerror", (error) => report(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    // Failed loads are reported below, and error pages are ordinary pages.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource")) report(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !["data:", "blob:"].includes(url.protocol)) report(`requests another host: ${url.href}`);
  });
  page.on("requestfailed", (request) => {
    // Leaving a page cancels its requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") report(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !response.request().isNavigationRequest()) report(`${response.status()}: ${response.url()}`);
  });
}

/** With a reporter that describes the violations only: the HTML of all elements and the selectors of the others are a tenth of its CPU time. */
const axeSource = `${readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")};
axe.configure({ noHtml: true });
axe.addReporter("violations", (results, options, callback) =>
  axe.getReporter("v1")(results.filter(({ violations }) => violations.length > 0), options, callback));`;

/** Limits the lines of a file, because axe compares all pairs and further lines add nothing. */
const thin = `for (const parent of document.querySelectorAll("*")) while (parent.childElementCount > 60) parent.lastElementChild.remove();`;

/** Injected with the debugger, which is not subject to the page's policy. */
async function findAccessibilityIssues(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(`${thin} typeof axe === "object"`))) await page.evaluate(axeSource);
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify({ ...options, reporter: "violations" })})`)) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${help} [${target}] ${failureSummary}`));
}
