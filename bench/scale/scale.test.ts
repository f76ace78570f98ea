import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlite } from "../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../test/kit/forge.ts";
import { inject } from "../../test/kit/inject.ts";
import { openGitClient } from "../git-client.ts";
import { openClient } from "../http-client.ts";
import type { Site } from "../issue-site.ts";
import type { RepositoryShape } from "./large-repository.ts";
import { listItems, openList } from "./list-work.ts";
import { addRepository, administrator } from "./repository-seed.ts";
import { type RepositoryPlace, repositoryItems } from "./repository-work.ts";
import { fillSite, type SiteShape, tokens } from "./site-seed.ts";

/** Every row of `npm run bench -- --scale` on small data of two sizes: the number of statements is the same, and processes are bounded. */

interface Counts {
  readonly statements: number;
  readonly processes: number;
}

const openForge = (): Promise<TestForge> => startForge({ dialect: sqlite, environment: { HEARTH_ADMIN_TOKEN: tokens.admin } });

const siteOf = ({ forge }: TestForge): Site => ({
  forge,
  async call(method, path, body) {
    const answer = await inject(forge.http, {
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `token ${tokens.admin}` },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
    return { json: answer.body === "" ? undefined : answer.json(), total: 0 };
  },
  maintain: async () => [],
  [Symbol.asyncDispose]: async () => {},
});

const countsOf = async (forge: TestForge, action: () => Promise<void>): Promise<Counts> => {
  const { statements, processes } = await forge.cost(action);
  return { statements: statements.length, processes };
};

describe("rows of repositories", () => {
  const shapeOf = (size: number): RepositoryShape => ({
    commits: 4 * size,
    files: size,
    filesPerDirectory: 20,
    bigEntries: size,
    revisions: size,
    branches: size,
    tags: size,
    changedFiles: size,
  });
  const repositories = [200, 600].map((size) => ({ name: `r${size}`, shape: shapeOf(size) }));
  let folder: string;
  let forge: TestForge;
  let places: readonly RepositoryPlace[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hearth-scale-"));
    forge = await openForge();
    const http = openClient(forge.url, tokens.admin);
    const git = openGitClient(folder);
    for (const repository of repositories) await addRepository(siteOf(forge), folder, repository);
    places = repositories.map((repository) => ({
      ...repository,
      http,
      git,
      source: join(folder, `${repository.name}.git`),
      gitUrl: `${forge.url.replace("http://", `http://${administrator}:${tokens.admin}@`)}/${administrator}/${repository.name}.git`,
    }));
  });
  afterAll(async () => {
    for (const { http } of places) http.close();
    await forge[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  // In their order, because the first requests come before the others.
  for (const item of repositoryItems) {
    test(`${item.title}: the same statements for any size, and at most ${item.maxProcesses} processes`, async () => {
      const counts: Counts[] = [];
      for (const place of places) {
        const { prepare, run } = await item.open(place);
        if (item.occasion === "again" || item.occasion === "push" || item.occasion === "clone") {
          await prepare?.(0);
          await run(0);
        }
        await prepare?.(1);
        counts.push(await countsOf(forge, () => run(1)));
      }
      const [small, large] = counts;
      expect(large?.statements).toBe(small?.statements);
      for (const { processes } of counts) expect(processes).toBeLessThanOrEqual(item.maxProcesses);
    });
  }
});

/** A list that ends on its first page needs no total, and an empty one loads nothing for its rows. */
const statementsOfTotal = 2;

describe("rows of lists", () => {
  const shapeOf = (size: number): SiteShape => ({
    users: size / 5,
    organizations: 4,
    repositories: size,
    ownRepositories: size / 5,
    repositoriesWithIssues: size / 2,
    issuesOfLargest: size * 2,
    issuesOfOthers: 5,
  });
  let forges: readonly TestForge[] = [];

  beforeAll(async () => {
    forges = [await openForge(), await openForge()];
    for (const [at, size] of [50, 500].entries()) await fillSite(siteOf(forges[at] as TestForge), shapeOf(size));
  }, 240_000);
  afterAll(async () => {
    for (const forge of forges) await forge[Symbol.asyncDispose]();
  });

  test("no process, and at most the statements of a total more than a list of one page", async () => {
    const grown: unknown[] = [];
    for (const item of listItems) {
      const counts: Counts[] = [];
      for (const forge of forges) {
        const http = openClient(forge.url, item.token);
        const { run } = await openList({ http }, item);
        await run(0);
        counts.push(await countsOf(forge, () => run(1)));
        http.close();
      }
      const [small, large] = counts;
      if (small === undefined || large === undefined) throw new Error("a row was not counted");
      if (large.statements > small.statements + statementsOfTotal || large.processes > 0) grown.push([item.id, small, large]);
    }
    expect(grown).toEqual([]);
  });
});
