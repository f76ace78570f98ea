import type { Operation } from "./measure.ts";
import type { Site } from "./site.ts";
import { manyTimes, sometimes, type WorkItem } from "./work.ts";

/** Requests before the measurement, which fill the caches. */
const warmUps = 5;

/** Repeats a GET request of the API. */
export function apiRead(id: string, title: string, ceilingMs: number, path: (site: Site) => string | Promise<string>): WorkItem {
  return pageRead(id, title, ceilingMs, async (site) => `/api/v1${await path(site)}`);
}

/** Repeats a GET request of a page. */
export function pageRead(id: string, title: string, ceilingMs: number, path: (site: Site) => string | Promise<string>): WorkItem {
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

export function apiWrite(id: string, title: string, ceilingMs: number, open: (site: Site) => Promise<Operation> | Operation): WorkItem {
  return { id, title, ceilingMs, effort: sometimes, open: async (site) => open(site) };
}

const browsed = async (site: Site, path: string): Promise<string> => `/repos/${site.target.owner}/${await site.browsed()}${path}`;
const withoutStats = "stat=false&verification=false&files=false";

export const httpWork: readonly WorkItem[] = [
  apiRead("version", "GET version", 0.15, () => "/version"),
  apiRead("repository", "GET repository", 0.25, (site) => browsed(site, "")),
  pageRead("page-home", "repository page", 10, async (site) => `/${site.target.owner}/${await site.browsed()}`),
  apiRead("directory", "directory contents", 1.5, (site) => browsed(site, `/contents/${site.source.directory}`)),
  apiRead("file", "file contents", 0.7, (site) => browsed(site, `/contents/${site.source.file}`)),
  apiRead("raw", "raw file", 0.5, (site) => browsed(site, `/raw/${site.source.file}`)),
  apiRead("tree", "recursive tree", 2, (site) => browsed(site, `/git/trees/${site.source.tip}?recursive=true`)),
  apiRead("commits-stats", "list 50 commits with stats and files", 15, (site) => browsed(site, "/commits?limit=50")),
  apiRead("commits", "list 50 commits without stats and files", 3, (site) => browsed(site, `/commits?limit=50&${withoutStats}`)),
  apiRead("branches", "list 50 of 500 branches", 2, async (site) => `/repos/${site.target.owner}/${await site.withBranches()}/branches?limit=50`),
  apiRead("compare", "compare two commits, 30 commits apart", 8, (site) => browsed(site, `/compare/${site.source.older}...${site.source.tip}`)),
  apiRead("search", "search 50 of 500 repositories", 3, async (site) => {
    await site.createMany();
    return "/repos/search?limit=50";
  }),
  apiWrite("create-empty", "create an empty repository", 1.5, ({ target, prefix }) => ({
    run: (index) => target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-empty-${index}` }),
  })),
  apiWrite("create-init", "create a repository with auto_init", 4, ({ target, prefix }) => ({
    run: (index) => target.http.json("POST", "/api/v1/user/repos", { name: `${prefix}-init-${index}`, auto_init: true, readme: "Default" }),
  })),
  apiWrite("create-file", "create a file with the contents API", 5, async (site) => {
    const contents = `/api/v1/repos/${site.target.owner}/${await site.edited()}/contents`;
    const content = Buffer.from("A line of text.\n").toString("base64");
    const create = (path: string): Promise<void> => site.target.http.json("POST", `${contents}/${path}`, { content, message: `Add ${path}` });
    await create(`${site.prefix}.txt`);
    return { run: (index) => create(`${site.prefix}/${index % 20}/file-${index}.txt`) };
  }),
];
