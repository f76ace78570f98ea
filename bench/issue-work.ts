import { looking, reading, writing } from "./http-work.ts";
import type { Site } from "./site.ts";
import type { WorkItem } from "./work.ts";

/** A repository for issues alone, made where a row needs it. @returns its path in the interface */
async function openRepository({ target, prefix }: Site, name: string): Promise<string> {
  await target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-${name}` });
  return `/repos/${target.owner}/${prefix}-${name}`;
}

const post = <T>({ target }: Site, path: string, body: object): Promise<T> => target.http.json("POST", `/api/v1${path}`, body);

interface Numbered {
  readonly id: number;
  readonly number: number;
}

/** One issue with three labels, an assignee and a milestone, as most are. */
async function openPlanned(site: Site, name: string, issues: number): Promise<string> {
  const path = await openRepository(site, name);
  const labels: number[] = [];
  for (const label of ["bug", "docs", "later"]) labels.push((await post<Numbered>(site, `${path}/labels`, { name: label, color: "#abcdef" })).id);
  const { id: milestone } = await post<Numbered>(site, `${path}/milestones`, { title: "next" });
  const plan = { labels, milestone, assignees: [site.target.owner], body: "What happens, and what should.\n".repeat(10) };
  for (let at = 1; at <= issues; at += 1) await post(site, `${path}/issues`, { title: `Issue ${at}`, ...plan });
  return path;
}

const listed = 2_000;

export const issueWork: readonly WorkItem[] = [
  reading("issue", "GET issue", 0.4, async (site) => `${await openPlanned(site, "issue", 1)}/issues/1`),
  reading("issues", "list 50 issues of 2,000", 2.5, async (site) => `${await openPlanned(site, "issues", listed)}/issues?limit=50`),
  reading("issues-last", "the same, last page", 2.5, async (site) => `${await openPlanned(site, "issues-last", listed)}/issues?limit=50&page=${listed / 50}`),
  looking("page-issues", "page of issues, 2,000", 8, async (site) => `${(await openPlanned(site, "page-issues", listed)).replace("/repos", "")}/issues`),
  reading("comments", "list 50 comments", 0.8, async (site) => {
    const path = `${await openPlanned(site, "comments", 1)}/issues/1/comments`;
    for (let at = 1; at <= 50; at += 1) await post(site, path, { body: `Comment ${at}.` });
    return path;
  }),
  reading("notifications", "list 50 notifications", 2, async (site) => {
    const path = await openRepository(site, "notifications");
    const username = `${site.prefix}-other`;
    await post(site, "/admin/users", { username, email: `${username}@example.org`, password: "a pass phrase of his", must_change_password: false });
    for (let at = 1; at <= 50; at += 1) await post(site, `${path}/issues?sudo=${username}`, { title: `Issue ${at}` });
    return "/notifications?limit=50";
  }),
  writing("create-issue", "create issue", 0.8, async (site) => {
    const path = await openRepository(site, "create-issue");
    return { run: (index) => post(site, `${path}/issues`, { title: `Issue ${index}`, body: "What happens, and what should." }) };
  }),
  writing("create-comment", "comment", 0.8, async (site) => {
    const path = await openPlanned(site, "create-comment", 1);
    return { run: (index) => post(site, `${path}/issues/1/comments`, { body: `Comment ${index}.` }) };
  }),
  writing("create-label", "create label", 0.4, async (site) => {
    const path = await openRepository(site, "create-label");
    return { run: (index) => post(site, `${path}/labels`, { name: `label-${index}`, color: "#abcdef" }) };
  }),
];
