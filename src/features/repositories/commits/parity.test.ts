import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type ClientRepository, createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import type { Commit, Compare } from "../../../wire/commit.ts";
import type { GitTreeResponse } from "../../../wire/git-data.ts";

/** Compares responses with the output of stock git for the same history. */

let forge: TestForge;
let alice: TestUser;
const clients: ClientRepository[] = [];

beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
});

afterAll(async () => {
  for (const client of clients) client.remove();
  await forge[Symbol.asyncDispose]();
});

function newClient(): ClientRepository {
  const client = createClient();
  clients.push(client);
  return client;
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
const shas = (commits: readonly Commit[] | null): string[] => (commits ?? []).map(({ sha }) => sha);

test("compares any two of forty commits, with and without merges, as git does", async () => {
  const client = newClient();
  await alice.post("/user/repos", { name: "dag" }).expect(201);
  const tree = client.pipe("", "mktree").toString().trim();
  // A fixed pseudo-random sequence.
  let state = 42;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const oids: string[] = [];
  for (let index = 0; index < 40; index++) {
    const near = (): string => oids[Math.max(0, oids.length - 1 - random(4))] ?? "";
    const parents = new Set(index === 0 || index === 20 ? [] : random(4) === 0 ? [near(), near()] : [near()]);
    oids.push(client.git("commit-tree", tree, "-m", `${index}`, ...[...parents].flatMap((oid) => ["-p", oid])));
  }
  await push(client, alice, "alice/dag", `${oids[19]}:refs/heads/main`, ...oids.map((oid, index) => `${oid}:refs/tags/t${index}`));
  const differing: string[] = [];
  for (let index = 0; index < 150; index++) {
    const [base, head] = [random(40), random(40)];
    const { total_commits, commits } = await alice.get<Compare>(`/repos/alice/dag/compare/t${base}...t${head}`).expect(200);
    const expected = lines(client.git("rev-list", `${oids[base]}..${oids[head]}`));
    if (total_commits !== expected.length || shas(commits).sort().join() !== expected.sort().join()) differing.push(`t${base}...t${head}`);
  }
  expect(differing).toEqual([]);
});

test("a comparison counts more commits than it lists", async () => {
  const client = newClient();
  await alice.post("/user/repos", { name: "long" }).expect(201);
  const many = 520;
  const stream = Array.from({ length: many }, (_, index) => `commit refs/heads/main\ncommitter C <c@x> ${1_700_000_000 + index} +0000\ndata 1\nm\n`);
  client.pipe(stream.join(""), "fast-import", "--quiet");
  client.git("tag", "first", "main~519");
  await push(client, alice, "alice/long", "main", "first");
  const { total_commits, commits } = await alice.get<Compare>("/repos/alice/long/compare/first...main").expect(200);
  expect([total_commits, shas(commits)]).toEqual([many - 1, lines(client.git("rev-list", "--max-count=500", "main"))]);
});

const bundle = "../shared/data/express.bundle";
const isThere = existsSync(bundle);

describe.runIf(isThere)(`a real history${isThere ? "" : " (skipped: its bundle is not available)"}`, () => {
  let client: ClientRepository;
  let branch: string;
  const R = "/repos/alice/express";

  beforeAll(async () => {
    client = newClient();
    client.git("fetch", "-q", "--update-head-ok", `${process.cwd()}/${bundle}`, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*");
    await alice.post("/user/repos", { name: "express" }).expect(201);
    await push(client, alice, "alice/express", "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*");
    branch = (await alice.get(R).expect(200)).default_branch;
  });

  test("lists and counts commits in git's order, on the first and the last page", async () => {
    const all = lines(client.git("rev-list", branch));
    for (const page of [1, 2, 9, 10, 11, 60, Math.ceil(all.length / 50), 1000]) {
      const answer = await alice.get<Commit[]>(`${R}/commits?limit=50&page=${page}&stat=false&files=false`);
      expect(shas(answer.json), `page ${page}`).toEqual(all.slice((page - 1) * 50, page * 50));
      expect(answer.headers.get("x-total-count")).toBe(String(all.length));
    }
  });

  test("filters commits as git does", async () => {
    const cases: readonly [string, string[]][] = [
      ["path=lib/router", [branch, "--", "lib/router"]],
      ["path=package.json&sha=4.x", ["4.x", "--", "package.json"]],
      ["since=2014-01-01T00:00:00Z&until=2014-12-31T23:59:59Z", ["--since=2014-01-01T00:00:00Z", "--until=2014-12-31T23:59:59Z", branch]],
      ["sha=4.18.2&not=4.17.1", ["4.18.2", "^4.17.1"]],
    ];
    for (const [query, args] of cases) {
      const all = lines(client.git("rev-list", ...args));
      const answer = await alice.get<Commit[]>(`${R}/commits?${query}&limit=50&page=2&stat=false&files=false`);
      expect([answer.headers.get("x-total-count"), shas(answer.json)], query).toEqual([String(all.length), all.slice(50, 100)]);
    }
  });

  test("returns the line counts and files that git shows", async () => {
    const commits = [
      ...(await alice.get<Commit[]>(`${R}/commits?limit=50`).expect(200)),
      ...(await alice.get<Commit[]>(`${R}/commits?limit=50&page=70`).expect(200)),
    ];
    const differing = commits.filter(({ sha, stats, files }) => {
      const show = (...flags: string[]): string[] =>
        lines(client.git("diff-tree", "-r", "--root", "--no-commit-id", "--diff-merges=first-parent", ...flags, sha));
      const counts = show("-M", "--numstat").map((line) =>
        line
          .split("\t")
          .slice(0, 2)
          .map((count) => Number(count) || 0),
      );
      const [additions = 0, deletions = 0] = [0, 1].map((column) => counts.reduce((sum, row) => sum + (row[column] ?? 0), 0));
      const letters: Record<string, string> = { A: "added", M: "modified", D: "removed", T: "modified" };
      const statuses = show("--no-renames", "--name-status").map((line) => `${letters[line.slice(0, 1)]} ${line.slice(2)}`);
      return (
        JSON.stringify(stats) !== JSON.stringify({ total: additions + deletions, additions, deletions }) ||
        (files ?? [])
          .map(({ status, filename }) => `${status} ${filename}`)
          .sort()
          .join("\n") !== statuses.sort().join("\n")
      );
    });
    expect(shas(differing)).toEqual([]);
  });

  test("returns git's trees, with sizes", async () => {
    for (const rev of [branch, "4.0.0", "1.0.0"]) {
      const { tree } = await alice.get<GitTreeResponse>(`${R}/git/trees/${rev}?recursive=1`).expect(200);
      const expected = lines(client.git("-c", "core.quotePath=false", "ls-tree", "-r", "-t", "-l", rev));
      expect(
        (tree ?? []).map(({ mode, type, sha, size, path }) => `${mode} ${type} ${sha} ${(type === "blob" ? String(size) : "-").padStart(7)}\t${path}`),
      ).toEqual(expected);
    }
  });

  test("compares refs as git does", async () => {
    for (const [base, head] of [
      ["4.18.1", "4.18.2"],
      ["4.17.0", "4.18.0"],
      ["4.18.0", "4.17.0"],
      ["4.x", "5.x"],
      ["5.x", "4.x"],
      ["4.18.2", branch],
    ] as const) {
      const expected = lines(client.git("rev-list", `${base}..${head}`));
      const { total_commits, commits } = await alice.get<Compare>(`${R}/compare/${base}...${head}`).expect(200);
      expect([total_commits, shas(commits)], `${base}...${head}`).toEqual([expected.length, expected.slice(0, 500)]);
    }
  });
});
