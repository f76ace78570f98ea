import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { createGitUser } from "../../../../../test/kit/git-user.ts";
import { storePath } from "../../../../git/stores.ts";

const dayMs = 86_400_000;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  const clock = { now: () => Date.now() + clock.aheadMs, aheadMs: 0 };
  beforeAll(async () => {
    forge = await startForge({ dialect, clock });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const make = (name: string, options = {}) => alice.post("/user/repos", { name, ...options }).expect(201);
  const row = (table: "repositories" | "accounts", id: number) =>
    forge.context.db.sql.selectFrom(table).selectAll().where("id", "=", id).executeTakeFirst() as Promise<Record<string, unknown> | undefined>;

  describe("editing a repository", () => {
    test("an empty edit changes only the update time", async () => {
      const made = await make("still", { description: "d" });
      const { updated_at: _, ...before } = made;
      const { updated_at: __, ...after } = await alice.patch("/repos/alice/still", {}).expect(200);
      expect(after).toEqual(before);
      expect(differences(made, "Repository")).toEqual([]);
    });

    test.each([
      [{ description: "new" }, { description: "new" }],
      [{ description: "" }, { description: "" }],
      [{ website: "https://example.org/x" }, { website: "https://example.org/x" }],
      [{ private: true }, { private: true }],
      [{ private: false }, { private: false }],
      [{ template: true }, { template: true }],
      [{ has_wiki: false }, { has_wiki: false }],
      [
        { has_projects: true, projects_mode: "repo" },
        { has_projects: true, projects_mode: "repo" },
      ],
      [
        {
          has_issues: true,
          external_tracker: { external_tracker_url: "https://t.example.org", external_tracker_format: "", external_tracker_style: "numeric" },
        },
        { has_issues: true, external_tracker: { external_tracker_url: "https://t.example.org" }, internal_tracker: undefined },
      ],
      [
        { has_issues: true, internal_tracker: { enable_time_tracker: false } },
        { has_issues: true, external_tracker: undefined, internal_tracker: { enable_time_tracker: false, enable_issue_dependencies: false } },
      ],
      [{ has_wiki: true, external_wiki: { external_wiki_url: "https://w.example.org" } }, { external_wiki: { external_wiki_url: "https://w.example.org" } }],
      [
        { allow_squash_merge: false, default_merge_style: "rebase" },
        { allow_squash_merge: false, default_merge_style: "rebase" },
      ],
      [{ default_merge_style: "" }, { default_merge_style: "rebase" }],
      [{ has_pull_requests: false }, { has_pull_requests: false, allow_rebase: false, allow_manual_merge: true, default_merge_style: "merge" }],
      [{ has_pull_requests: true }, { has_pull_requests: true, allow_squash_merge: false, default_merge_style: "rebase" }],
      [{ default_branch: "nosuch" }, { default_branch: "main" }],
      [
        { mirror_interval: "8h", enable_prune: true },
        { mirror: false, mirror_interval: "" },
      ],
      [{ DESCRIPTION: "any case" }, { description: "any case" }],
      [{ unknown: 1, description: null }, { description: "any case" }],
      [{ has_code: false }, { has_code: false, permissions: { admin: true, push: true, pull: true } }],
    ])("%j", async (body, expected) => {
      if ((await alice.get("/repos/alice/matrix")).status === 404) await make("matrix", { auto_init: true });
      const answer = await alice.patch("/repos/alice/matrix", body).expect(200);
      expect({ internal_tracker: undefined, external_tracker: undefined, ...answer }).toMatchObject(expected);
      expect(differences(answer, "Repository")).toEqual([]);
      expect(await alice.get("/repos/alice/matrix").expect(200)).toEqual(answer);
    });

    test.each([
      [{ name: "bad name" }, "[Name]: AlphaDashDot"],
      [{ name: "" }, "ChangeRepositoryName: name is invalid []: must be valid alpha or numeric or dash(-_) or dot characters"],
      [{ name: "x".repeat(101) }, "[Name]: MaxSize"],
      [{ name: "x.git" }, "name pattern is not allowed [pattern: *.git]"],
      [{ name: ".." }, "name is reserved [name: ..]"],
      [{ name: "Other" }, "repository already exists [uname: alice, name: Other]"],
      [{ description: "d".repeat(2049) }, "[Description]: MaxSize"],
      [{ website: "javascript:alert(1)" }, "[Website]: Url"],
      [{ website: `https://${"x".repeat(1100)}` }, "[Website]: MaxSize"],
      [{ projects_mode: "odd" }, "[ProjectsMode]: In"],
      [{ default_merge_style: "bogus" }, "[DefaultMergeStyle]: In"],
      [{ has_wiki: true, external_wiki: { external_wiki_url: "nope" } }, "Invalid external wiki URL"],
      [{ private: 1 }, undefined],
      [{ private: "true" }, undefined],
      [{ internal_tracker: [] }, undefined],
      [{ external_tracker: { external_tracker_url: 5 } }, undefined],
      [{ description: "a\0b" }, undefined],
      [{ name: { $ne: 1 } }, undefined],
    ])("%j is rejected and changes nothing", async (body, message) => {
      if ((await alice.get("/repos/alice/other")).status === 404) {
        await make("other");
        await make("refused");
      }
      const before = await alice.get("/repos/alice/refused").expect(200);
      const answer = await alice.patch("/repos/alice/refused", body).expect(422);
      if (message !== undefined) expect(answer.message).toBe(message);
      expect(await alice.get("/repos/alice/refused").expect(200)).toEqual(before);
    });

    test("requires admin permission, whether archived or not", async () => {
      await make("guarded");
      await alice.put("/repos/alice/guarded/collaborators/bob", { permission: "write" }).expect(204);
      for (const [client, status] of [
        [bob, 403],
        [forge.anonymous, 401],
        [forge.admin, 200],
      ] as const) {
        await client.patch("/repos/alice/guarded", { description: "by" }).expect(status);
      }
      await bob.delete("/repos/alice/guarded").expect(403);
      await alice.put("/repos/alice/guarded/collaborators/bob", { permission: "admin" }).expect(204);
      const before = Math.floor(clock.now() / 1_000) * 1_000;
      const archived = await bob.patch("/repos/alice/guarded", { archived: true }).expect(200);
      expect(archived.archived).toBe(true);
      expect(Date.parse(archived.archived_at)).toBeGreaterThanOrEqual(before);
      expect(await bob.patch("/repos/alice/guarded", { archived: false }).expect(200)).toMatchObject({ archived: false, archived_at: "1970-01-01T00:00:00Z" });
      await bob.delete("/repos/alice/guarded").expect(403);
      await make("hidden", { private: true });
      await bob.patch("/repos/alice/hidden", { private: false }).expect(404);
      await forge.anonymous.patch("/repos/alice/hidden", {}).expect(404);
    });

    test("changing the default branch moves HEAD, also on disk", async () => {
      const made = await make("heads", { auto_init: true });
      await alice.post("/repos/alice/heads/branches", { new_branch_name: "dev" }).expect(201);
      expect(await alice.patch("/repos/alice/heads", { default_branch: "dev" }).expect(200)).toMatchObject({ default_branch: "dev" });
      await forge.settled();
      await using work = await createGitUser();
      await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/heads.git`, "heads");
      expect(await work.git("heads", "branch", "--show-current")).toBe("dev");
      const store = storePath(join(forge.dataDirectory, "repositories"), Number((await row("repositories", made.id))?.code_store_id));
      expect(await work.git(".", `--git-dir=${store}`, "symbolic-ref", "HEAD")).toBe("refs/heads/dev");
      await make("bare");
      expect(await alice.patch("/repos/alice/bare", { default_branch: "anything/goes" }).expect(200)).toMatchObject({ default_branch: "anything/goes" });
      expect(await alice.patch("/repos/alice/bare", { default_branch: "-no" }).expect(200)).toMatchObject({ default_branch: "anything/goes" });
    });

    test("concurrent edits are not lost", async () => {
      await make("busy");
      const edits = [{ has_wiki: false }, { has_projects: false }, { has_releases: false }, { has_packages: false }, { description: "d" }, { template: true }];
      for (const { status } of await Promise.all(edits.map((body) => alice.patch("/repos/alice/busy", body)))) expect(status).toBe(200);
      expect(await alice.get("/repos/alice/busy").expect(200)).toMatchObject({
        has_wiki: false,
        has_projects: false,
        has_releases: false,
        has_packages: false,
        description: "d",
        template: true,
      });
    });
  });

  describe("renaming a repository", () => {
    test("the former name redirects for every method until it is used again", async () => {
      const { id } = await make("first", { auto_init: true });
      expect(await alice.patch("/repos/alice/first", { name: "second" }).expect(200)).toMatchObject({ name: "second", full_name: "alice/second" });
      for (const [method, path, location] of [
        ["get", "/repos/alice/first", "/api/v1/repos/alice/second"],
        ["get", "/repos/ALICE/FIRST/topics?page=2", "/api/v1/repos/alice/second/topics?page=2"],
        ["patch", "/repos/alice/first", "/api/v1/repos/alice/second"],
        ["delete", "/repos/alice/first", "/api/v1/repos/alice/second"],
      ] as const) {
        const answer = await alice[method](path);
        expect([method, answer.status, answer.headers.get("location")]).toEqual([method, 301, location]);
      }
      await alice.patch("/repos/alice/second", { name: "third" }).expect(200);
      expect((await alice.get("/repos/alice/first")).headers.get("location")).toBe("/api/v1/repos/alice/third");
      const taken = await make("first");
      expect((await alice.get("/repos/alice/first").expect(200)).id).toBe(taken.id);
      await alice.patch("/repos/alice/third", { name: "second" }).expect(200);
      expect((await alice.get("/repos/alice/third")).status).toBe(301);
      expect((await alice.get("/repos/alice/second").expect(200)).id).toBe(id);
      await using work = await createGitUser();
      await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/third.git`, "third");
    });

    test("changing only the case of the name creates no redirect", async () => {
      await make("case");
      expect(await alice.patch("/repos/alice/case", { name: "CASE" }).expect(200)).toMatchObject({ name: "CASE" });
      expect(await alice.get("/repos/alice/case").expect(200)).toMatchObject({ full_name: "alice/CASE" });
    });

    test("a redirect reveals nothing about a repository that the caller cannot read", async () => {
      await make("covert", { private: true });
      await alice.patch("/repos/alice/covert", { name: "cover" }).expect(200);
      const missing = await bob.get("/repos/alice/never-was");
      for (const client of [bob, forge.anonymous]) {
        const answer = await client.get("/repos/alice/covert");
        expect([answer.status, answer.text, answer.headers.get("location")]).toEqual([404, missing.text, null]);
      }
    });

    test("repositories of a renamed owner are found under both names", async () => {
      const carol = await forge.createUser("carol");
      await carol.post("/user/repos", { name: "r1" }).expect(201);
      await forge.admin.post("/admin/users/carol/rename", { new_username: "caroline" }).expect(204);
      const answer = await alice.get("/repos/carol/r1/topics");
      expect([answer.status, answer.headers.get("location")]).toEqual([307, "/api/v1/repos/caroline/r1/topics"]);
      expect(await alice.get("/repos/caroline/r1").expect(200)).toMatchObject({ full_name: "caroline/r1" });
    });

    test("of concurrent renames to one name, exactly one succeeds", async () => {
      for (const at of [1, 2, 3, 4, 5]) await make(`wants-${at}`);
      const answers = await Promise.all([1, 2, 3, 4, 5].map((at) => alice.patch(`/repos/alice/wants-${at}`, { name: at % 2 === 0 ? "wanted" : "WANTED" })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    });
  });

  describe("making a repository private", () => {
    test("removes the watches and stars of users without access, and hides it from them everywhere", async () => {
      const { id } = await make("flip", { auto_init: true });
      await alice.put("/repos/alice/flip/topics", { topics: ["flipped"] }).expect(204);
      await alice.put("/repos/alice/flip/collaborators/bob", { permission: "read" }).expect(204);
      const outsider = await forge.createUser("outsider");
      const { db } = forge.context;
      await db.tx(async (tx) => {
        for (const account_id of [bob.id, outsider.id]) {
          await tx.sql.insertInto("watches").values({ repo_id: id, account_id, created_ms: 1 }).execute();
          await tx.sql.insertInto("stars").values({ repo_id: id, account_id, created_ms: 1 }).execute();
          await tx.sql.updateTable("accounts").set({ stars_count: 1 }).where("id", "=", account_id).execute();
        }
        await tx.sql.updateTable("repositories").set({ watchers_count: 3, stars_count: 2 }).where("id", "=", id).execute();
      });
      expect(await outsider.get("/topics/search?q=flipped").expect(200)).toMatchObject({ topics: [{ topic_name: "flipped", repo_count: 1 }] });
      expect(await alice.patch("/repos/alice/flip", { private: true }).expect(200)).toMatchObject({ private: true, watchers_count: 2, stars_count: 1 });
      expect([(await row("accounts", bob.id))?.stars_count, (await row("accounts", outsider.id))?.stars_count]).toEqual([1, 0]);
      await outsider.get("/repos/alice/flip").expect(404);
      expect(await outsider.get("/topics/search?q=flipped").expect(200)).toEqual({ topics: [] });
      expect((await outsider.get("/repos/search?q=flip").expect(200)).data).toEqual([]);
      await bob.get("/repos/alice/flip").expect(200);
      await alice.delete("/repos/alice/flip/collaborators/bob").expect(204);
      expect(await alice.get("/repos/alice/flip").expect(200)).toMatchObject({ watchers_count: 1, stars_count: 0 });
      await bob.get("/repos/alice/flip").expect(404);
    });
  });

  describe("deleting a repository", () => {
    test("hides it immediately, frees its name, and updates all counters", async () => {
      const { id } = await make("doomed", { auto_init: true });
      await alice.put("/repos/alice/doomed/topics", { topics: ["doom"] }).expect(204);
      const before = Number((await row("accounts", alice.id))?.repos_count);
      await bob.delete("/repos/alice/doomed").expect(403);
      await forge.anonymous.delete("/repos/alice/doomed").expect(401);
      await alice.delete("/repos/alice/doomed").expect(204);
      for (const client of [alice, forge.admin]) {
        await client.get("/repos/alice/doomed").expect(404);
        await client.get(`/repositories/${id}`).expect(404);
        expect((await client.get("/repos/search?q=doomed").expect(200)).data).toEqual([]);
      }
      await alice.delete("/repos/alice/doomed").expect(404);
      expect(await alice.get("/topics/search?q=doom").expect(200)).toEqual({ topics: [] });
      expect(Number((await row("accounts", alice.id))?.repos_count)).toBe(before - 1);
      const again = await make("Doomed");
      expect(again.id).not.toBe(id);
      expect(again.empty).toBe(true);
    });

    test("of concurrent deletions exactly one succeeds", async () => {
      await make("once");
      const before = Number((await row("accounts", alice.id))?.repos_count);
      const answers = await Promise.all([1, 2, 3, 4].map(() => alice.delete("/repos/alice/once")));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
      expect(Number((await row("accounts", alice.id))?.repos_count)).toBe(before - 1);
    });

    test("a fork of a deleted repository is no longer a fork", async () => {
      const [parent, fork] = [await make("parent"), await make("child")];
      const { db } = forge.context;
      await db.tx((tx) => tx.sql.updateTable("repositories").set({ fork_of: parent.id }).where("id", "=", fork.id).execute());
      await db.tx((tx) => tx.sql.updateTable("repositories").set({ forks_count: 1 }).where("id", "=", parent.id).execute());
      const shown = await alice.get("/repos/alice/child").expect(200);
      expect(shown).toMatchObject({ fork: true, parent: { full_name: "alice/parent", forks_count: 1 } });
      expect(differences(shown, "Repository")).toEqual([]);
      expect((await forge.cost(() => alice.get("/repos/alice/child").expect(200))).statements).toHaveLength(4);
      await alice.patch("/repos/alice/parent", { private: true }).expect(200);
      expect(await bob.get("/repos/alice/child").expect(200)).toMatchObject({ fork: true });
      expect((await bob.get("/repos/alice/child").expect(200)).parent).toBeUndefined();
      await alice.delete("/repos/alice/child").expect(204);
      expect(await alice.get("/repos/alice/parent").expect(200)).toMatchObject({ forks_count: 0 });
      const second = await make("child");
      await db.tx((tx) => tx.sql.updateTable("repositories").set({ fork_of: parent.id }).where("id", "=", second.id).execute());
      await alice.delete("/repos/alice/parent").expect(204);
      expect(await alice.get("/repos/alice/child").expect(200)).toMatchObject({ fork: false });
    });

    test("rows are removed after the retention period, and objects three days later", async () => {
      const gone = await make("gone", { auto_init: true });
      await forge.settled();
      const storeId = Number((await row("repositories", gone.id))?.code_store_id);
      const path = storePath(join(forge.dataDirectory, "repositories"), storeId);
      await alice.delete("/repos/alice/gone").expect(204);
      clock.aheadMs = 6 * dayMs;
      await forge.settled();
      expect([(await row("repositories", gone.id)) === undefined, existsSync(path)]).toEqual([false, true]);
      clock.aheadMs = 9 * dayMs;
      await forge.settled();
      await forge.settled();
      expect([(await row("repositories", gone.id)) === undefined, existsSync(path)]).toEqual([true, true]);
      clock.aheadMs = 13 * dayMs;
      await forge.settled();
      await forge.settled();
      expect([(await row("repositories", gone.id)) === undefined, existsSync(path)]).toEqual([true, false]);
      clock.aheadMs = 0;
      await alice.get("/repos/alice/heads").expect(200);
    });
  });
});
