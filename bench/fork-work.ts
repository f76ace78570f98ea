import type { Site } from "./site.ts";
import type { WorkItem } from "./work.ts";

const forksPerRound = 100;
/** Forks that are not counted. Other rows warm up for a time instead, but each fork needs an owner of its own. */
const uncountedForks = 400;

function forkOf(item: Pick<WorkItem, "id" | "title" | "ceilingMs">, parent: (site: Site) => Promise<string>): WorkItem {
  return {
    ...item,
    isSequential: true,
    effort: { rounds: 3, roundMs: 20_000, roundOperations: forksPerRound },
    open: async (site, operations) => {
      const { http, owner } = site.target;
      const path = `/api/v1/repos/${owner}/${await parent(site)}/forks`;
      const organization = (index: number): string => `${site.prefix}-${item.id}-${index}`;
      const fork = async (into: string): Promise<unknown> => http.json("POST", path, { organization: into });
      for (let at = 0; at < Math.min(uncountedForks, operations); at += 1) {
        const before = `${organization(at)}-before`;
        await http.json("POST", "/api/v1/orgs", { username: before });
        await fork(before);
      }
      return {
        // An account can own only one fork of a repository.
        prepare: async (round) => {
          for (let at = 0; at < forksPerRound; at += 1) await http.json("POST", "/api/v1/orgs", { username: organization(round * forksPerRound + at) });
        },
        run: async (index) => void (await fork(organization(index))),
      };
    },
  };
}

export const forkWork: readonly WorkItem[] = [
  forkOf({ id: "fork", title: "fork", ceilingMs: 4 }, (site) => site.browsed()),
  // Its limit is 100 ms of time, and ceilings are CPU time.
  forkOf({ id: "fork-many", title: "fork with 5,000 refs" }, (site) => site.withTags()),
];
