import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { registerRunner, type TestRunner } from "../../../../../test/kit/runner.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";
import { testWithToolkit } from "../../../../../test/kit/toolkit.ts";
import type { Task } from "../../../../wire/actions-protocol/runner.ts";
import { Result } from "../../../../wire/actions-protocol/runner.ts";
import { sweepFiles } from "../../../site/blobs/service/upkeep.ts";
import { expireCaches } from "./service.ts";

const dayMs = 86_400_000;
const service = "/twirp/github.actions.results.api.v1.CacheService";
const plain = "on: [push, pull_request]\njobs:\n  a: { runs-on: linux, steps: [{ run: 'true' }] }\n";
const encode = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect, environment: { HEARTH_ACTIONS_CACHE_BYTES: "1000" } }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  async function repository(text: string): Promise<{ readonly name: string; readonly path: string; readonly runner: TestRunner }> {
    number += 1;
    const name = `r${number}`;
    const path = `/repos/alice/${name}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: encode(text), message: "add" }).expect(201);
    await forge.settled();
    return { name, path, runner };
  }

  const at = (ms: number) => ({ ...forge.context, clock: { now: () => forge.context.clock.now() + ms } });
  const filesBytes = async (name: string): Promise<number> =>
    (await forge.context.db.sql.selectFrom("repositories").select("files_bytes").where("name", "=", name).executeTakeFirstOrThrow()).files_bytes;
  const keysOf = async (name: string): Promise<readonly string[]> =>
    (
      await forge.context.db.sql
        .selectFrom("action_caches as c")
        .innerJoin("repositories as r", "r.id", "c.repo_id")
        .select("c.key")
        .where("r.name", "=", name)
        .orderBy("c.id")
        .execute()
    ).map(({ key }) => key);

  /** Calls the service with the token of a job. */
  const clientOf = (task: Task | undefined) => {
    const token = String(task?.context?.gitea_runtime_token);
    const call = async (method: string, body: object, authorization = `Bearer ${token}`) => {
      const response = await fetch(`${forge.url}${service}/${method}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    return {
      call,
      async save(key: string, content = key, version = "v1"): Promise<number> {
        const { body } = await call("CreateCacheEntry", { key, version });
        if (body.signedUploadUrl === undefined) return 409;
        await fetch(body.signedUploadUrl, { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body: content });
        return (await call("FinalizeCacheEntryUpload", { key, version, size_bytes: String(content.length) })).status;
      },
      async restore(key: string, restoreKeys: readonly string[] = [], version = "v1"): Promise<string> {
        const { body } = await call("GetCacheEntryDownloadURL", { key, restore_keys: restoreKeys, version });
        return body.signedDownloadUrl === undefined ? "none" : `${body.matchedKey}=${await (await fetch(body.signedDownloadUrl)).text()}`;
      },
    };
  };

  describe("caches", () => {
    testWithToolkit("the official toolkit saves a cache that later runs restore by its key or the beginning of it", async () => {
      const step = (command: string) => `      - run: node "$TOOLKIT" ${command}\n`;
      const { name, path, runner } = await repository(
        `on: push\njobs:\n  a:\n    runs-on: linux\n    steps:\n${step("restore deps-1 file deps-")}      - run: echo "content $GITHUB_REF" > file\n${step("save deps-1 file")}`,
      );
      const log = async (): Promise<string> => {
        const task = await runner.runOne();
        expect(task).toBeDefined();
        await forge.settled();
        const { jobs } = await alice.get(`${path}/actions/jobs?limit=50`).expect(200);
        return (await alice.get(`${path}/actions/jobs/${jobs.at(-1).id}/logs`)).text;
      };
      expect(await log()).toMatch(/restored undefined[\s\S]*saved \d+/);
      expect(await keysOf(name)).toEqual(["deps-1"]);
      await alice.post(`${path}/branches`, { new_branch_name: "topic" }).expect(201);
      await forge.settled();
      // Another branch restores the cache of the default branch, and saves one of its own.
      expect(await log()).toMatch(/restored deps-1 [0-9a-f]{64}[\s\S]*saved \d+/);
      expect(await keysOf(name)).toEqual(["deps-1", "deps-1"]);
    });

    test("a branch reads its own caches, those of its base and of the default branch; a pull request cannot write theirs", async () => {
      const { name, path, runner } = await repository(plain);
      const main = clientOf(await runner.fetch());
      expect([await main.save("deps-1"), await main.save("deps-2"), await main.save("deps-1")]).toEqual([200, 200, 409]);
      expect([await main.restore("deps-1"), await main.restore("deps-"), await main.restore("x", ["deps-1", "deps"]), await main.restore("x")]).toEqual([
        "deps-1=deps-1",
        "deps-2=deps-2",
        "deps-1=deps-1",
        "none",
      ]);
      expect(await main.restore("deps-1", [], "v2")).toBe("none");
      await bob.post(`${path}/forks`, { name: `fork${number}` }).expect(202);
      await bob.post(`/repos/bob/fork${number}/contents/x.txt`, { content: encode("x"), message: "x", new_branch: "theirs" }).expect(201);
      await bob.post(`${path}/pulls`, { title: "Theirs", head: "bob:theirs", base: "main" }).expect(201);
      await forge.settled();
      const run = await forge.context.db.sql
        .selectFrom("action_runs")
        .select(["id", "repo_id"])
        .where("needs_approval", "=", 1)
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const page = `/alice/${name}/actions/runs/${run.id}`;
      await browser.submit(await browser.get(page), `${page}/approve`);
      await forge.settled();
      const fork = clientOf(await runner.fetch());
      expect([await fork.restore("deps-1"), await fork.save("deps-1", "changed"), await fork.save("deps-3"), await fork.restore("deps-1")]).toEqual([
        "deps-1=deps-1",
        200,
        200,
        "deps-1=changed",
      ]);
      expect([await main.restore("deps-1"), await main.restore("deps-3")]).toEqual(["deps-1=deps-1", "none"]);
    });

    test("the least recently used caches make room, and unused ones are deleted with their files", async () => {
      const { name, runner } = await repository(plain);
      const task = await runner.fetch();
      const { save, restore, call } = clientOf(task);
      const content = (sign: string) => sign.repeat(400);
      expect([await save("a", content("a")), await save("b", content("b"))]).toEqual([200, 200]);
      await forge.context.db.tx((tx) => tx.sql.updateTable("action_caches").set({ used_ms: 1 }).where("key", "=", "a").execute());
      await restore("a");
      await forge.context.db.tx((tx) => tx.sql.updateTable("action_caches").set({ used_ms: 2 }).where("key", "=", "b").execute());
      expect(await save("c", content("c"))).toBe(200);
      expect(await keysOf(name)).toEqual(["a", "c"]);
      expect(await save("large", "x".repeat(1_001))).toBe(400);
      expect(await filesBytes(name)).toBe(800);
      expect(await expireCaches(at(6 * dayMs))).toBe(0);
      const { body } = await call("GetCacheEntryDownloadURL", { key: "a", version: "v1" });
      expect(await expireCaches(at(8 * dayMs))).toBeGreaterThanOrEqual(2);
      expect([await keysOf(name), await filesBytes(name)]).toEqual([[], 0]);
      expect((await fetch(body.signedDownloadUrl ?? "")).status).toBe(404);
      await runner.report(task?.id ?? 0n, Result.SUCCESS);
      expect((await call("GetCacheEntryDownloadURL", { key: "a", version: "v1" })).status).toBe(401);
      expect(await sweepFiles(at(2 * dayMs))).toBeDefined();
    });

    test("refuses bad names and tokens", async () => {
      const { runner } = await repository(plain);
      const { call } = clientOf(await runner.fetch());
      const statusOf = async (body: object) => (await call("CreateCacheEntry", body)).status;
      expect([
        await statusOf({ key: "", version: "v" }),
        await statusOf({ key: "a,b", version: "v" }),
        await statusOf({ key: "x".repeat(513), version: "v" }),
        await statusOf({ key: "a", version: "../v" }),
        (await call("FinalizeCacheEntryUpload", { key: "a", version: "v" })).status,
        (await call("GetCacheEntryDownloadURL", { key: "a", version: "v", restore_keys: Array.from({ length: 11 }, () => "x") })).status,
        (await call("GetCacheEntryDownloadURL", { key: "a", version: "v" }, "Bearer x")).status,
        (await fetch(`${forge.url}${service}/DownloadCache?sig=x`)).status,
      ]).toEqual([400, 400, 400, 400, 404, 400, 401, 401]);
    });

    test("writers see the caches of a repository and delete them", async () => {
      const { name, runner } = await repository(plain);
      await clientOf(await runner.fetch()).save("deps-<1>");
      const browser = createBrowser(forge.url);
      const address = `/alice/${name}/actions/caches`;
      expect((await browser.get(address)).text).toContain("deps-&lt;1>");
      expect((await browser.get(address)).text).not.toContain("/delete");
      await browser.signIn(alice);
      const page = await browser.get(address);
      const [action = ""] = /\/alice\/r\d+\/actions\/caches\/\d+\/delete/.exec(page.text) ?? [];
      expect((await browser.submit(page, action)).location).toBe(`${address}?saved=deleted`);
      expect((await browser.get(address)).text).toContain("No caches");
      expect(await keysOf(name)).toEqual([]);
    });
  });
});
