import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../../test/kit/forge.ts";
import { createClient } from "../../../../../test/kit/git.ts";
import { push } from "../../../../../test/kit/push.ts";
import type { StoreProblem } from "../../../../wire/admin.ts";

eachDialect((dialect) => {
  test("the daily check finds and names damaged stores, and clears the problem after repair", async () => {
    let now = Date.now();
    await using forge = await startForge({ dialect, clock: { now: () => now } });
    const alice = await forge.createUser("alice");
    for (const name of ["whole", "hurt"]) await alice.post("/user/repos", { name }).expect(201);
    const client = createClient();
    client.commit({ "a.txt": "content that will be damaged\n".repeat(50) });
    await push(client, alice, "alice/whole", "main:refs/heads/main");
    await push(client, alice, "alice/hurt", "main:refs/heads/main");
    client.remove();
    const check = async (): Promise<StoreProblem[]> => {
      await forge.admin.post("/admin/cron/repo_health_check").expect(204);
      await forge.settled();
      return forge.admin.get<StoreProblem[]>("/admin/stores/problems").expect(200);
    };
    expect(await check()).toEqual([]);

    const packs = await packsOf(forge, "hurt");
    const sound = await Promise.all(packs.map((path) => readFile(path)));
    const damage = async (): Promise<void> => {
      for (const path of packs) {
        const content = await readFile(path);
        content.fill(0x5a, 20, content.length - 30);
        await writeFile(path, content);
      }
    };
    await damage();
    // It was checked a moment ago.
    expect(await check()).toEqual([]);
    now += 8 * 86_400_000;
    const problems = await check();
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) {
      expect(differences(problem, "StoreProblem")).toEqual([]);
      expect(problem.repository).toBe("alice/hurt");
    }
    expect(forge.log.filter(({ message }) => message === "a store of objects is damaged")).toHaveLength(1);
    expect((await forge.cost(() => forge.admin.get("/admin/stores/problems?limit=1").expect(200))).statements).toHaveLength(4);
    await alice.get("/admin/stores/problems").expect(403);

    for (const [index, path] of packs.entries()) await writeFile(path, sound[index] ?? "");
    now += 8 * 86_400_000;
    expect(await check()).toEqual([]);
  });
});

async function packsOf(forge: TestForge, name: string): Promise<string[]> {
  const { db } = forge.context;
  const { code_store_id: id } = await db.sql.selectFrom("repositories").select("code_store_id").where("name", "=", name).executeTakeFirstOrThrow();
  const root = join(forge.dataDirectory, "repositories");
  const files = await readdir(root, { recursive: true });
  return files.filter((path) => path.includes(`/${id}.git/`) && path.endsWith(".pack")).map((path) => join(root, path));
}
