import { performance } from "node:perf_hooks";
import { afterAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { createClient, importObjects } from "../../../../../test/kit/git.ts";
import { openStoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import { findProblems } from "./check.ts";
import { moveStoreRefs } from "./move.ts";
import { createStore } from "./stores.ts";

const client = createClient();
afterAll(() => client.remove());

const count = 2_000;
const lines = Array.from(
  { length: count },
  (_, at) => `commit refs/heads/main\ncommitter c <c@example.com> ${1_700_000_000 + at} +0000\ndata 1\nm\nM 100644 inline a.txt\ndata 4\n${1_000 + at}\n`,
);
client.pipe(lines.join(""), "fast-import", "--quiet", "--force");
const commits = client.git("rev-list", "main").split("\n");
const missing = "f".repeat(40);

eachDialect((dialect) => {
  test("the objects of thousands of refs are looked up in batches, and missing ones are reported", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db, git } = fixture;
    const store = git.store(await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" })), "sha1");
    await importObjects(store, client, commits.slice(0, 1));
    const tips = [...commits, missing];
    const updates = tips.map((newOid, at) => ({ name: `refs/heads/b${at}`, oldOid: null, newOid, type: "commit", peeledOid: "", tipMs: 0 }) as const);
    await db.tx((tx) => moveStoreRefs(tx, store.id, updates, "all"));

    const before = performance.nodeTiming.uvMetricsInfo.loopCount;
    const problems = await findProblems({ db, git }, store.id);
    expect(performance.nodeTiming.uvMetricsInfo.loopCount - before).toBeLessThan(count / 2);
    expect(problems[0]).toBe(`refs/heads/b${count} points to ${missing}, which does not exist`);
    expect(problems.filter((problem) => problem.includes("does not exist"))).toHaveLength(1);
  });
});
