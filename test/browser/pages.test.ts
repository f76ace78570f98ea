import { afterAll, beforeAll, expect, test } from "vitest";
import { findShift, watchShift } from "../kit/layout-shift.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Views every page as a user who can see all of them: it is accessible in light and dark mode and causes no errors, whatever its content. */

/** Part of every text: if it were active, the content security policy would report it. */
const attack = ` "'></title></textarea><svg onload=x><i style=x><script>x</script>`;

/** Pages that exist only at one step of another test, which views them. */
const elsewhere: Readonly<Record<string, string>> = {
  secondFactorPage: "during a sign-in",
  newPasswordPage: "during a sign-in",
  oauthAuthorize: "when an application requests access",
  recoverPasswordPage: "from an email",
  newAccountPage: "from an email",
  invitationPage: "from an email",
  downloadData: "sends a file",
  confirmAddressPage: "from an email",
  unsubscribePage: "from an email",
  beginSourceSignIn: "redirects to the provider",
  finishSourceSignIn: "redirected from the provider",
  deliveryOfOrganizationPage: "as deliveryOfRepositoryPage",
  deliveryOfServerPage: "as deliveryOfRepositoryPage",
  deliveryOfUserPage: "as deliveryOfRepositoryPage",
  transferOfferPage: "while a repository is offered",
  migrationPage: "while a repository is migrated",
  chooseCommitRange: "redirects to commitRangePage",
};

inBrowser("every page", ({ visit }) => {
  let showcase: Showcase;
  beforeAll(async () => {
    showcase = await openShowcase({ hasExpress: true, ending: attack });
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  test("is accessible in light and dark mode, and causes no errors", { timeout: 900_000 }, async () => {
    const found: Record<string, readonly string[]> = {};
    const waiting = [...addressesOf(showcase), ...specialAddresses(showcase)];
    const walk = async ({ page, open, enterAs, expectAccessibilityChecks, findAccessibilityIssues, pageErrors }: Visit): Promise<void> => {
      await page.addInitScript(watchShift);
      await enterAs(showcase.forge.admin);
      await expectAccessibilityChecks();
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const status = await open(path);
        const moved = await findShift(page);
        const issues = [...moved, ...(await findRepeatedIds(page, path)), ...(await findAccessibilityIssues())];
        await page.emulateMedia({ colorScheme: "dark" });
        issues.push(...(await findAccessibilityIssues({ onlyColours: true })));
        await page.emulateMedia({ colorScheme: "light" });
        issues.push(...(await findPrimaries(page, path)), ...(await findNarrow(page, findAccessibilityIssues)));
        if (status >= 400 && path !== missing) issues.push(`answered with ${status}`);
        issues.push(...pageErrors.splice(0));
        if (issues.length > 0) found[path] = issues;
      }
    };
    await Promise.all([walk(await visit(showcase.forge.url)), walk(await visit(showcase.forge.url))]);
    expect(found).toEqual({});
  });
});

/** Elements that are wider than a narrow screen, and parts that scroll there but cannot be reached with the keyboard. Widths are rounded. */
async function findNarrow(page: Visit["page"], findAccessibilityIssues: Visit["findAccessibilityIssues"]): Promise<string[]> {
  const usual = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const excess = (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
  const issues = await findAccessibilityIssues({ onlyNarrow: true });
  if (usual !== null) await page.setViewportSize(usual);
  return excess > 1 ? [`${excess} px too wide for 360`, ...issues] : issues;
}

/** Labels and links lead to the first of several elements with the same id. */
async function findRepeatedIds(page: Visit["page"], path: string): Promise<string[]> {
  if (path === examples) return [];
  const ids = (await page.evaluate("[...document.querySelectorAll('main [id]')].map(({ id }) => id)")) as readonly string[];
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) < at))].map((id) => `has several elements with the id ${id}`);
}

/** The page of components shows several primary buttons, and texts several times. */
const examples = "/-/design";

/** A page with several primary actions has none. */
async function findPrimaries(page: Visit["page"], path: string): Promise<string[]> {
  const primaries = (await page.evaluate(`(() => {
    const probe = document.body.appendChild(Object.assign(document.createElement("button"), { className: "primary" }));
    const color = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const seen = [...document.querySelectorAll("main :is(button, .button)")].filter((element) => element.checkVisibility());
    return seen.filter((element) => getComputedStyle(element).backgroundColor === color).map((element) => element.textContent.trim());
  })()`)) as readonly string[];
  return primaries.length > 1 && path !== examples ? [`has several primary actions: ${primaries.join(", ")}`] : [];
}

const missing = "/nobody-at-all";

