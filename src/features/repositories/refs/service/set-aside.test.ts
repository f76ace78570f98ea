import { readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestClock } from "../../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../../test/kit/forge.ts";
import { createClient } from "../../../../../test/kit/git.ts";
import { push } from "../../../../../test/kit/push.ts";
import { hasSetAside } from "../../../../git/maintain/set-aside.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findProblems } from "./check.ts";
import { collectMovedStores, collectStore } from "./housekeeping.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Makes everything in a store older than two weeks. */
const makeOld = (store: GitStore): Promise<void> => setAge(store, 15 * dayMs);
const makeNew = (store: GitStore): Promise<void> => setAge(store, 0);

async function setAge(store: GitStore, ms: number): Promise<void> {
  const old = new Date(Date.now() - ms);
  for (const entry of await readdir(store.objectsPath, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), old, old);
  }
}

/** A repository `site` whose branch was forced back from commit `lost`. All its objects are old. */
async function repositoryWithLostCommit(forge: TestForge): Promise<{ readonly store: GitStore; readonly keptOid: Oid; readonly lostOid: Oid }> {
  await forge.admin.post("/user/repos", { name: "site" }).expect(201);
  const client = createClient();
  try {
    const keptOid = client.commit({ "a.txt": "kept\n" });
    const lostOid = client.commit({ "b.txt": "lost\n" });
    await push(client, forge.admin, `${forge.admin.name}/site`, "main");
    client.git("reset", "-q", "--hard", keptOid);
    await push(client, forge.admin, `${forge.admin.name}/site`, "--force", "main");
    const { db, git } = forge.forge.context;
    const { id, object_format } = await db.sql.selectFrom("git_stores").select(["id", "object_format"]).executeTakeFirstOrThrow();
    const store = git.store(id, object_format);
    await forge.settled();
    await makeOld(store);
    return { store, keptOid, lostOid };
  } finally {
    client.remove();
  }
}

/** The stores of a server, except that `pause` runs after a maintenance process was given its refs and before it starts. */
const pausedWithRefs = (git: GitStores, pause: () => Promise<void>): GitStores => ({
  ...git,
  shared: {
    ...git.shared,
    snapshots: {
      ...git.shared.snapshots,
      async make(...given) {
        const path = await git.shared.snapshots.make(...given);
        await pause();
        return path;
      },
    },
  },
});

eachDialect((dialect) => {
  describe("objects that a collection removes", () => {
    const site = "/repos/chief/site";

    test("removed objects come back if a ref is pointed to them after the collection has read the refs", async () => {
      await using forge = await startForge({ dialect });
      const { store, lostOid } = await repositoryWithLostCommit(forge);
      const { db, git } = forge.forge.context;
      let isMoved = false;
      const paused = pausedWithRefs(git, async () => {
        if (isMoved) return;
        isMoved = true;
        await forge.admin.post(`${site}/branches`, { new_branch_name: "found", old_ref_name: lostOid }).expect(201);
      });
      const run = { payload: { storeId: store.id }, attempt: 1, signal: new AbortController().signal };
      await collectStore({ db, git: paused }, { ...run, tx: (work) => db.tx(work) });
      expect(isMoved).toBe(true);
      expect(await findProblems({ db, git }, store.id)).toEqual([]);
      expect(forge.log.filter(({ message }) => message.includes("set aside by a collection and are restored"))).toHaveLength(1);
      await forge.admin.get(`${site}/contents/b.txt?ref=found`).expect(200);
    });

    test("removed objects come back if a ref is pointed to them after the collection, through an object that is still cached", async () => {
      await using forge = await startForge({ dialect });
      const { store, lostOid } = await repositoryWithLostCommit(forge);
      const { db, git } = forge.forge.context;
      await forge.admin.get(`${site}/git/commits/${lostOid}`).expect(200);
      await collectMovedStores({ db, git });
      await forge.settled();
      expect(await hasSetAside(store, "complete")).toBe(true);
      await forge.admin.post(`${site}/branches`, { new_branch_name: "found", old_ref_name: lostOid }).expect(201);
      await forge.settled();
      expect(await findProblems({ db, git }, store.id)).toEqual([]);
      expect(await hasSetAside(store, "all")).toBe(false);
    });

    test("unreachable objects are in forks if they are younger than two weeks and a ref was pointed to them again", async () => {
      await using forge = await startForge({ dialect });
      const { store, lostOid } = await repositoryWithLostCommit(forge);
      const { db, git } = forge.forge.context;
      await makeNew(store);
      await collectMovedStores({ db, git });
      await forge.settled();
      await forge.admin.post(`${site}/branches`, { new_branch_name: "found", old_ref_name: lostOid }).expect(201);
      const other = await forge.createUser("forker");
      await other.post(`${site}/forks`, {}).expect(202);
      const fork = await db.sql.selectFrom("git_stores").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
      expect(await findProblems({ db, git }, fork.id)).toEqual([]);
      await other.get("/repos/forker/site/contents/b.txt?ref=found").expect(200);
    });

    test("removed objects stay removed if refs move elsewhere, and are deleted after three days", async () => {
      const clock = createTestClock(Date.now());
      await using forge = await startForge({ dialect, clock });
      const { store, keptOid } = await repositoryWithLostCommit(forge);
      const { db, git } = forge.forge.context;
      const setAsideMs = async () => (await db.sql.selectFrom("git_stores").select("set_aside_ms").executeTakeFirstOrThrow()).set_aside_ms;
      await collectMovedStores({ db, git });
      await forge.settled();
      await forge.admin.post(`${site}/branches`, { new_branch_name: "other", old_ref_name: keptOid }).expect(201);
      clock.advance(3 * dayMs - 60_000);
      await forge.settled();
      expect(await hasSetAside(store, "complete")).toBe(true);
      expect(await setAsideMs()).not.toBeNull();
      clock.advance(2 * 60_000);
      await forge.settled();
      expect(await hasSetAside(store, "all")).toBe(false);
      expect(await setAsideMs()).toBeNull();
      expect(await findProblems({ db, git }, store.id)).toEqual([]);
    });

    test("removed objects come back after a collection that was interrupted between their removal and its end", async () => {
      await using forge = await startForge({ dialect });
      const { store, lostOid } = await repositoryWithLostCommit(forge);
      const { db, git } = forge.forge.context;
      await forge.admin.get(`${site}/git/commits/${lostOid}`).expect(200);
      const run = { payload: { storeId: store.id }, attempt: 1, signal: new AbortController().signal };
      const interrupted = { ...git.shared.snapshots, remove: () => Promise.reject(new Error("interrupted")) };
      const failing = { ...git, shared: { ...git.shared, snapshots: interrupted } };
      await expect(collectStore({ db, git: failing }, { ...run, tx: (work) => db.tx(work) })).rejects.toThrow("interrupted");
      // As if it had been interrupted a moment earlier.
      const [folder = ""] = await readdir(join(store.path, "set-aside"));
      await rm(join(store.path, "set-aside", folder, "complete"));
      await forge.admin.post(`${site}/branches`, { new_branch_name: "found", old_ref_name: lostOid }).expect(201);
      await collectMovedStores({ db, git });
      await forge.settled();
      expect(await findProblems({ db, git }, store.id)).toEqual([]);
    });
  });
});
