import type { Site } from "./site.ts";
import type { WorkItem } from "./work.ts";

const forksARound = 100;
/** Uncounted, as other rows are warmed up by time: each fork needs an owner of its own. */
const forksBefore = 400;

function forkOf(item: Pick<WorkItem, "id" | "title" | "ceilingMs">, parent: (site: Site) => Promise<string>): WorkItem {
  return {
    ...item,
    isSequential: true,
    effort: { rounds: 3, roundMs: 20_000, roundOperations: forksARound },
    open: async (site, operations) => {
      const { http, owner } = site.target;
      const path = `/api/v1/repos/${owner}/${await parent(site)}/forks`;
      const organization = (index: number): string => `${site.prefix}-${item.id}-${index}`;
      const fork = async (into: string): Promise<unknown> => http.json("POST", path, { organization: into });
      for (let at = 0; at < Math.min(forksBefore, operations); at += 1) {
        const before = `${organization(at)}-before`;
        await http.json("POST", "/api/v1/orgs", { username: before });
        await fork(before);
      }
      return {
        // An owner has one fork of a repository.
        prepare: async (round) => {
          for (let at = 0; at < forksARound; at += 1) await http.json("POST", "/api/v1/orgs", { username: organization(round * forksARound + at) });
        },
        run: async (index) => void (await fork(organization(index))),
      };
    },
  };
}

export const forkWork: readonly WorkItem[] = [
  forkOf({ id: "fork", title: "fork", ceilingMs: 4 }, (site) => site.browsed()),
  // What it may take is time, 100 ms, and of that a row knows no ceiling.
  forkOf({ id: "fork-many", title: "fork of a repository with 5,000 refs" }, (site) => site.tagged()),
];
