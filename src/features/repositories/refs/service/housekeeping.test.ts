import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import { createClient } from "../../../../../test/kit/git.ts";
import { push } from "../../../../../test/kit/push.ts";
import { inspectStore } from "../../../../git/maintain/housekeeping.ts";
import { findProblems } from "./check.ts";
import { collectMovedStores, tidyWrittenStores } from "./housekeeping.ts";
import { moveStoreRefs } from "./move.ts";
import { allRefs } from "./read.ts";

eachDialect((dialect) => {
  test("joins the small packs of pushes without losing objects", async () => {
    await using forge = await startForge({ dialect });
    await forge.admin.post("/user/repos", { name: "busy" }).expect(201);
    // Written to once, which is not worth a process.
    await forge.admin.post("/user/repos", { name: "calm", auto_init: true }).expect(201);
    const client = createClient();
    try {
      for (let index = 0; index < 14; index += 1) {
        client.commit({ [`${index}.txt`]: `${index}` });
        await push(client, forge.admin, `${forge.admin.name}/busy`, "main");
      }
      const { db, git } = forge.context;
      const row = await db.sql.selectFrom("git_stores").select(["id", "object_format"]).orderBy("id").executeTakeFirstOrThrow();
      const store = git.store(row.id, row.object_format);
      expect((await inspectStore(store)).packs).toBe(14);

      await tidyWrittenStores({ db, git });
      await forge.settled();
      const tidied = await inspectStore(store);
      expect(tidied).toMatchObject({ hasCommitGraph: true });
      expect(tidied.packs).toBeLessThan(14);
      expect(await db.sql.selectFrom("git_stores").select("writes_since_housekeeping as writes").orderBy("id").execute()).toEqual([
        { writes: 0 },
        { writes: 1 },
      ]);

      await collectMovedStores({ db, git });
      await forge.settled();
      expect((await inspectStore(store)).packs).toBe(1);
      expect(await findProblems({ db, git }, row.id)).toEqual([]);
      expect((await allRefs(db, row.id)).map(({ oid }) => oid)).toEqual([client.git("rev-parse", "main")]);

      // No ref has moved since, so no work is due.
      const { processes } = await forge.cost(async () => {
        await tidyWrittenStores({ db, git });
        await collectMovedStores({ db, git });
        await forge.settled();
      });
      expect(processes).toBe(0);
    } finally {
      client.remove();
    }
  });

  test("a store is tidied as soon as it has many writes, including those of refused pushes", async () => {
    await using forge = await startForge({ dialect });
    await forge.admin.post("/user/repos", { name: "busy" }).expect(201);
    const client = createClient();
    try {
      const { db, git } = forge.context;
      for (let index = 0; index < 14; index += 1) {
        client.commit({ [`${index}.txt`]: `${index}` });
        await push(client, forge.admin, `${forge.admin.name}/busy`, "main");
      }
      const row = await db.sql.selectFrom("git_stores").select(["id", "object_format"]).executeTakeFirstOrThrow();
      const writes = async (): Promise<number> =>
        (await db.sql.selectFrom("git_stores").select("writes_since_housekeeping as writes").executeTakeFirstOrThrow()).writes;
      expect(await writes()).toBe(14);
      await db.tx((tx) => tx.sql.updateTable("git_stores").set({ writes_since_housekeeping: 98 }).execute());
      // Objects of a push that lost a race stay in the store.
      const lost = { name: "refs/heads/main", oldOid: null, newOid: client.git("rev-parse", "main"), type: "commit", peeledOid: "", tipMs: 0 } as const;
      await db.tx((tx) => moveStoreRefs(tx, row.id, [lost], "each", { sizeBytes: 100 }));
      expect(await writes()).toBe(99);
      client.commit({ "last.txt": "1" });
      await push(client, forge.admin, `${forge.admin.name}/busy`, "main");
      await forge.settled();
      expect(await writes()).toBe(0);
      expect((await inspectStore(git.store(row.id, row.object_format))).packs).toBeLessThan(14);
    } finally {
      client.remove();
    }
  });

  test("a large push is tidied immediately, for the clones that follow", async () => {
    await using forge = await startForge({ dialect });
    await forge.admin.post("/user/repos", { name: "big" }).expect(201);
    const client = createClient();
    try {
      client.commit({ "noise.bin": randomBytes(1_200_000) });
      await push(client, forge.admin, `${forge.admin.name}/big`, "main");
      await forge.settled();
      const { db, git } = forge.context;
      const row = await db.sql.selectFrom("git_stores").select(["id", "object_format", "writes_since_housekeeping"]).executeTakeFirstOrThrow();
      expect(row.writes_since_housekeeping).toBe(0);
      const shape = await inspectStore(git.store(row.id, row.object_format));
      expect(shape).toMatchObject({ packs: 1, unmappedBytes: 0, hasCommitGraph: true });
      expect(shape.packBytes).toBeGreaterThan(1_200_000);
    } finally {
      client.remove();
    }
  });

  test("tidying small writes keeps the bitmap of the large packs until the store has doubled", async () => {
    await using forge = await startForge({ dialect });
    await forge.admin.post("/user/repos", { name: "big" }).expect(201);
    const { db, git } = forge.context;
    const add = async (path: string, content: Buffer): Promise<unknown> =>
      forge.admin.post(`/repos/${forge.admin.name}/big/contents/${path}`, { content: content.toString("base64") }).expect(201);
    await add("noise.bin", randomBytes(1_200_000));
    await forge.settled();
    const row = await db.sql.selectFrom("git_stores").select(["id", "object_format"]).executeTakeFirstOrThrow();
    const store = git.store(row.id, row.object_format);
    const { packBytes } = await inspectStore(store);
    const tidied: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 14; index += 1) await add(`${round}/${index}.txt`, Buffer.from(`${round} ${index}`));
      const { processes } = await forge.cost(async () => {
        await tidyWrittenStores({ db, git });
        await forge.settled();
      });
      tidied.push(processes);
      const shape = await inspectStore(store);
      expect(shape.packs).toBeLessThanOrEqual(5);
      expect(shape.packBytes - shape.unmappedBytes).toBe(packBytes);
    }
    // `repack` and `commit-graph`.
    expect(tidied).toEqual([2, 2, 2]);

    await add("more.bin", randomBytes(1_500_000));
    await forge.settled();
    const doubled = await inspectStore(store);
    expect(doubled.unmappedBytes).toBe(0);
    expect(doubled.packs).toBeLessThanOrEqual(5);
    expect(await findProblems({ db, git }, row.id)).toEqual([]);
  });

  test("tidying after pushes reads the refs of a store with many refs from the kept listing", async () => {
    await using forge = await startForge({ dialect });
    await forge.admin.post("/user/repos", { name: "wide" }).expect(201);
    const client = createClient();
    try {
      const { db, git, refListings } = forge.context;
      client.commit({ "0.txt": "0" });
      await push(client, forge.admin, `${forge.admin.name}/wide`, "main");
      const row = await db.sql.selectFrom("git_stores").select(["id", "object_format"]).executeTakeFirstOrThrow();
      const newOid = client.git("rev-parse", "main");
      const topics = Array.from(
        { length: 2_500 },
        (_, at) => ({ name: `refs/heads/topic-${at}`, oldOid: null, newOid, type: "commit", peeledOid: "", tipMs: 0 }) as const,
      );
      await db.tx((tx) => moveStoreRefs(tx, row.id, topics, "all"));
      for (let index = 1; index < 14; index += 1) {
        client.commit({ [`${index}.txt`]: `${index}` });
        await push(client, forge.admin, `${forge.admin.name}/wide`, "main");
      }
      await forge.settled();
      const { whole } = refListings.counters;
      const { statements } = await forge.cost(async () => {
        await tidyWrittenStores({ db, git });
        await forge.settled();
      });
      expect((await inspectStore(git.store(row.id, row.object_format))).packs).toBeLessThan(14);
      expect(statements.filter((text) => /from "git_stores" as "s" left join "refs" as "r"/.test(text))).toEqual([]);
      expect(refListings.counters.whole).toBe(whole);
    } finally {
      client.remove();
    }
  });
});
