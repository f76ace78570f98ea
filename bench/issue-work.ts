import { apiRead, apiWrite, pageRead } from "./http-work.ts";
import type { Site } from "./site.ts";
import type { WorkItem } from "./work.ts";

/** Creates a repository for the issues of one row. @returns its API path */
async function createRepository({ target, prefix }: Site, name: string): Promise<string> {
  await target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-${name}` });
  return `/repos/${target.owner}/${prefix}-${name}`;
}

const post = <T>({ target }: Site, path: string, body: object): Promise<T> => target.http.json("POST", `/api/v1${path}`, body);

interface Numbered {
  readonly id: number;
  readonly number: number;
}

/** Creates issues with three labels, an assignee and a milestone. @returns the API path of their repository */
async function createIssues(site: Site, name: string, issues: number): Promise<string> {
  const path = await createRepository(site, name);
  const labels: number[] = [];
  for (const label of ["bug", "docs", "later"]) labels.push((await post<Numbered>(site, `${path}/labels`, { name: label, color: "#abcdef" })).id);
  const { id: milestone } = await post<Numbered>(site, `${path}/milestones`, { title: "next" });
  const fields = { labels, milestone, assignees: [site.target.owner], body: "Steps to reproduce, and the expected result.\n".repeat(10) };
  for (let at = 1; at <= issues; at += 1) await post(site, `${path}/issues`, { title: `Issue ${at}`, ...fields });
  return path;
}

const listedIssues = 2_000;

export const issueWork: readonly WorkItem[] = [
  apiRead("issue", "GET issue", 0.4, async (site) => `${await createIssues(site, "issue", 1)}/issues/1`),
  apiRead("issues", "list 50 of 2,000 issues", 2.5, async (site) => `${await createIssues(site, "issues", listedIssues)}/issues?limit=50`),
  apiRead(
    "issues-last",
    "list 50 of 2,000 issues, last page",
    2.5,
    async (site) => `${await createIssues(site, "issues-last", listedIssues)}/issues?limit=50&page=${listedIssues / 50}`,
  ),
  pageRead(
    "page-issues",
    "issues page, 2,000 issues",
    8,
    async (site) => `${(await createIssues(site, "page-issues", listedIssues)).replace("/repos", "")}/issues`,
  ),
  apiRead("comments", "list 50 comments", 0.8, async (site) => {
    const path = `${await createIssues(site, "comments", 1)}/issues/1/comments`;
    for (let at = 1; at <= 50; at += 1) await post(site, path, { body: `Comment ${at}.` });
    return path;
  }),
  apiRead("notifications", "list 50 notifications", 2, async (site) => {
    const path = await createRepository(site, "notifications");
    const username = `${site.prefix}-other`;
    await post(site, "/admin/users", { username, email: `${username}@example.org`, password: "a long pass phrase", must_change_password: false });
    for (let at = 1; at <= 50; at += 1) await post(site, `${path}/issues?sudo=${username}`, { title: `Issue ${at}` });
    return "/notifications?limit=50";
  }),
  apiWrite("create-issue", "create an issue", 0.8, async (site) => {
    const path = await createRepository(site, "create-issue");
    return { run: (index) => post(site, `${path}/issues`, { title: `Issue ${index}`, body: "Steps to reproduce, and the expected result." }) };
  }),
  apiWrite("create-comment", "create a comment", 0.8, async (site) => {
    const path = await createIssues(site, "create-comment", 1);
    return { run: (index) => post(site, `${path}/issues/1/comments`, { body: `Comment ${index}.` }) };
  }),
  apiWrite("create-label", "create a label", 0.4, async (site) => {
    const path = await createRepository(site, "create-label");
    return { run: (index) => post(site, `${path}/labels`, { name: `label-${index}`, color: "#abcdef" }) };
  }),
];
