import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { listGraph, maxGraphParents } from "./commit-graph.ts";

let kit: TestStores;

beforeAll(async () => {
  kit = await openTestStores();
});

afterAll(() => kit.close());

test.each(["sha1", "sha256"] as const)("lists at most the maximum number of a merge's parents, but counts all of them (%s)", async (format) => {
  const store = kit.fresh(format);
  const client = createClient(format);
  try {
    const root = client.commit({ "a.txt": "a\n" });
    const tree = client.git("rev-parse", `${root}^{tree}`).trim();
    const parents = Array.from({ length: maxGraphParents + 36 }, (_, at) => client.git("commit-tree", "-p", root, "-m", `parent ${at}`, tree).trim());
    const merge = client.git("commit-tree", ...parents.flatMap((oid) => ["-p", oid]), "-m", "merge", tree).trim();
    client.git("update-ref", "HEAD", merge);
    await importObjects(store, client, [merge]);
    const commits = await listGraph(store, [merge], 3_000);
    expect(commits).toHaveLength(parents.length + 2);
    expect(commits[0]).toEqual({ oid: merge, parentOids: parents.slice(0, maxGraphParents), parentCount: parents.length });
    expect(commits[1]).toMatchObject({ parentOids: [root], parentCount: 1 });
    expect(commits.at(-1)).toEqual({ oid: root, parentOids: [], parentCount: 0 });
    expect(await listGraph(store, [merge], 1)).toHaveLength(1);
  } finally {
    client.remove();
  }
});
