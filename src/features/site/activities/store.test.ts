import { expect, test } from "vitest";
import { createStatementRecorder, eachDialect } from "../../../../test/kit/databases.ts";
import { account, gitStore, repository } from "../../../../test/kit/rows.ts";
import type { UserActor } from "../../../access/actor.ts";
import { allScopes } from "../../../access/scopes.ts";
import type { Tx } from "../../../db/db.ts";
import { readableRepositories } from "../../repositories/repos/service/visible.ts";
import { type FeedFilter, firstActivities, pageActivities } from "./store.ts";

const limit = 15;

async function insert(tx: Tx, place: { readonly actorId: number; readonly repoId: number }, times: readonly number[]): Promise<void> {
  const rows = times.map((created_ms) => ({
    kind: "create_repo",
    actor_id: place.actorId,
    repo_id: place.repoId,
    owner_id: place.actorId,
    ref_name: "",
    subject: "",
    created_ms,
  }));
  await tx.sql.insertInto("activities").values(rows).execute();
}

const range = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

eachDialect((dialect) => {
  test("the first activities are those of the whole feed, and take a second statement only if an omitted one can be among them", async () => {
    await using database = await dialect.create();
    const recorder = createStatementRecorder();
    const db = await database.open({ onStatement: recorder.onStatement });
    const { alice, own, open, hidden } = await db.tx(async (tx) => {
      const ids = { alice: await account(tx, { name: "alice", name_folded: "alice" }), bob: await account(tx, { name: "bob", name_folded: "bob" }) };
      const add = async (owner_id: number, name: string, is_private: 0 | 1) =>
        repository(tx, { owner_id, code_store_id: await gitStore(tx), name, name_folded: name, is_private });
      const repositories = { own: await add(ids.alice, "own", 0), open: await add(ids.bob, "open", 0), hidden: await add(ids.bob, "hidden", 1) };
      const watches = [repositories.open, repositories.hidden].map((repo_id) => ({ repo_id, account_id: ids.alice, created_ms: 1 }));
      await tx.sql.insertInto("watches").values(watches).execute();
      return {
        alice: ids.alice,
        own: { actorId: ids.alice, repoId: repositories.own },
        open: { actorId: ids.bob, repoId: repositories.open },
        hidden: { actorId: ids.bob, repoId: repositories.hidden },
      };
    });
    const actor: UserActor = {
      kind: "user",
      id: alice,
      name: "alice",
      fullName: "",
      email: "",
      hideEmail: false,
      isAdmin: false,
      isRestricted: false,
      credential: { kind: "password", scopes: allScopes, isBasic: true },
    };
    const filter: FeedFilter = {
      of: { kind: "user", accountId: alice },
      viewer: { id: alice, seesAll: false },
      readable: readableRepositories(actor),
      showsPrivate: true,
    };
    const check = async (): Promise<readonly [shown: number, statements: number]> => {
      let found: Awaited<ReturnType<typeof firstActivities>> = [];
      const statements = await recorder.during(async () => {
        found = await firstActivities(db, filter, limit);
      });
      expect(found).toEqual((await pageActivities(db, filter, { page: 1, limit, offset: 0 })).items);
      return [found.length, statements.length];
    };
    expect(await check()).toEqual([0, 2]);
    await db.tx((tx) => insert(tx, own, range(1_000, 5)));
    expect(await check()).toEqual([5, 1]);
    await db.tx((tx) => insert(tx, open, range(500, 100)));
    expect(await check()).toEqual([15, 1]);
    await db.tx((tx) => insert(tx, own, range(2_000, 100)));
    expect(await check()).toEqual([15, 1]);
    // The newest fifty of the watched repositories are hidden, and an older one is newer than the user's own actions.
    await db.tx((tx) => insert(tx, open, range(2_900, 20)));
    await db.tx((tx) => insert(tx, hidden, range(3_000, 60)));
    expect(await check()).toEqual([15, 2]);
    await db.tx((tx) => insert(tx, own, range(4_000, 100)));
    expect(await check()).toEqual([15, 1]);
  });
});
