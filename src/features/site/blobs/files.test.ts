import { createHash } from "node:crypto";
import { readdir, rm, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { keptUnusedMs } from "../../../storage/unused-files.ts";
import { checkFiles, sweepFiles } from "./service/upkeep.ts";

const alone = { "content-type": "application/octet-stream" };
const oidOf = (content: string): string => createHash("sha256").update(content).digest("hex");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    for (const user of [alice, bob]) await user.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const pathOf = (file: string): string => join(forge.dataDirectory, "files", file.slice(0, 2), file);
  const copiesOf = async (content: string): Promise<string[]> => {
    const found = await readdir(join(forge.dataDirectory, "files"), { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile() && entry.name.startsWith(oidOf(content))).map(({ name }) => name);
  };
  const age = async (content: string): Promise<void> => {
    for (const file of await copiesOf(content)) await utimes(pathOf(file), 1_000, 1_000);
  };
  const makeIssue = async (user: TestUser): Promise<{ readonly path: string; readonly assets: string }> => {
    const { number } = await user.post(`/repos/${user.name}/demo/issues`, { title: "with files" }).expect(201);
    const path = `/repos/${user.name}/demo/issues/${number}`;
    return { path, assets: `${path}/assets` };
  };
  const attach = (user: TestUser, assets: string, content: string) => user.post(`${assets}?name=a.txt`, content, alone).expect(201);
  const putLarge = (user: TestUser, content: string) =>
    user.put(`//${user.name}/demo.git/info/lfs/objects/${oidOf(content)}/${content.length}`, content, alone).expect(200);
  const problems = async (): Promise<string[]> => {
    const found: string[] = [];
    await checkFiles(forge.context, (problem) => found.push(problem));
    return found;
  };

  test("attachments, releases and LFS objects share one copy, which a sweep deletes days after the last reference", async () => {
    const content = "kept once";
    const [hers, his] = [await makeIssue(alice), await makeIssue(bob)];
    const release = await alice.post("/repos/alice/demo/releases", { tag_name: "v1" }).expect(201);
    const releaseAssets = `/repos/alice/demo/releases/${release.id}/assets`;
    const attached = await Promise.all([hers.assets, hers.assets, releaseAssets].map((assets) => attach(alice, assets, content)));
    const other = await attach(bob, his.assets, content);
    await putLarge(bob, content);
    const [copy = "", ...further] = await copiesOf(content);
    expect(further).toEqual([]);
    for (const { uuid } of [...attached, other]) expect((await alice.get(`//attachments/${uuid}`)).text).toBe(content);

    await alice.delete(`${hers.assets}/${attached[0]?.id}`).expect(204);
    await alice.delete(`${hers.assets}/${attached[1]?.id}`).expect(204);
    await alice.delete(`${releaseAssets}/${attached[2]?.id}`).expect(204);
    await bob.delete(`${his.assets}/${other.id}`).expect(204);
    expect(await copiesOf(content)).toEqual([copy]);
    expect((await bob.get(`//bob/demo.git/info/lfs/objects/${oidOf(content)}`)).text).toBe(content);

    const only = await attach(alice, hers.assets, "hers alone");
    await alice.delete(`${hers.assets}/${only.id}`).expect(204);
    // A backup that began before the deletion still finds it.
    const [file = "", ...others] = await copiesOf("hers alone");
    expect(others).toEqual([]);
    await age("hers alone");
    const { context } = forge.forge;
    const sweepAt = (ms: number) => sweepFiles({ ...context, clock: { now: () => context.clock.now() + ms } });
    expect([await sweepAt(0), await sweepAt(keptUnusedMs - 60_000)]).toEqual([0, 0]);
    expect(await copiesOf("hers alone")).toEqual([file]);
    expect(await sweepAt(keptUnusedMs + 60_000)).toBe(1);
    expect(await copiesOf("hers alone")).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  test("a content that is added and removed concurrently exists once while it is referenced", async () => {
    const content = "back and forth";
    const { assets } = await makeIssue(alice);
    const there = async (): Promise<void> => {
      const { uuid, id } = await attach(alice, assets, content);
      expect((await alice.get(`//attachments/${uuid}`)).text).toBe(content);
      await alice.delete(`${assets}/${id}`).expect(204);
    };
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let times = 0; times < 2; times += 1) await there();
      }),
    );
    const { db } = forge.context;
    const registered = async () =>
      (await db.sql.selectFrom("stored_files").select("file").where("digest", "=", oidOf(content)).execute()).map(({ file }) => file);
    expect(await registered()).toEqual([]);
    const { uuid } = await attach(alice, assets, content);
    expect((await alice.get(`//attachments/${uuid}`)).text).toBe(content);
    expect(await registered()).toHaveLength(1);
  });

  test("a sweep deletes unreferenced files but none of an upload in progress", async () => {
    const { context } = forge.forge;
    const { path, assets } = await makeIssue(alice);
    await attach(alice, assets, "goes with its issue");
    await alice.delete(path).expect(204);
    expect(await sweepFiles(context)).toBe(0);
    expect(await copiesOf("goes with its issue")).toHaveLength(1);
    await age("goes with its issue");

    // Stored but not referenced by a row yet: one younger and one older than an upload can be.
    const [young, old] = [await context.files.receive([Buffer.from("young")] as never, { maxBytes: 9 }), await forgotten()];
    const at = (ms: number) => ({ ...context, clock: { now: () => context.clock.now() + ms } });
    expect(await sweepFiles(context)).toBe(0);
    await utimes(pathOf(young.name), Date.now() / 1_000 + 1_000_000, Date.now() / 1_000 + 1_000_000);
    expect(await sweepFiles(at(keptUnusedMs + 60_000))).toBeGreaterThanOrEqual(2);
    expect([await copiesOf("goes with its issue"), await copiesOf("forgotten")]).toEqual([[], []]);
    expect([await context.files.sizeOf(young.name), await context.files.sizeOf(old)]).toEqual([5, undefined]);
    await context.files.delete(young.name);
  });

  async function forgotten(): Promise<string> {
    const { name } = await forge.context.files.receive([Buffer.from("forgotten")] as never, { maxBytes: 9 });
    await age("forgotten");
    // A running server would have deleted it.
    await forge.context.db.tx((tx) => tx.sql.insertInto("unused_files").values({ file: name, found_ms: 1_000 }).execute());
    expect(await problems()).toEqual([expect.stringMatching(/^1 unreferenced uploaded files should be deleted/)]);
    await forge.context.db.tx((tx) => tx.sql.deleteFrom("unused_files").where("file", "=", name).execute());
    return name;
  }

  test("a check reports a missing or truncated file by its references", async () => {
    const { assets } = await makeIssue(alice);
    const [gone, short] = [await attach(alice, assets, "will be gone"), await attach(alice, assets, "will be short")];
    await putLarge(bob, "will be gone");
    const { id: bobs } = await bob.get("/repos/bob/demo").expect(200);
    for (const file of await copiesOf("will be gone")) await rm(pathOf(file));
    for (const file of await copiesOf("will be short")) await truncate(pathOf(file), 4);
    const found = await problems();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`${oidOf("will be gone")}-.* is missing: attachment ${gone.uuid}, large file of repository ${bobs}$`)),
        expect.stringMatching(new RegExp(`${oidOf("will be short")}-.* has 4 bytes, but 13 were stored: attachment ${short.uuid}$`)),
      ]),
    );
    expect((await alice.get(`//attachments/${gone.uuid}`)).status).toBe(503);
  });
});
