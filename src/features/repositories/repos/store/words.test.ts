import { expect, test } from "vitest";
import { createStatementRecorder, eachDialect } from "../../../../../test/kit/databases.ts";
import { account, gitStore, repository, repositoryRow } from "../../../../../test/kit/rows.ts";
import { anonymous } from "../../../../access/actor.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { type RepositoryFilter, searchRepositoryIds } from "./search.ts";

const count = 1_200;

/** Public repositories with ids in the order of their index; `common` is in two of three names, `word` in one of thirty descriptions. */
async function seed(tx: Tx): Promise<{ readonly owners: readonly number[]; readonly ids: readonly number[] }> {
  const owners: number[] = [];
  for (let at = 0; at < 3; at += 1) owners.push(await account(tx, { name: `owner${at}`, name_folded: `owner${at}` }));
  const store = { object_format: "sha1", head_ref: "refs/heads/main", created_ms: 1 } as const;
  const stores = await tx.sql
    .insertInto("git_stores")
    .values(Array.from({ length: count }, () => store))
    .returning("id")
    .execute();
  const rows = stores.map(({ id }, at) => {
    const name = `${at % 3 === 0 ? "Other" : "Common"}-${at}`;
    const texts = { name, name_folded: name.toLowerCase(), description: at % 30 === 0 ? "A rare WORD, 100%" : "Text" };
    return repositoryRow({ owner_id: owners[at % 3] ?? 0, code_store_id: id, ...texts, stars_count: (at * 7_919) % count });
  });
  const ids: number[] = [];
  for (let from = 0; from < count; from += 500) {
    const inserted = await tx.sql
      .insertInto("repositories")
      .values(rows.slice(from, from + 500))
      .returning("id")
      .execute();
    ids.push(...inserted.map(({ id }) => id));
  }
  return { owners, ids };
}

/** Positions of the found repositories, and their total. */
async function find(
  db: Db,
  ids: readonly number[],
  value: string,
  more: Partial<RepositoryFilter> & { readonly within?: "names" | "topics"; offset?: number } = {},
) {
  const { within = "names and descriptions", offset = 0, ...filter } = more;
  const { items, total } = await searchRepositoryIds(
    db,
    anonymous,
    { text: { value, within }, sort: "id", direction: "asc", ...filter },
    { page: 1, limit: 20, offset },
  );
  return { found: items.map((id) => ids.indexOf(id)), total };
}

const positions = (fits: (at: number) => boolean): readonly number[] => Array.from({ length: count }, (_, at) => at).filter(fits);

