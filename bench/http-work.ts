import type { Operation } from "./measure.ts";
import type { Site } from "./site.ts";
import { manyTimes, sometimes, type WorkItem } from "./work.ts";

/** How often a read is asked for before it is measured: caches are part of the design, and so is filling them once. */
const warmUps = 5;

/** Reading one address of the interface again and again. */
export function reading(id: string, title: string, ceilingMs: number, path: (site: Site) => string | Promise<string>): WorkItem {
  return looking(id, title, ceilingMs, async (site) => `/api/v1${await path(site)}`);
}

/** Looking at one page again and again. */
export function looking(id: string, title: string, ceilingMs: number, path: (site: Site) => string | Promise<string>): WorkItem {
  return {
    id,
    title,
    ceilingMs,
    effort: manyTimes,
    open: async (site) => {
      const address = await path(site);
      const run = async (): Promise<void> => {
        const { status } = await site.target.http.send("GET", address);
        if (status !== 200) throw new Error(`GET ${address} answered ${status}`);
      };
      for (let time = 0; time < warmUps; time += 1) await run();
      return { run };
    },
  };
}

export function writing(id: string, title: string, ceilingMs: number, open: (site: Site) => Promise<Operation> | Operation): WorkItem {
  return { id, title, ceilingMs, effort: sometimes, open: async (site) => open(site) };
}

const browsed = async (site: Site, path: string): Promise<string> => `/repos/${site.target.owner}/${await site.browsed()}${path}`;
const withoutStats = "stat=false&verification=false&files=false";

export const httpWork: readonly WorkItem[] = [
  reading("version", "GET version", 0.15, () => "/version"),
  reading("repository", "GET repository", 0.25, (site) => browsed(site, "")),
  looking("page-home", "page of a repository", 10, async (site) => `/${site.target.owner}/${await site.browsed()}`),
  reading("directory", "contents of a directory", 1.5, (site) => browsed(site, `/contents/${site.source.directory}`)),
  reading("file", "contents of a file", 0.7, (site) => browsed(site, `/contents/${site.source.file}`)),
  reading("raw", "raw file", 0.5, (site) => browsed(site, `/raw/${site.source.file}`)),
  reading("tree", "recursive tree", 2, (site) => browsed(site, `/git/trees/${site.source.tip}?recursive=true`)),
  reading("commits-stats", "list 50 commits with stats and files", 15, (site) => browsed(site, "/commits?limit=50")),
  reading("commits", "list 50 commits without", 3, (site) => browsed(site, `/commits?limit=50&${withoutStats}`)),
  reading("branches", "list 50 of 500 branches", 2, async (site) => `/repos/${site.target.owner}/${await site.branchy()}/branches?limit=50`),
  reading("compare", "compare, 30 first parents apart", 8, (site) => browsed(site, `/compare/${site.source.older}...${site.source.tip}`)),
  reading("search", "search 50 repositories of 500", 3, async (site) => {
    await site.many();
    return "/repos/search?limit=50";
  }),
  writing("create-empty", "create repository, empty", 1.5, ({ target, prefix }) => ({
    run: (index) => target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-empty-${index}` }),
  })),
  writing("create-init", "create repository with auto_init", 4, ({ target, prefix }) => ({
    run: (index) => target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-init-${index}`, auto_init: true, readme: "Default" }),
  })),
  writing("create-file", "create a file through contents", 5, async (site) => {
    const contents = `/api/v1/repos/${site.target.owner}/${await site.edited()}/contents`;
    const content = Buffer.from("A line of text.\n").toString("base64");
    const create = (path: string): Promise<void> => site.target.http.json("POST", `${contents}/${path}`, { content, message: `Add ${path}` });
    await create(`${site.prefix}.txt`);
    return { run: (index) => create(`${site.prefix}/${index % 20}/file-${index}.txt`) };
  }),
];
