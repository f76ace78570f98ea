import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { operator } from "../../../../access/actor.ts";
import { unavailable } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { asActor } from "../../../repositories/repos/service/user-rights.ts";
import type { FoundPull } from "../model.ts";
import { recordPullEvent } from "../service/events.ts";
import { findPull } from "../service/find.ts";
import { mergePull } from "../service/merge/merge.ts";
import { mergeWaiting } from "../service/merge/schedule.ts";
import { insertAutoMerge } from "../store/auto-merges.ts";

/** Auto merges: merges that wait for the rules of their base branch. */

const site = "/repos/alice/site";
const numberOf = ({ path }: Waiting): string => path.split("/").at(-1) ?? "";

interface Waiting {
  readonly path: string;
  readonly branch: string;
  readonly head: string;
}

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = await Promise.all([forge.createUser("alice"), forge.createUser("bob")]);
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
    await alice.post(`${site}/branch_protections`, { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci/*"] }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const write = async (path: string, branch: string, from: string): Promise<string> => {
    const made = await alice.post(`${site}/contents/${path}.txt`, { content: "eA==", message: path, branch: from, new_branch: branch }).expect(201);
    return made.commit.sha;
  };
  const open = async (branch: string): Promise<Waiting> => {
    const head = await write(branch, branch, "main");
    const { number } = await alice.post(`${site}/pulls`, { title: branch, head: branch, base: "main" }).expect(201);
    return { path: `${site}/pulls/${number}`, branch, head };
  };
  const schedule = (user: TestUser, { path }: Waiting, more: object = {}) =>
    user.post(`${path}/merge`, { Do: "merge", merge_when_checks_succeed: true, ...more });
  const succeed = (oid: string, context = "ci/x") => alice.post(`${site}/statuses/${oid}`, { state: "success", context }).expect(200);
  const isMerged = async ({ path }: Waiting): Promise<boolean> => (await alice.get(path).expect(200)).merged;
  const mergesOf = async ({ path }: Waiting): Promise<number> => {
    const entries = await alice.get<{ type: string }[]>(`${path.replace("/pulls/", "/issues/")}/timeline`).expect(200);
    return entries.filter(({ type }) => type === "merge_pull").length;
  };

  /** Stores a waiting merge without publishing its event. @returns the repository's id */
  const writeDown = async (pull: Waiting, andThen?: (tx: Tx, found: FoundPull) => Promise<void>): Promise<number> => {
    const { db } = forge.context;
    const { id: repoId } = await alice.get(site).expect(200);
    const repository = await findRepositoryById({ db }, repoId, operator);
    await db.tx(async (tx) => {
      const found = await findPull({ db: tx }, repository, numberOf(pull));
      const waiting = { pullId: found.id, accountId: alice.id, style: "merge", title: "", message: "", deletesBranch: false, headOid: pull.head } as const;
      await insertAutoMerge(tx, waiting);
      await andThen?.(tx, found);
    });
    return repoId;
  };

  describe("an auto merge", () => {
    test("deletes the head branch if the repository does so by default and the request does not override it", async () => {
      const [kept, gone] = [await open("kept"), await open("gone")];
      await alice.patch(site, { has_pull_requests: true, default_delete_branch_after_merge: true }).expect(200);
      await schedule(alice, kept, { delete_branch_after_merge: false }).expect(201);
      await schedule(alice, gone).expect(201);
      await alice.patch(site, { has_pull_requests: true, default_delete_branch_after_merge: false }).expect(200);
      for (const { head } of [kept, gone]) await succeed(head);
      await forge.settled();
      expect([await isMerged(kept), await isMerged(gone)]).toEqual([true, true]);
      await alice.get(`${site}/branches/kept`).expect(200);
      await alice.get(`${site}/branches/gone`).expect(404);
    });

    test("runs once under concurrent triggers and deletes its branch", async () => {
      const pull = await open("once");
      await schedule(alice, pull, { delete_branch_after_merge: true }).expect(201);
      const count = async (): Promise<number> => Number((await alice.get(`${site}/commits?limit=1`)).headers.get("x-total-count"));
      const before = await count();
      await Promise.all(Array.from({ length: 8 }, (_, at) => succeed(pull.head, `ci/${at}`)));
      await forge.settled();
      expect([await isMerged(pull), await mergesOf(pull), (await count()) - before]).toEqual([true, 1, 2]);
      await alice.get(`${site}/branches/once`).expect(404);
      await alice.delete(`${pull.path}/merge`).expect(404);
    });

    test("merges immediately if nothing is missing", async () => {
      const pull = await open("ready");
      await succeed(pull.head);
      await schedule(alice, pull).expect(200);
      expect(await isMerged(pull)).toBe(true);
    });

    test("also runs if the missing check arrives while it is being stored", async () => {
      const pull = await open("between");
      await succeed(pull.head);
      await forge.settled();
      // The row that `mergeWhenReady` writes if the check was missing a moment before.
      await writeDown(pull, (tx, found) => recordPullEvent(tx, alice.id, found, "pull.merge_scheduled", { style: "merge" }));
      await forge.settled();
      expect(await isMerged(pull)).toBe(true);
    });

    test("is retried if the database was too busy", async () => {
      const { context } = forge.forge;
      const pull = await open("busy");
      await succeed(pull.head);
      await forge.settled();
      const repoId = await writeDown(pull);
      const refusals = [unavailable("the database is busy")];
      const tx: Db["tx"] = async (work) => {
        const refusal = refusals.pop();
        if (refusal !== undefined) throw refusal;
        return context.db.tx(work);
      };
      await mergeWaiting({ ...context, db: { ...context.db, tx } }, repoId, { headOid: pull.head });
      expect([await isMerged(pull), refusals]).toEqual([false, []]);
      await forge.settled();
      expect(await isMerged(pull)).toBe(true);
    });

    test("applies only to the head that the user saw", async () => {
      const pull = await open("seen");
      expect((await schedule(alice, pull, { head_commit_id: "f".repeat(40) })).status).toBe(409);
      await schedule(alice, pull, { head_commit_id: pull.head }).expect(201);
      const pushed = await write("seen-more", "seen", "seen");
      await forge.settled();
      await succeed(pushed);
      await forge.settled();
      expect(await isMerged(pull)).toBe(false);
      await alice.delete(`${pull.path}/merge`).expect(404);
    });

    test("runs with the current rights of the user who requested it", async () => {
      const pull = await open("trusted");
      await schedule(bob, pull).expect(201);
      // The actor that a try in progress has loaded.
      const { context } = forge.forge;
      const user = (await loadUsers(context, [bob.id])).get(bob.id);
      if (user === undefined) throw new Error("bob is gone");
      const known = await findRepositoryById(context, (await alice.get(site).expect(200)).id, asActor(user));
      await alice.delete(`${site}/collaborators/bob`).expect(204);
      await succeed(pull.head);
      await forge.settled();
      expect(await isMerged(pull)).toBe(false);
      const requested = { style: "merge", title: "", message: "", expectedHeadOid: pull.head, deletesBranch: false, isForced: false } as const;
      await expect(mergePull(context, asActor(user), known, numberOf(pull), requested)).rejects.toMatchObject({ code: "refused" });
      await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
    });
  });
});