eachDialect((dialect) => {
  test("finds all matches of a rare word, and the first of a frequent or short one, in any order", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const { ids } = await db.tx(seed);
    const rare = positions((at) => at % 30 === 0);
    expect(await find(db, ids, "Rare word")).toEqual({ found: rare.slice(0, 20), total: 40 });
    expect(await find(db, ids, "100%", { offset: 30 })).toEqual({ found: rare.slice(30), total: 40 });
    expect(await find(db, ids, "rare word", { offset: 60 })).toEqual({ found: [], total: 40 });
    expect(await find(db, ids, "rare word", { within: "names" })).toEqual({ found: [], total: 0 });
    expect(await find(db, ids, "owner0/other-30,common-1199")).toEqual({
      found: [30, ...positions((at) => at >= 300 && at < 310 && at % 3 === 0), 1_199],
      total: 6,
    });
    expect(await find(db, ids, "owner1/other-3")).toEqual({ found: [], total: 0 });
    for (const value of ["common", "co", "mm"]) {
      const common = positions((at) => at % 3 !== 0);
      expect(await find(db, ids, value)).toEqual({ found: common.slice(0, 20), total: 500 });
      expect(await find(db, ids, value, { offset: 40 })).toEqual({ found: common.slice(40, 60), total: 500 });
      const byStars = common.toSorted((one, other) => ((other * 7_919) % count) - ((one * 7_919) % count));
      expect(await find(db, ids, value, { sort: "stars", direction: "desc" })).toEqual({ found: byStars.slice(0, 20), total: 500 });
      expect((await find(db, ids, value, { offset: 490 })).found).toHaveLength(10);
      expect(await find(db, ids, value, { offset: 500 })).toEqual({ found: [], total: 500 });
    }
    // The only match is after the repositories that are compared: names that begin with a short word are in the index of names.
    const last = await db.tx(async (tx) => {
      const owner_id = await account(tx, { name: "zed", name_folded: "zed" });
      return repository(tx, { owner_id, code_store_id: await gitStore(tx), name: "zq", name_folded: "zq" });
    });
    expect(await find(db, [...ids, last], "zq", { sort: "alpha" })).toEqual({ found: [count], total: 1 });
  });

  test("sorts the matches of a rare word, and of a frequent one only if the compared repositories do not fill the page", async () => {
    await using database = await dialect.create();
    const recorder = createStatementRecorder();
    const db = await database.open({ onStatement: recorder.onStatement });
    const { owners, ids } = await db.tx(seed);
    const statements = async (value: string, more: Parameters<typeof find>[3] = {}): Promise<readonly [sorted: boolean, count: number]> => {
      const run = await recorder.during(() => find(db, ids, value, more));
      return [run.some((text) => text.startsWith("select r.id from repositories r")), run.length];
    };
    expect(await statements("rare word")).toEqual([true, 2]);
    expect(await statements("missing")).toEqual([false, 1]);
    expect(await statements("common")).toEqual([false, 2]);
    // Enough repositories were compared, so the index of words is not read.
    expect(await statements("common", { offset: 480 })).toEqual([false, 1]);
    expect(await statements("rare word", { offset: 480 })).toEqual([false, 2]);
    // Repositories of this owner come first.
    expect(await statements("common", { priorityOwnerId: owners[1] ?? 0 })).toEqual([true, 3]);
    // "co" is at the beginning of names, which are indexed, and "mm" within them.
    expect(await statements("co")).toEqual([false, 2]);
    expect(await statements("mm")).toEqual([false, 2]);
  });

  test("finds changed names, owners, topics and descriptions at once, and no former ones", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const { owners, ids } = await db.tx(seed);
    const [first = 0, second = 0] = ids;
    const only = async (value: string, within: "names" | "names and descriptions" | "topics" = "names and descriptions") =>
      (await find(db, ids, value, { within } as never)).found;
    const change = (work: (tx: Tx) => Promise<unknown>): Promise<void> => db.tx(async (tx) => void (await work(tx)));
    const update = (id: number, values: object) => change(({ sql }) => sql.updateTable("repositories").set(values).where("id", "=", id).execute());
    // Enough changes to move texts between SQLite's two tables.
    await change(async ({ sql }) => {
      for (let at = 0; at < 70; at += 1)
        await sql
          .updateTable("repositories")
          .set({ name: `Moved-${at}`, name_folded: `moved-${at}` })
          .where("id", "=", first)
          .execute();
    });
    expect([await only("moved-69"), await only("moved-68"), await only("other-0")]).toEqual([[0], [], []]);
    await update(second, { description: "An unseen description" });
    expect([await only("unseen"), (await only("common-1")).includes(1)]).toEqual([[1], true]);
    await update(second, { owner_id: owners[2] });
    expect([await only("owner2/common-1,"), await only("owner1/common-1")].map((found) => found.includes(1))).toEqual([true, false]);
    await change(({ sql }) =>
      sql
        .updateTable("accounts")
        .set({ name: "renamed", name_folded: "renamed" })
        .where("id", "=", owners[2] ?? 0)
        .execute(),
    );
    expect([await only("renamed/common-1"), await only("owner2/common-1")].map((found) => found.includes(1))).toEqual([true, false]);
    await change(async ({ sql }) => {
      const topic = await sql.insertInto("topics").values({ name: "quaint", created_ms: 1, updated_ms: 1 }).returning("id").executeTakeFirstOrThrow();
      await sql
        .insertInto("repository_topics")
        .values([first, second].map((repo_id) => ({ repo_id, topic_id: topic.id })))
        .execute();
    });
    expect([await only("quain"), await only("quaint", "topics"), await only("quain", "topics")]).toEqual([[0, 1], [0, 1], []]);
    await change(({ sql }) => sql.deleteFrom("repository_topics").where("repo_id", "=", first).execute());
    expect([await only("quain"), await only("quaint", "topics")]).toEqual([[1], [1]]);
    await update(first, { deleted_ms: 5 });
    expect(await only("moved")).toEqual([]);
    await update(first, { deleted_ms: null });
    expect(await only("moved")).toEqual([0]);
    await change(({ sql }) => sql.deleteFrom("repositories").where("id", "in", [first, second]).execute());
    expect([await only("moved"), await only("unseen"), await only("quain")]).toEqual([[], [], []]);
  });
});
