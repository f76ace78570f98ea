import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allMigrations } from "../../src/db/migrations/all.ts";
import { repositoryRoot } from "../../tools/repository.ts";
import { createApiClient } from "../kit/api-client.ts";
import { onPostgres, type TestDatabase } from "../kit/databases.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { ensureGateway, gatewayMissing, type S3Gateway, startGateway } from "../kit/s3-gateway.ts";

const token = "c5".repeat(20);
const current = allMigrations.length;
const adding = {
  id: current + 1,
  name: "shades",
  statements: ["create table shades (id {id}, name {text} not null) {table}", "alter table issues add column shade_id {int} references shades (id)"],
};
const indexing = { id: current + 2, name: "index of shades", indexes: ["create index issues_shade on issues (shade_id)"], statements: [] };
const removing = { id: current + 3, name: "no shades", statements: ["alter table issues drop column shade_id"], oldestProgram: current + 2 };

const further = "FURTHER_MIGRATIONS";

onPostgres((dialect) => {
  describe.skipIf(gatewayMissing !== undefined)(`two versions on one database${gatewayMissing === undefined ? "" : ` (${gatewayMissing})`}`, () => {
    let folder: string;
    let database: TestDatabase;
    let gateway: S3Gateway;
    let git: GitUser;
    const running = new Set<RunningProgram>();
    /** Builds a program that reads further migrations from its environment. @returns its file */
    const build = (): string => {
      const list = join(folder, "src/db/migrations/all.ts");
      const text = readFileSync(list, "utf8");
      writeFileSync(
        list,
        text.replace(/^\];$/m, () => `...JSON.parse(process.env.${further} ?? "[]"),\n];`),
      );
      const script = `await (await import("./tools/build.mjs")).ensureBuilt();`;
      execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
      return join(folder, "dist", "hearth.js");
    };
    const start = async (name: string, program?: string, migrations: readonly object[] = []): Promise<RunningProgram> => {
      const settings = {
        HEARTH_DATA: join(folder, name),
        HEARTH_DATABASE_URL: database.url,
        HEARTH_SECRET_KEY: "ab".repeat(32),
        HEARTH_ADMIN_USERNAME: "chief",
        HEARTH_ADMIN_PASSWORD: "a long pass phrase",
        HEARTH_ADMIN_TOKEN: token,
        HEARTH_DRAIN_SECONDS: "5",
        [further]: JSON.stringify(migrations),
        ...gateway.environment,
      };
      const node = await startProgram(settings, [], { program });
      running.add(node);
      return node;
    };
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "hearth-versions-"));
      for (const name of ["src", "tools", "package.json", "package-lock.json", "tsconfig.json"])
        cpSync(join(repositoryRoot, name), join(folder, name), { recursive: true });
      symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
      await ensureGateway();
      [database, gateway, git] = await Promise.all([dialect.create(), startGateway(), createGitUser()]);
    }, 900_000);
    afterAll(async () => {
      for (const node of running) await node[Symbol.asyncDispose]();
      await gateway?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
      await git?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    test("nodes are upgraded one at a time through a change of the schema without a failed request", async () => {
      const program = build();
      const newer = [program, [adding, indexing]] as const;
      const newest = [program, [adding, indexing, removing]] as const;
      const old = [await start("a"), await start("b")];
      /** The nodes that a load balancer uses: those that were ready at its last look. */
      let ready: readonly RunningProgram[] = old;
      const nodes = new Set(old);
      const failures: string[] = [];
      const acknowledged: string[] = [];
      let isOver = false;
      const balance = async (): Promise<void> => {
        while (!isOver) {
          const answers = await Promise.all(
            [...nodes].map(
              async (node) =>
                [
                  node,
                  await fetch(`${node.url}/api/readyz`).then(
                    ({ ok }) => ok,
                    () => false,
                  ),
                ] as const,
            ),
          );
          ready = answers.flatMap(([node, isReady]) => (isReady ? node : []));
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      let turn = 0;
      const next = (): RunningProgram => {
        const node = ready[turn++ % ready.length];
        if (node === undefined) throw new Error("no node is ready");
        return node;
      };
      const api = (node: RunningProgram) => createApiClient(node.url, `token ${token}`);
      await api(next()).post("/user/repos", { name: "r", auto_init: true }).expect(201);
      const attempt = async (work: string, send: () => Promise<unknown>): Promise<void> => {
        await send().catch((error: unknown) => failures.push(`${work}: ${String(error)}`));
      };
      const use = async (user: number): Promise<void> => {
        for (let at = 0; !isOver; at += 1) {
          const title = `${user}-${at}`;
          await attempt("issue", () => api(next()).post("/repos/chief/r/issues", { title }).expect(201));
          await attempt("file", async () => {
            await api(next()).post(`/repos/chief/r/contents/${title}`, { content: "", message: title }).expect(201);
            acknowledged.push(title);
          });
          await attempt("list", () => api(next()).get("/repos/chief/r/issues?limit=5").expect(200));
          await attempt("page", async () => expect((await fetch(`${next().url}/chief/r/issues`)).status).toBe(200));
          await attempt("clone", () => git.git(".", "clone", "-q", "--depth", "1", `${next().url}/chief/r.git`, `${title}`));
        }
      };
      const work = [balance(), ...[0, 1, 2].map(use)];
      const reaches = (count: number): Promise<void> => expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(count);
      const isUsed = async (node: RunningProgram): Promise<void> => {
        nodes.add(node);
        await expect.poll(() => ready.includes(node), { timeout: 60_000 }).toBe(true);
        await reaches(acknowledged.length + 6);
      };
      await reaches(5);
      await isUsed(await start("c", ...newer));
      await expect(start("d", ...newest)).rejects.toThrow("removes something that 2 running servers of an older version still use: stop them");
      for (const [index, node] of old.entries()) {
        expect(await node.stop()).toBe(0);
        nodes.delete(node);
        running.delete(node);
        await isUsed(await start(index === 0 ? "a" : "b", ...newer));
      }
      await isUsed(await start("d", ...newest));
      await expect(start("e")).rejects.toThrow(`the schema supports only ${current + 2} and later: start the newer version again`);
      isOver = true;
      await Promise.all(work);
      expect(failures).toEqual([]);
      const found = new Set<string>();
      for (let page = 1; found.size < acknowledged.length && page <= 100; page += 1)
        for (const { title } of await api(next()).get(`/repos/chief/r/issues?limit=50&page=${page}`).expect(200)) found.add(title);
      expect(acknowledged.filter((title) => !found.has(title))).toEqual([]);
      await git.git(".", "clone", "-q", `${next().url}/chief/r.git`, "complete");
      expect((await git.git("complete", "ls-tree", "--name-only", "HEAD")).trim().split("\n")).toEqual(expect.arrayContaining(acknowledged));
    }, 300_000);
  });
});