/** The URL of each page, with parameters from the showcase. */
function addressesOf({ forge, garden, settings }: Showcase): string[] {
  const [, owner = "", repo = ""] = garden.path.split("/");
  const usual: Readonly<Record<string, string>> = {
    owner,
    repo,
    username: owner,
    index: `${garden.issue}`,
    sha: garden.commit,
    tag: "v1.0",
    branch: "valve",
    basehead: "main...valve",
    filepath: "branch/main/src/water.js",
    pageName: "Home",
    org: "gardeners",
    team: "waterers",
  };
  const unknown: string[] = [];
  const addresses = forge.forge.routes
    .filter(({ isPage, method, id }) => isPage && method === "GET" && !(id in elsewhere))
    .map(({ id, path }) => {
      const values = { ...usual, ...particular({ garden, settings })[id] };
      return path.replace(/\{(\w+)[+*]?\}/g, (whole, name: string) => {
        if (values[name] === undefined) unknown.push(`${id} at ${path}`);
        return values[name] ?? whole;
      });
    });
  // Add values for new path parameters below.
  expect(unknown).toEqual([]);
  return addresses;
}

/** Parameter values by route, where they differ from the common ones. */
const particular = ({ garden, settings }: Pick<Showcase, "garden" | "settings">): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  planPage: { part: "labels" },
  runsPage: { repo: "sprinkler" },
  cachesPage: { repo: "sprinkler" },
  runPage: { repo: "sprinkler", run: `${settings.run}` },
  startWorkflowPage: { repo: "sprinkler", name: "water.yml" },
  jobPage: { repo: "sprinkler", run: `${settings.run}`, id: `${settings.job}` },
  jobLogSearchPage: { repo: "sprinkler", run: `${settings.run}`, id: `${settings.job}` },
  pullPage: { index: `${garden.pull}` },
  pullCommitsPage: { index: `${garden.pull}` },
  pullFilesPage: { index: `${garden.pull}` },
  cherryPickPage: { sha: garden.commit },
  sinceReviewPage: { index: `${garden.pull}` },
  commitRangePage: { index: `${garden.pull}`, range: garden.pullCommit },
  pullBasePage: { index: `${garden.pull}` },
  editCommitCommentPage: { id: garden.commitComment },
  editLineCommentPage: { index: `${garden.pull}`, id: `${garden.lineComment}` },
  reviewersPage: { index: `${garden.pull}` },
  conflictsPage: { index: `${garden.conflictingPull}` },
  editFilePage: { filepath: "main/src/water.js" },
  newFilePage: { filepath: "main/src" },
  deleteFilePage: { filepath: "main/src/water.js" },
  uploadFilesPage: { filepath: "main/src" },
  historyPage: { filepath: "branch/main" },
  findFilePage: { filepath: "branch/main" },
  treeAddressPage: { filepath: "main/src" },
  blobAddressPage: { filepath: "main/src/water.js" },
  branchRulePage: { name: "release/*" },
  tagRulePage: { id: `${settings.tagRule}` },
  hookOfRepositoryPage: { id: `${settings.hook}` },
  deliveryOfRepositoryPage: { id: `${settings.hook}`, delivery_id: `${settings.delivery}` },
  hookOfServerPage: { id: `${settings.serverHook}` },
  hookOfUserPage: { id: `${settings.userHook}` },
  applicationPage: { id: `${settings.application}` },
  applicationPageOfOrganization: { id: `${settings.organizationApplication}` },
  hookOfOrganizationPage: { id: `${settings.organizationHook}` },
  milestoneIssues: { id: `${settings.milestone}` },
  milestonePage: { id: `${settings.milestone}` },
  adminSourcePage: { id: `${settings.source}` },
  labelPageOfOrganization: { id: `${settings.organizationLabel}` },
  labelPage: { id: `${settings.label}` },
  editCommentPage: { id: `${garden.comment}` },
});

/** Unusual pages: empty, large, long, in another script, missing. */
const specialAddresses = ({ garden, emptyPath, expressPath }: Showcase): string[] => [
  emptyPath,
  garden.path,
  `${garden.path}/src/branch/main/docs`,
  `${garden.path}/src/branch/main/README.md`,
  `${garden.path}/src/branch/main/data/long.txt`,
  `${garden.path}/src/branch/main/data/leaf.svg`,
  `${garden.path}/src/branch/main/data/soil.ipynb`,
  `${garden.path}/issues/${garden.arabicIssue}`,
  `${garden.path}/pulls/${garden.largePull}/files`,
  `${garden.path}/issues?q=nothing+like+it`,
  `${garden.path}/search?q=water`,
  `${garden.path}/wiki?action=_pages`,
  `${garden.path}/wiki/Home?action=_edit`,
  `${garden.path}/wiki/Home?action=_revision`,
  `${garden.path}/wiki?action=_search&q=sow`,
  "/ada?tab=activity",
  "/ada?tab=followers",
  "/notifications?status=all",
  ...(expressPath === undefined ? [] : [expressPath, `${expressPath}/commits/branch/master`, `${expressPath}/tags`]),
  "/user/login?again=true",
  missing,
];
