import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type ClientRepository, createClient } from "../../../../test/kit/git.ts";
import { readPage } from "../../../../test/kit/page.ts";
import { push } from "../../../../test/kit/push.ts";
import { type Remote, startRemote } from "../../../../test/kit/remote.ts";
import { administer } from "../../../app/administer.ts";
import { beginTrial } from "../../../db/trial.ts";
import { retryAfterMs } from "./service/remote.ts";

const hourMs = 3_600_000;
// The clock advances by less than a day in total: files have real times, and files older than a day are swept.

test("a failed mirror is retried with increasing, randomized delays", () => {
  expect([0, 1, 2, 30].map((failures) => retryAfterMs(failures, 0.5) / 60_000)).toEqual([5, 10, 20, 1_440]);
  expect([retryAfterMs(0, 0), retryAfterMs(0, 1)]).toEqual([225_000, 375_000]);
});

eachDialect((dialect) => {
  let forge: TestForge;
  let clock: TestClock;
  let root: string;
  let origin: ClientRepository;
  let remote: Remote;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    clock = createTestClock(Date.now());
    root = mkdtempSync(join(tmpdir(), "hearth-mirrors-"));
    origin = createClient();
    forge = await startForge({ dialect, clock, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback", HEARTH_LIMITS_OWNER_BYTES: "1000000000" } });
    remote = await startRemote({ root });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    origin.commit({ "a.txt": "1" });
    origin.git("branch", "side");
    execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(root, "demo.git")]);
  });
  afterAll(async () => {
    await remote[Symbol.asyncDispose]();
    await forge[Symbol.asyncDispose]();
    origin.remove();
    rmSync(root, { recursive: true, force: true });
  });

  const publish = (...refspecs: string[]): string => origin.git("push", "-q", "--force", join(root, "demo.git"), ...refspecs);
  const refsIn = (path: string): string[] =>
    execFileSync("git", ["-C", path, "for-each-ref", "--format=%(refname) %(objectname)"]).toString().trim().split("\n");
  const refsOf = async (r: string): Promise<string[]> =>
    (await alice.get(`${r}/git/refs`).expect(200)).map(({ ref, object }: { ref: string; object: { sha: string } }) => `${ref} ${object.sha}`);
  const runSchedule = async (name: string): Promise<void> => {
    await forge.admin.post(`/admin/cron/${name}`).expect(204);
    await forge.settled();
  };
  const rowOf = async (r: string) => {
    const { id } = await alice.get(r).expect(200);
    return forge.context.db.sql.selectFrom("pull_mirrors").selectAll().where("repo_id", "=", id).executeTakeFirstOrThrow();
  };

  describe("pull mirror", () => {
    const r = "/repos/alice/mirror";
    beforeAll(async () => {
      const made = await alice
        .post("/repos/migrate", { clone_addr: `${remote.url}/demo.git`, repo_name: "mirror", mirror: true, mirror_interval: "8h0m0s", private: true })
        .expect(201);
      expect(made).toMatchObject({
        mirror: true,
        private: true,
        mirror_interval: "8h0m0s",
        has_pull_requests: false,
        allow_merge_commits: false,
        allow_manual_merge: true,
      });
      expect(Date.parse(made.mirror_updated)).toBeGreaterThanOrEqual(Date.parse(made.created_at));
    });

    test("a mirror is synchronized when due and on request", async () => {
      origin.commit({ "a.txt": "2" });
      publish("main", "main:refs/heads/new", ":refs/heads/side");
      await runSchedule("update_mirrors");
      expect(await refsOf(r)).not.toEqual(refsIn(join(root, "demo.git")));
      clock.advance(9 * hourMs);
      await runSchedule("update_mirrors");
      expect(await refsOf(r)).toEqual(refsIn(join(root, "demo.git")));
      origin.git("commit", "-q", "--amend", "-m", "rewritten");
      publish("main");
      await alice.post(`${r}/mirror-sync`).expect(200);
      await forge.settled();
      expect(await refsOf(r)).toEqual(refsIn(join(root, "demo.git")));
    });

    test("cannot be changed by users", async () => {
      await expect(push(origin, alice, "alice/mirror", "main:mine")).rejects.toThrow(/mirror repository is read-only/);
      await expect(push(origin, alice, "alice/mirror.wiki", "main:mine")).rejects.toThrow(/mirror repository is read-only/);
      expect((await alice.post(`${r}/contents/x.txt`, { content: "eA==" })).status).toBe(423);
      const page = { title: "Home", content_base64: "eA==" };
      expect((await alice.post(`${r}/wiki/new`, page)).status).toBe(423);
      expect((await alice.patch(`${r}/wiki/page/Home`, page)).status).toBe(423);
      expect((await alice.delete(`${r}/wiki/page/Home`)).status).toBe(423);
      expect((await alice.post(`${r}/branches`, { new_branch_name: "mine" })).json).toMatchObject({ message: "Git Repository is a mirror." });
      expect((await bob.post(`${r}/mirror-sync`)).status).toBe(404);
    });

    test("has an interval not below the minimum", async () => {
      expect(await alice.patch(r, { mirror_interval: "12h0m0s" }).expect(200)).toMatchObject({ mirror_interval: "12h0m0s" });
      expect((await alice.patch(r, { mirror_interval: "soon" })).json).toMatchObject({ message: 'time: invalid duration "soon"' });
      const small = await alice.patch(r, { mirror_interval: "1m0s" });
      expect([small.status, small.json.message]).toEqual([422, "invalid mirror interval: 1m0s is below minimum interval: 10m0s"]);
      expect((await rowOf(r)).next_sync_ms).toBeGreaterThan(Date.now() + 11 * hourMs);
      await alice.patch(r, { mirror_interval: "0" }).expect(200);
      expect((await rowOf(r)).next_sync_ms).toBeNull();
      await alice.patch(r, { mirror_interval: "10m" }).expect(200);
    });

    test("a mirror keeps its contents and reports the error if its source is unavailable or empty", async () => {
      const before = await refsOf(r);
      const bare = join(root, "demo.git");
      renameSync(bare, `${bare}.away`);
      clock.advance(hourMs);
      await runSchedule("update_mirrors");
      expect(await rowOf(r)).toMatchObject({ last_error: "repository not found", failure: "not_found" });
      const visitor = createBrowser(forge.url);
      await visitor.signIn(alice);
      const page = async (language: string) =>
        readPage((await visitor.get(`${r.replace("/repos", "")}/settings/mirrors`, { "accept-language": language })).text).text;
      expect(await page("en")).toContain("Last error: The remote repository was not found. Technical details repository not found");
      expect(await page("de")).toContain("Letzter Fehler: Das Remote-Repository wurde nicht gefunden.");
      // As recorded before failures had a reason.
      await forge.context.db.tx((tx) => tx.sql.updateTable("pull_mirrors").set({ failure: "" }).execute());
      expect(await page("de")).toContain("Letzter Fehler: Die Synchronisierung ist fehlgeschlagen. Technische Details repository not found");
      execFileSync("git", ["init", "-q", "--bare", bare]);
      clock.advance(hourMs);
      await runSchedule("update_mirrors");
      expect(await rowOf(r)).toMatchObject({ last_error: "the remote has no branches and tags any more; the mirror keeps its contents" });
      expect(await refsOf(r)).toEqual(before);
      rmSync(bare, { recursive: true });
      execFileSync("git", ["init", "-q", "--bare", "--object-format=sha256", bare]);
      const empty = execFileSync("git", ["-C", bare, "hash-object", "-w", "-t", "tree", "/dev/null"]).toString().trim();
      const author = { GIT_AUTHOR_NAME: "x", GIT_AUTHOR_EMAIL: "x@x", GIT_COMMITTER_NAME: "x", GIT_COMMITTER_EMAIL: "x@x" };
      const other = execFileSync("git", ["-C", bare, "commit-tree", "-m", "another", empty], { env: { ...process.env, ...author } })
        .toString()
        .trim();
      execFileSync("git", ["-C", bare, "update-ref", "refs/heads/main", other]);
      clock.advance(hourMs);
      await runSchedule("update_mirrors");
      expect(await rowOf(r)).toMatchObject({ failures: 3, last_error: "the remote now has sha256 object ids, not sha1" });
      expect(await refsOf(r)).toEqual(before);
      rmSync(bare, { recursive: true });
      renameSync(`${bare}.away`, bare);
      clock.advance(hourMs);
      await runSchedule("update_mirrors");
      expect(await rowOf(r)).toMatchObject({ failures: 0, last_error: "", failure: "" });
      expect(await page("en")).not.toContain("Last error");
    });

    test("keeps its contents and reports the error if its owner's quota is exceeded", async () => {
      const before = await refsOf(r);
      await alice.post("/user/repos", { name: "full" }).expect(201);
      const take = async (bytes: number): Promise<void> => {
        const { code_store_id: id } = await forge.context.db.sql
          .selectFrom("repositories")
          .select("code_store_id")
          .where("name", "=", "full")
          .executeTakeFirstOrThrow();
        await forge.context.db.tx((tx) => tx.sql.updateTable("git_stores").set({ size_bytes: bytes }).where("id", "=", id).execute());
      };
      await take(1_000_000_000);
      origin.commit({ "more.txt": "more" });
      publish("main");
      await alice.post(`${r}/mirror-sync`).expect(200);
      await forge.settled();
      expect(await rowOf(r)).toMatchObject({ last_error: expect.stringContaining("the limit of 1000000000 bytes for all repositories of one owner") });
      expect(await refsOf(r)).toEqual(before);
      await take(0);
      await alice.post(`${r}/mirror-sync`).expect(200);
      await forge.settled();
      expect(await rowOf(r)).toMatchObject({ failures: 0, last_error: "" });
      expect(await refsOf(r)).toEqual(refsIn(join(root, "demo.git")));
    });

    test("a mirror only calls its address while the host is allowed", async () => {
      const { repo_id, address } = await rowOf(r);
      const moveTo = (elsewhere: string) =>
        forge.context.db.tx((tx) => tx.sql.updateTable("pull_mirrors").set({ address: elsewhere }).where("repo_id", "=", repo_id).execute());
      await moveTo("http://169.254.169.254/x.git");
      await alice.post(`${r}/mirror-sync`).expect(200);
      await forge.settled();
      expect((await rowOf(r)).last_error).toMatch(/blocked address/);
      await moveTo(address);
    });
  });

  test("a repository that is not a mirror cannot be synchronized", async () => {
    await alice.post("/user/repos", { name: "plain" }).expect(201);
    expect((await alice.post("/repos/alice/plain/mirror-sync")).json).toMatchObject({ message: "Repository is not a mirror" });
    expect((await bob.post("/repos/alice/plain/mirror-sync")).status).toBe(403);
    expect(await alice.patch("/repos/alice/plain", { mirror_interval: "8h" }).expect(200)).toMatchObject({ mirror_interval: "" });
  });

  describe("push mirror", () => {
    const r = "/repos/alice/source";
    beforeAll(async () => {
      await alice.post("/user/repos", { name: "source" }).expect(201);
      await alice.post("/user/repos", { name: "target" }).expect(201);
      await push(origin, alice, "alice/source", "main");
    });
    const add = (input: object = {}) =>
      alice.post(`${r}/push_mirrors`, {
        remote_address: `${forge.url}/alice/target.git`,
        remote_username: "alice",
        remote_password: alice.token,
        interval: "4h0m0s",
        ...input,
      });

    test("is listed, shown and deleted by repository administrators", async () => {
      const made = await add({ sync_on_commit: true }).expect(200);
      expect(made).toEqual({
        repo_name: "source",
        remote_name: expect.stringMatching(/^remote_mirror_[\w-]{10}$/),
        remote_address: `${forge.url}/alice/target.git`,
        created: expect.any(String),
        last_update: "1970-01-01T00:00:00Z",
        last_error: "",
        interval: "4h0m0s",
        sync_on_commit: true,
      });
      const listed = await alice.get(`${r}/push_mirrors`);
      expect([listed.headers.get("x-total-count"), listed.json]).toMatchObject(["1", [{ remote_name: made.remote_name }]]);
      await alice.get(`${r}/push_mirrors/${made.remote_name}`).expect(200);
      await alice.get(`${r}/push_mirrors/none`).expect(404);
      expect((await bob.get(`${r}/push_mirrors`)).status).toBe(403);
      const { sql } = forge.context.db;
      expect(JSON.stringify(await sql.selectFrom("push_mirrors").selectAll().execute())).not.toContain(alice.token);
    });

    test("is pushed immediately, with every change, and when due", async () => {
      await forge.settled();
      expect(await refsOf("/repos/alice/target")).toEqual(await refsOf(r));
      origin.commit({ "b.txt": "1" });
      await push(origin, alice, "alice/source", "main", "main:refs/heads/side");
      await forge.settled();
      expect(await refsOf("/repos/alice/target")).toEqual(await refsOf(r));
      await alice.delete(`${r}/branches/side`).expect(204);
      await forge.settled();
      expect(await refsOf("/repos/alice/target")).toEqual(await refsOf(r));
      const { id } = await alice.get(r).expect(200);
      await forge.context.db.tx((tx) => tx.sql.updateTable("push_mirrors").set({ syncs_on_commit: 0 }).where("repo_id", "=", id).execute());
      await push(origin, alice, "alice/source", "main:refs/heads/later");
      await forge.settled();
      expect(await refsOf("/repos/alice/target")).not.toEqual(await refsOf(r));
      clock.advance(5 * hourMs);
      await runSchedule("update_mirrors");
      expect(await refsOf("/repos/alice/target")).toEqual(await refsOf(r));
      await push(origin, alice, "alice/source", "main:refs/heads/latest");
      await alice.post(`${r}/push_mirrors-sync`).expect(200);
      await forge.settled();
      expect(await refsOf("/repos/alice/target")).toEqual(await refsOf(r));
      const [mirror] = await alice.get(`${r}/push_mirrors`).expect(200);
      expect(mirror).toMatchObject({ last_error: "", last_update: expect.stringMatching(/^20/) });
    });

    test("mirrors contact no other server during a trial, and continue after it", async () => {
      const { db } = forge.context;
      const mirror = { clone_addr: `${remote.url}/held.git`, repo_name: "held", mirror: true, mirror_interval: "1h" };
      execFileSync("git", ["clone", "-q", "--bare", origin.path, join(root, "held.git")]);
      await alice.post("/repos/migrate", mirror).expect(201);
      const { id } = await alice.get(r).expect(200);
      await db.tx((tx) => tx.sql.updateTable("push_mirrors").set({ syncs_on_commit: 1 }).where("repo_id", "=", id).execute());
      await db.tx(beginTrial);
      const [before, requests] = [await refsOf("/repos/alice/target"), remote.requests.length];
      await push(origin, alice, "alice/source", "main:refs/heads/tried");
      clock.advance(5 * hourMs);
      await runSchedule("update_mirrors");
      for (const path of [`${r}/push_mirrors-sync`, "/repos/alice/held/mirror-sync"]) {
        const refused = await alice.post(path);
        expect([refused.status, refused.json.message]).toEqual([400, "mirrors wait until an administrator ends the trial of this server"]);
      }
      expect([await refsOf("/repos/alice/target"), remote.requests.length]).toEqual([before, requests]);
      let printed = "";
      await administer(forge.context.config, ["end-trial"], (text) => {
        printed += text;
        return 0;
      });
      expect(printed).toBe("the trial has ended: mirrors and scheduled workflows run\n");
      await runSchedule("update_mirrors");
      expect(await refsOf("/repos/alice/target")).toEqual(await refsOf(r));
      expect(remote.requests.length).toBeGreaterThan(requests);
    });

    test("reports refs that the remote rejected, without the password", async () => {
      await add({ remote_password: "wrong-and-secret", interval: "0" }).expect(200);
      await forge.settled();
      const mirrors = await alice.get(`${r}/push_mirrors`).expect(200);
      expect(mirrors[1]).toMatchObject({ last_error: "the remote rejected the credentials", interval: "0s" });
      expect(JSON.stringify(forge.log)).not.toContain("wrong-and-secret");
    });

    test.each([
      [{ remote_address: "bad" }, 401, "Permission denied"],
      [{ remote_address: "http://10.0.0.1/x.git" }, 401, "Permission denied"],
      [{ remote_address: "ssh://h/x" }, 400, "Invalid mirror protocol"],
      [{ remote_address: "https://h/x\n[core]\n\tsshCommand=touch /tmp/pwned" }, 400, "Invalid Url "],
      [{ interval: "x" }, 400, 'time: invalid duration "x"'],
      [{ interval: "1m" }, 400, "invalid mirror interval: 1m0s is below minimum interval: 10m0s"],
    ])("%j is refused", async (input, status, message) => {
      const answer = await add(input);
      expect([answer.status, answer.json.message]).toEqual([status, message]);
    });

    test("push mirrors can be deleted, and deleting an unknown one succeeds", async () => {
      for (const { remote_name } of await alice.get(`${r}/push_mirrors`).expect(200)) await alice.delete(`${r}/push_mirrors/${remote_name}`).expect(204);
      await alice.delete(`${r}/push_mirrors/none`).expect(204);
      expect(await alice.get(`${r}/push_mirrors`).expect(200)).toEqual([]);
      await alice.post(`${r}/push_mirrors-sync`).expect(200);
    });
  });
});
