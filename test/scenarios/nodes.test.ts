import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backUp } from "../../src/app/backup.ts";
import { doctor } from "../../src/app/doctor.ts";
import { findProblems } from "../../src/features/repositories/refs/service/check.ts";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { onPostgres } from "../kit/databases.ts";
import type { TestForge, TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { startNodes, type TestNodes } from "../kit/nodes.ts";
import { type S3Server, startS3Server } from "../kit/s3-server.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

onPostgres((dialect) => {
  let service: S3Server;
  let cluster: TestNodes;
  let git: GitUser;
  let alice: TestUser;
  beforeAll(async () => {
    service = await startS3Server();
    cluster = await startNodes({ dialect, environment: service.environment });
    git = await createGitUser();
    alice = await cluster.nodes[0].createUser("alice");
  });
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await git?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });
  const on = (node: TestForge): ApiClient => createApiClient(node.url, `token ${alice.token}`);
  const origin = (node: TestForge, name: string): string => `${node.url.replace("http://", `http://alice:${alice.token}@`)}/alice/${name}.git`;
  const textOf = async (node: TestForge, path: string): Promise<string> => (await on(node).get(path).expect(200)).content ?? "";
  const rows = (name: string) =>
    cluster.nodes[0].context.db.sql
      .selectFrom("store_packs as p")
      .innerJoin("repositories as r", "r.code_store_id", "p.store_id")
      .select(["p.name", "p.file", "p.size_bytes"])
      .where("r.name", "=", name)
      .execute();

  test("each node shows in the next request what was written through another one", async () => {
    const [a, b] = cluster.nodes;
    await on(a).post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    expect(await textOf(b, "/repos/alice/demo/contents/README.md")).not.toBe("");

    // A push through one node, and a clone through the other.
    await git.git(".", "clone", "-q", origin(b, "demo"), "demo");
    await git.commit("demo", { "small.txt": "small\n" });
    await git.git("demo", "push", "-q", origin(b, "demo"), "HEAD:main");
    expect(await textOf(a, "/repos/alice/demo/contents/small.txt")).toBe(base64("small\n"));
    expect((await rows("demo")).every(({ file }) => file === null)).toBe(true);
    expect(service.requests.filter((request) => request.includes("/packs/"))).toEqual([]);

    // A large pack is one object in the bucket.
    const large = randomBytes(400_000);
    await git.commit("demo", { "large.bin": large });
    await git.git("demo", "push", "-q", origin(a, "demo"), "HEAD:main");
    expect(service.requests.filter((request) => request.startsWith("PUT hearth/packs/"))).toHaveLength(1);
    await git.git(".", "clone", "-q", origin(b, "demo"), "copy");
    expect(await git.git("copy", "rev-parse", "HEAD")).toBe(await git.git("demo", "rev-parse", "HEAD"));
    expect(service.requests.filter((request) => request.startsWith("GET hearth/packs/"))).toHaveLength(1);

    // Edits and merges, alternating.
    for (const [at, node] of [a, b, a, b].entries())
      await on(node)
        .post(`/repos/alice/demo/contents/edit-${at}.txt`, { content: base64(`${at}`), message: `edit ${at}` })
        .expect(201);
    await on(a)
      .post("/repos/alice/demo/contents/topic.txt", { content: base64("topic"), message: "topic", new_branch: "topic" })
      .expect(201);
    const pull = await on(b).post("/repos/alice/demo/pulls", { title: "t", head: "topic", base: "main" }).expect(201);
    await on(a).post(`/repos/alice/demo/pulls/${pull.number}/merge`, { Do: "merge" }).expect(200);
    for (const node of [a, b]) {
      for (const file of ["edit-0.txt", "edit-3.txt", "topic.txt"]) await on(node).get(`/repos/alice/demo/contents/${file}`).expect(200);
      expect((await on(node).get("/repos/alice/demo/commits?limit=1").expect(200))[0]?.parents).toHaveLength(2);
    }

    // Wiki.
    await on(a)
      .post("/repos/alice/demo/wiki/new", { title: "Home", content_base64: base64("welcome"), message: "m" })
      .expect(201);
    expect((await on(b).get("/repos/alice/demo/wiki/page/Home").expect(200)).content_base64).toBe(base64("welcome"));
  });

  test("forks and repositories from templates have the objects of their source on every node", async () => {
    const [a, b] = cluster.nodes;
    const bob = await a.createUser("bob");
    const asBob = (node: TestForge): ApiClient => createApiClient(node.url, `token ${bob.token}`);
    await on(a).post("/user/repos", { name: "source", auto_init: true, template: true }).expect(201);
    await on(b)
      .post("/repos/alice/source/contents/a.txt", { content: base64("a"), message: "a" })
      .expect(201);
    await asBob(a).post("/repos/alice/source/forks", {}).expect(202);
    expect((await asBob(b).get("/repos/bob/source/contents/a.txt").expect(200)).content).toBe(base64("a"));
    await asBob(b)
      .post("/repos/bob/source/contents/b.txt", { content: base64("b"), message: "b" })
      .expect(201);
    const pull = await asBob(a).post("/repos/alice/source/pulls", { title: "from a fork", head: "bob:main", base: "main" }).expect(201);
    await on(b).post(`/repos/alice/source/pulls/${pull.number}/merge`, { Do: "squash" }).expect(200);
    expect((await on(a).get("/repos/alice/source/contents/b.txt").expect(200)).content).toBe(base64("b"));
    await on(a).post("/repos/alice/source/generate", { owner: "alice", name: "made", git_content: true }).expect(201);
    expect((await on(b).get("/repos/alice/made/contents/b.txt").expect(200)).content).toBe(base64("b"));
  });

  test("a read asks for packs only after a write on another node, and then with one statement", async () => {
    const [a, b] = cluster.nodes;
    await on(a).post("/user/repos", { name: "counted", auto_init: true }).expect(201);
    const read = (node: TestForge) => on(node).get("/repos/alice/counted/contents/README.md").expect(200);
    const asked = async (node: TestForge) => (await node.cost(() => read(node))).statements.filter((sql) => /store_packs|^select "packs_version"/.test(sql));
    await read(b);
    expect(await asked(b)).toEqual([]);
    await on(a).post("/repos/alice/counted/branches", { new_branch_name: "other" }).expect(201);
    expect(await asked(b)).toEqual([]);
    await on(a)
      .post("/repos/alice/counted/contents/x.txt", { content: base64("x"), message: "x" })
      .expect(201);
    expect(await asked(a)).toEqual([]);
    expect(await asked(b)).toHaveLength(1);
    expect(await asked(b)).toEqual([]);
  });

  test("the objects of a node can be deleted while it runs", async () => {
    const [a, b] = cluster.nodes;
    await on(a).post("/user/repos", { name: "wiped", auto_init: true }).expect(201);
    for (const node of [a, b]) {
      await on(node).get("/repos/alice/wiped/contents/README.md").expect(200);
      await cluster.wipe(node);
      await git.git(".", "clone", "-q", origin(node, "wiped"), `wiped-${node === a ? "a" : "b"}`);
      await on(node)
        .post("/repos/alice/wiped/contents/from.txt", { content: base64("x"), message: "x", branch: "main", new_branch: node === a ? "a" : "b" })
        .expect(201);
    }
  });

  test("a node without a copy of a repository serves it with one request to the bucket for each large pack", async () => {
    const [a, b] = cluster.nodes;
    await on(a).post("/user/repos", { name: "cold", auto_init: true }).expect(201);
    await git.git(".", "clone", "-q", origin(a, "cold"), "cold");
    for (let at = 0; at < 3; at += 1) {
      await git.commit("cold", { [`${at}.bin`]: randomBytes(100_000), [`${at}.txt`]: `${at}\n` });
      await git.git("cold", "push", "-q", origin(a, "cold"), "HEAD:main");
    }
    const before = service.requests.length;
    await git.git(".", "clone", "-q", origin(b, "cold"), "cold-copy");
    expect(await git.git("cold-copy", "rev-parse", "HEAD")).toBe(await git.git("cold", "rev-parse", "HEAD"));
    const large = (await rows("cold")).flatMap(({ file }) => (file === null ? [] : [file]));
    expect(large).toHaveLength(3);
    expect(service.requests.slice(before).toSorted()).toEqual(large.map((file) => `GET hearth/packs/${file}`).toSorted());
  });

  test("housekeeping on one node replaces packs that others read", async () => {
    const [a, b] = cluster.nodes;
    await on(a).post("/user/repos", { name: "busy", auto_init: true }).expect(201);
    for (let at = 0; at < 14; at += 1)
      await on(at % 2 === 0 ? a : b)
        .post(`/repos/alice/busy/contents/${at}.txt`, { content: base64(`${at}`), message: `m${at}` })
        .expect(201);
    const before = await rows("busy");
    await a.admin.post("/admin/cron/tidy_stores").expect(204);
    await a.settled();
    await b.settled();
    const after = await rows("busy");
    expect(after.length).toBeLessThan(before.length / 2);
    for (const node of [a, b]) {
      await cluster.wipe(node);
      await git.git(".", "clone", "-q", origin(node, "busy"), `busy-${node === a ? "a" : "b"}`);
    }
    await a.admin.post("/admin/cron/git_gc_repos").expect(204);
    await a.settled();
    await b.settled();
    expect(await rows("busy")).toHaveLength(1);
    await cluster.wipe(b);
    expect((await on(b).get("/repos/alice/busy/contents/13.txt").expect(200)).content).toBe(base64("13"));
  });

  test("access that was taken back through one node is refused by the next request to another one", async () => {
    const [a, b] = cluster.nodes;
    const carol = await a.createUser("carol");
    const asCarol = createApiClient(b.url, `token ${carol.token}`);
    const password = `Basic ${Buffer.from(`carol:${carol.password}`).toString("base64")}`;
    const withPassword = (node: TestForge) => node.anonymous.get("/user", { authorization: password });
    await on(a).post("/user/repos", { name: "private", private: true, auto_init: true }).expect(201);
    await on(a).put("/repos/alice/private/collaborators/carol", { permission: "read" }).expect(204);
    await asCarol.get("/repos/alice/private/contents/README.md").expect(200);
    await on(a).delete("/repos/alice/private/collaborators/carol").expect(204);
    await asCarol.get("/repos/alice/private/contents/README.md").expect(404);

    // Both nodes have verified the password before it is changed.
    for (const node of [a, b]) expect((await withPassword(node)).status).toBe(200);
    await a.admin.patch("/admin/users/carol", { login_name: "carol", source_id: 0, password: "another pass phrase" }).expect(200);
    expect((await withPassword(b)).status).toBe(401);
    await asCarol.get("/user").expect(200);
    await a.admin.patch("/admin/users/carol", { login_name: "carol", source_id: 0, prohibit_login: true }).expect(200);
    expect((await asCarol.get("/user")).status).toBe(403);

    const dora = await a.createUser("dora");
    const made = await b.anonymous.post("/users/dora/tokens", { name: "made", scopes: ["all"] }, basicOf(dora)).expect(201);
    const withMade = createApiClient(a.url, `token ${made.sha1}`);
    await withMade.get("/user").expect(200);
    await b.anonymous.delete("/users/dora/tokens/made", undefined, basicOf(dora)).expect(204);
    expect((await withMade.get("/user")).status).toBe(401);
  });
  const basicOf = ({ name, password }: TestUser) => ({ authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}` });

  test("failed sign-ins through all nodes count together", async () => {
    const [a, b] = cluster.nodes;
    const eve = await a.createUser("eve");
    const guess = (node: TestForge, password: string) => node.anonymous.get("/user", basicOf({ ...eve, password }));
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await guess(at % 2 === 0 ? a : b, `guess ${at}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    for (const node of [a, b]) expect((await guess(node, eve.password)).status).toBe(429);
  });

  test("a bucket that refuses to store objects refuses large changes as a whole, and small ones continue", async () => {
    const [a, b] = cluster.nodes;
    await on(a).post("/user/repos", { name: "refused", auto_init: true }).expect(201);
    const objects = service.objects.size;
    service.denied.add("PUT").add("POST");
    try {
      const large = await on(a).post("/repos/alice/refused/contents/large.bin", { content: randomBytes(200_000).toString("base64"), message: "m" });
      expect([large.status, Number(large.headers.get("retry-after")) > 0]).toEqual([503, true]);
      await git.git(".", "clone", "-q", origin(a, "refused"), "refused");
      await git.commit("refused", { "pushed.bin": randomBytes(200_000) });
      await expect(git.git("refused", "push", "-q", origin(a, "refused"), "HEAD:main")).rejects.toThrow();
      await on(b)
        .post("/repos/alice/refused/contents/small.txt", { content: base64("small"), message: "m" })
        .expect(201);
      for (const file of ["large.bin", "pushed.bin"]) await on(b).get(`/repos/alice/refused/contents/${file}`).expect(404);
      expect(await saysDoctor(b)).toContain("the file storage refuses to write objects: check HEARTH_STORAGE_ACCESS_KEY");
    } finally {
      service.denied.clear();
    }
    expect(service.objects.size).toBe(objects);
    await git.git("refused", "pull", "-q", "--rebase", origin(a, "refused"), "main");
    await git.git("refused", "push", "-q", origin(a, "refused"), "HEAD:main");
    await on(b).get("/repos/alice/refused/contents/pushed.bin").expect(200);
  });
  const saysDoctor = async (node: TestForge): Promise<string> => {
    const lines: string[] = [];
    await doctor(node.context.config, (line) => lines.push(line));
    return lines.join("");
  };

  describe("a damaged bucket", () => {
    const harms = [
      ["lost", (key: string) => void service.objects.delete(key), "is missing in the bucket"],
      ["cut", (key: string) => replaceObject(key, (content) => content.subarray(0, -10)), /has \d+ bytes instead of \d+ in the bucket/],
      ["swapped", (key: string) => replaceObject(key, (content) => randomBytes(content.length)), /has other bytes .*than those that were stored/],
    ] as const;
    const replaceObject = (key: string, change: (content: Buffer) => Buffer): void => {
      const object = service.objects.get(key);
      if (object === undefined) throw new Error(`${key} is not in the bucket`);
      object.content = change(object.content);
    };
    const withLargePack = async (name: string) => {
      const [a] = cluster.nodes;
      await on(a).post("/user/repos", { name, auto_init: true }).expect(201);
      await on(a)
        .post(`/repos/alice/${name}/contents/large.bin`, { content: randomBytes(200_000).toString("base64"), message: "m" })
        .expect(201);
      const [row] = (await rows(name)).filter(({ file }) => file !== null);
      return { name, pack: row?.name ?? "", key: `hearth/packs/${row?.file}` };
    };
    /** As the job of the weekly check does. */
    const check = async (node: TestForge, name: string): Promise<readonly string[]> => {
      const row = node.context.db.sql.selectFrom("repositories").select("code_store_id as id").where("name", "=", name);
      return findProblems(node.context, (await row.executeTakeFirstOrThrow()).id);
    };

    const isReportedAndRepaired = async (name: string, harm: (key: string) => void, text: string | RegExp): Promise<void> => {
      const [a, b] = cluster.nodes;
      const { pack, key } = await withLargePack(name);
      harm(key);
      const answer = await on(b).get(`/repos/alice/${name}/contents/README.md`);
      expect([answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([503, true]);
      const meta = expect.objectContaining({ repository: `alice/${name}`, pack });
      expect(b.log).toContainEqual(expect.objectContaining({ level: "error", meta }));
      const said = (await saysDoctor(b)).split("\n").filter((line) => line.includes(`(alice/${name})`));
      expect(said).toEqual([expect.stringMatching(text)]);
      expect(said[0]).toContain(pack);
      await on(a).get(`/repos/alice/${name}/contents/README.md`).expect(200);

      expect(await check(a, name)).toEqual([]);
      expect(a.log).toContainEqual(expect.objectContaining({ level: "warn", meta }));
      await on(b).get(`/repos/alice/${name}/contents/large.bin`).expect(200);
    };
    test("a pack that the bucket has lost, truncated or swapped is reported and never served", async () => {
      for (const [name, harm, text] of harms) await isReportedAndRepaired(name, harm, text);
    });

    test("a lost pack is complete again after its object was copied from a backup", async () => {
      const [a, b] = cluster.nodes;
      const { name, key } = await withLargePack("from-backup");
      const folder = mkdtempSync(join(tmpdir(), "hearth-backup-of-nodes-"));
      try {
        const backup = join(folder, "backup");
        expect(await backUp(a.context.config, backup, () => 0, { checks: false })).toBe(0);
        service.objects.delete(key);
        await cluster.wipe(a);
        expect((await on(b).get(`/repos/alice/${name}/contents/README.md`)).status).toBe(503);
        const lost = /\(alice\/from-backup\): .* is missing in the bucket: (packs\/\S+)\n/.exec(await saysDoctor(b))?.[1] ?? "";
        const [kept = ""] = readdirSync(join(backup, "packs"), { recursive: true, encoding: "utf8" }).filter((path) => basename(path) === basename(lost));
        service.objects.set(`hearth/${lost}`, { content: readFileSync(join(backup, "packs", kept)), writtenMs: Date.now() });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      for (const node of [a, b]) await on(node).get(`/repos/alice/${name}/contents/large.bin`).expect(200);
      expect(await saysDoctor(b)).not.toContain(`(alice/${name})`);
    });
  });
});
