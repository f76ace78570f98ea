import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../../test/kit/api-client.ts";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { createGitUser } from "../../../../../test/kit/git-user.ts";
import { team } from "../../../../../test/kit/rows.ts";
import { newBlob } from "../../../../git/objects/format.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import { storePath } from "../../../../git/stores.ts";
import { sweepRepositories } from "../service/sweep.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice", { full_name: "Alice Ann" });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const storeOf = async (id: number): Promise<number> =>
    (await forge.context.db.sql.selectFrom("repositories").select("code_store_id").where("id", "=", id).executeTakeFirstOrThrow()).code_store_id;
  const onDisk = (storeId: number): boolean => existsSync(storePath(join(forge.dataDirectory, "repositories"), storeId));

  describe("creating a repository", () => {
    test("returns every field of an empty repository, which has nothing on disk", async () => {
      const made = await alice.post("/user/repos", { name: "Empty.one_-", description: "says <b>", private: true, template: true }).expect(201);
      expect(differences(made, "Repository")).toEqual([]);
      expect(made).toMatchObject({
        name: "Empty.one_-",
        full_name: "alice/Empty.one_-",
        description: "says <b>",
        empty: true,
        private: true,
        template: true,
        size: 0,
        html_url: `${forge.url}/alice/Empty.one_-`,
        clone_url: `${forge.url}/alice/Empty.one_-.git`,
        ssh_url: "git@127.0.0.1:alice/Empty.one_-.git",
        url: `${forge.url}/api/v1/repos/alice/Empty.one_-`,
        default_branch: "main",
        watchers_count: 1,
        branch_count: 0,
        permissions: { admin: true, push: true, pull: true },
        owner: { login: "alice", active: false, email: "alice@example.com" },
        topics: [],
        licenses: [],
      });
      expect(await alice.get("/repos/ALICE/empty.ONE_-").expect(200)).toEqual(made);
      expect(await alice.get(`/repositories/${made.id}`).expect(200)).toEqual(made);
      for (const id of ["none", "1.5", "0"]) await alice.get(`/repositories/${id}`).expect(404);
      expect(onDisk(await storeOf(made.id))).toBe(false);
    });

    test.each([
      ["", 422, "[Name]: Required"],
      ["has space", 422, "[Name]: AlphaDashDot"],
      ["slash/ed", 422, "[Name]: AlphaDashDot"],
      ["ümlaut", 422, "[Name]: AlphaDashDot"],
      ["nul\0", 422, "[Name]: AlphaDashDot"],
      ["line\nbreak", 422, "[Name]: AlphaDashDot"],
      ["x".repeat(101), 422, "[Name]: MaxSize"],
      ["x".repeat(300), 422, "[Name]: MaxSize"],
      [".", 422, "name is reserved [name: .]"],
      ["-", 422, "name is reserved [name: -]"],
      ["..", 422, "name is reserved [name: ..]"],
      ["a..b", 422, "name is reserved [name: a..b]"],
      ["x.git", 422, "name pattern is not allowed [pattern: *.git]"],
      ["x.GIT", 422, "name pattern is not allowed [pattern: *.git]"],
      ["x.wiki", 422, "name pattern is not allowed [pattern: *.wiki]"],
      ["x.rss", 422, "name pattern is not allowed [pattern: *.rss]"],
      ["x.Atom", 422, "name pattern is not allowed [pattern: *.atom]"],
      [".hid", 201, undefined],
      ["x".repeat(100), 201, undefined],
      ["__proto__", 201, undefined],
      ["constructor", 201, undefined],
    ])("a request with the name %j returns %i", async (name, status, message) => {
      const answer = await alice.post("/user/repos", { name });
      expect({ status: answer.status, message: answer.json.message }).toEqual({ status, message });
      if (status === 201) expect(answer.json.name).toBe(name);
    });

    test.each([
      [{ name: 1 }, 422],
      [{ name: ["x"] }, 422],
      [{ name: { toString: "x" } }, 422],
      [{ name: "t1", private: "yes" }, 422],
      [{ name: "t2", description: "d".repeat(2049) }, 422],
      [{ name: "t3", description: "a\0b" }, 422],
      [{ name: "t4", default_branch: "-x" }, 422],
      [{ name: "t5", default_branch: "a b" }, 422],
      [{ name: "t6", default_branch: "HEAD" }, 422],
      [{ name: "t7", object_format_name: "md5" }, 422],
      [{ name: "t8", issue_labels: "Bogus" }, 422],
      [{ name: "t9", auto_init: true, license: "NoSuch" }, 422],
      [{ name: "t10", auto_init: true, gitignores: "NoSuch" }, 422],
      [{ name: "t11", auto_init: true, readme: "NoSuch" }, 400],
      [{ name: "t12", auto_init: true, gitignores: "__proto__" }, 422],
      [[], 422],
      ["{", 422],
    ])("a request with %j returns %i and leaves nothing behind", async (body, status) => {
      const before = await alice.get("/user/repos?limit=50").expect(200);
      const answer = await alice.post("/user/repos", body);
      expect(answer.status).toBe(status);
      expect(answer.json.message).toBeTruthy();
      expect(await alice.get("/user/repos?limit=50").expect(200)).toEqual(before);
    });

    test("ignores template options without a first commit, and an unknown trust model", async () => {
      await alice.post("/user/repos", { name: "lax", license: "NoSuch", gitignores: "NoSuch", trust_model: "whoever", issue_labels: "Default" }).expect(201);
    });

    test("rejects a name in use, regardless of case", async () => {
      await alice.post("/user/repos", { name: "Taken" }).expect(201);
      for (const body of [{ name: "Taken" }, { name: "tAKEN" }, { name: "taken", auto_init: true }]) {
        expect(await alice.post("/user/repos", body).expect(409)).toMatchObject({ message: "The repository with the same name already exists." });
      }
    });

    test("of concurrent requests for one name, exactly one succeeds and nothing is left of the others", async () => {
      const { db } = forge.context;
      const count = async () => (await db.sql.selectFrom("accounts").select("repos_count").where("id", "=", alice.id).executeTakeFirstOrThrow()).repos_count;
      const before = await count();
      const names = ["race", "RACE", "Race"];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => alice.post("/user/repos", { name: names[index % 3], auto_init: index % 4 === 0 })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
      expect(await count()).toBe(before + 1);
    });

    test("concurrent requests for different names all succeed and are counted", async () => {
      const { db } = forge.context;
      const count = async () => (await db.sql.selectFrom("accounts").select("repos_count").where("id", "=", alice.id).executeTakeFirstOrThrow()).repos_count;
      const before = await count();
      const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => alice.post("/user/repos", { name: `many-${at}`, auto_init: at % 8 === 0 })));
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(40).fill(201));
      expect(await count()).toBe(before + 40);
    });

    test("rejects users who have reached their repository limit, but administrators can create one for them", async () => {
      const bob = await forge.createUser("bob");
      await forge.admin.patch("/admin/users/bob", { login_name: "bob", source_id: 0, max_repo_creation: 1 }).expect(200);
      await bob.post("/user/repos", { name: "first" }).expect(201);
      for (const auto_init of [false, true]) {
        expect(await bob.post("/user/repos", { name: "second", auto_init }).expect(403)).toMatchObject({
          message: "user has reached maximum limit of repositories [limit: 1]",
        });
      }
      await forge.admin.post("/admin/users/bob/repos", { name: "given" }).expect(201);
      expect((await bob.get("/user/repos").expect(200)).map(({ name }: { name: string }) => name)).toEqual(["first", "given"]);
    });

    test("rejects anonymous callers and tokens without the required scope", async () => {
      await forge.anonymous.post("/user/repos", { name: "no" }).expect(401);
      const basic = createApiClient(forge.url, `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`);
      const scoped = async (name: string, scopes: readonly string[]) =>
        createApiClient(forge.url, `token ${(await basic.post("/users/alice/tokens", { name, scopes }).expect(201)).sha1}`);
      await (await scoped("reader", ["read:repository", "read:user"])).post("/user/repos", { name: "no" }).expect(403);
      await (await scoped("half", ["write:repository"])).post("/user/repos", { name: "no" }).expect(403);
      const open = await scoped("open", ["public-only", "write:repository", "write:user"]);
      expect(await open.post("/user/repos", { name: "no" }).expect(403)).toMatchObject({ message: "this endpoint is not available for public-only tokens" });
    });

    test("takes a fixed number of statements and no process", async () => {
      await forge.settled();
      // Two of them are written with the event: the audit log and the feeds.
      const empty = await forge.cost(() => alice.post("/user/repos", { name: "cost-empty" }).expect(201));
      expect(empty.statements).toHaveLength(11);
      const filled = await forge.cost(() => alice.post("/user/repos", { name: "cost-init", auto_init: true, license: "MIT" }).expect(201));
      // Up to five of these belong to the job that projects the refs, which can start before the response is written.
      expect(filled.statements.length).toBeLessThanOrEqual(25);
      await forge.settled();
      const shown = await forge.cost(() => alice.get("/repos/alice/cost-init").expect(200));
      expect(shown.statements).toHaveLength(3);
      expect([empty.processes, filled.processes, shown.processes]).toEqual([0, 0, 0]);
    });
  });

  describe("first commit", () => {
    test("contains the requested templates, has the owner as author, and can be cloned", async () => {
      const made = await alice
        .post("/user/repos", {
          name: "full",
          description: "Full <b>",
          auto_init: true,
          gitignores: "Go,Node",
          license: "mit",
          readme: "Default",
          default_branch: "trunk",
          issue_labels: "Default",
        })
        .expect(201);
      expect(made).toMatchObject({ empty: false, default_branch: "trunk", branch_count: 1, licenses: ["MIT"], language: "" });
      expect(made.size).toBeGreaterThan(0);
      // No job is needed, because the content is known.
      const looks = forge.context.db.sql.selectFrom("jobs").select("id").where("kind", "=", "repos.describe-content");
      expect(await looks.where("dedupe_key", "=", String(made.id)).execute()).toEqual([]);
      await using work = await createGitUser();
      await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/full.git`, "full");
      expect((await work.git("full", "ls-tree", "-r", "--name-only", "trunk")).split("\n")).toEqual([".gitignore", "LICENSE", "README.md"]);
      expect(await work.git("full", "show", "trunk:README.md")).toBe("# full\n\nFull <b>");
      expect(await work.git("full", "show", "trunk:.gitignore")).toMatch(/^# ---> Go\n.*\n# ---> Node\n/s);
      expect(await work.git("full", "show", "trunk:LICENSE")).toContain(`Copyright (c) ${new Date().getUTCFullYear()} alice`);
      expect(await work.git("full", "log", "--format=%an <%ae> %cn <%ce> %s", "trunk")).toBe(
        "Alice Ann <alice@example.com> Alice Ann <alice@example.com> Initial commit",
      );
      await work.git("full", "fsck", "--strict");
      await forge.settled();
      expect(await alice.get("/repos/alice/full").expect(200)).toMatchObject({ licenses: ["MIT"] });
    });

    test("does not contain the address of a user who hides it", async () => {
      const shy = await forge.createUser("shy");
      await shy.patch("/user/settings", { hide_email: true }).expect(200);
      await shy.post("/user/repos", { name: "r", auto_init: true }).expect(201);
      await using work = await createGitUser();
      await work.git(".", "clone", "-q", `${shy.gitOrigin}/shy/r.git`, "r");
      expect(await work.git("r", "log", "--format=%ae %ce")).toBe(`${shy.id}+shy@noreply.127.0.0.1 ${shy.id}+shy@noreply.127.0.0.1`);
    });

    test("uses the requested object format", async () => {
      expect(await alice.post("/user/repos", { name: "wide", auto_init: true, object_format_name: "sha256" }).expect(201)).toMatchObject({
        object_format_name: "sha256",
      });
      await using work = await createGitUser();
      await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/wide.git`, "wide");
      expect(await work.git("wide", "rev-parse", "HEAD")).toHaveLength(64);
    });

    test("a storage error leaves no repository behind, and the name can be used later", async () => {
      const { db } = forge.context;
      const { last } = await db.sql
        .selectFrom("git_stores")
        .select((eb) => eb.fn.max<number>("id").as("last"))
        .executeTakeFirstOrThrow();
      // Folders are named after store ids: a file in place of the next folder simulates a broken disk.
      const folder = dirname(storePath(join(forge.dataDirectory, "repositories"), last + 1));
      await rm(folder, { recursive: true, force: true });
      await writeFile(folder, "");
      const before = await alice.get("/user/repos?limit=50").expect(200);
      const answer = await alice.post("/user/repos", { name: "broken", auto_init: true });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
      expect(await alice.get("/user/repos?limit=50").expect(200)).toEqual(before);
      await rm(folder);
      await alice.post("/user/repos", { name: "broken", auto_init: true }).expect(201);
    });

    test("a store without a repository is removed after a day from the database, and three days later from the disk", async () => {
      const { db, git } = forge.context;
      const orphan = await db.tx(
        async (tx) =>
          (
            await tx.sql
              .insertInto("git_stores")
              .values({ object_format: "sha1", head_ref: "refs/heads/main", created_ms: 1 })
              .returning("id")
              .executeTakeFirstOrThrow()
          ).id,
      );
      await writeObjects(git.store(orphan, "sha1"), [newBlob("sha1", Buffer.from("left behind"))]);
      const kept = await storeOf((await alice.post("/user/repos", { name: "kept", auto_init: true }).expect(201)).id);
      expect([onDisk(orphan), onDisk(kept)]).toEqual([true, true]);
      expect(await sweepRepositories(forge.context)).toEqual({ repositories: 0, stores: 1 });
      await forge.settled();
      expect([onDisk(orphan), onDisk(kept)]).toEqual([true, true]);
      const waiting = await db.sql.selectFrom("jobs").select("run_at_ms").where("kind", "=", "repos.remove-store").execute();
      expect(waiting.map((job) => job.run_at_ms > Date.now() + 2.9 * 86_400_000)).toEqual([true]);
      await db.tx((tx) => tx.sql.updateTable("jobs").set({ run_at_ms: 1 }).where("kind", "=", "repos.remove-store").execute());
      await forge.settled();
      expect([onDisk(orphan), onDisk(kept)]).toEqual([false, true]);
    });
  });

  describe("repositories of an organization", () => {
    test("can be created by owners, and by members with permission, who then administer them", async () => {
      const [carol, dave, eve] = [await forge.createUser("carol"), await forge.createUser("dave"), await forge.createUser("eve")];
      const org = await carol.post("/orgs", { username: "acme" }).expect(201);
      await forge.context.db.tx(async (tx) => {
        await team(tx, { orgId: org.id, name: "makers", createsRepositories: true, units: { "repo.code": "read" }, members: [dave.id] });
        await team(tx, { orgId: org.id, name: "others", units: { "repo.code": "read" }, members: [eve.id] });
      });
      expect(await carol.post("/orgs/acme/repos", { name: "site", auto_init: true }).expect(201)).toMatchObject({
        full_name: "acme/site",
        owner: { login: "acme" },
        watchers_count: 1,
      });
      await carol.post("/org/ACME/repos", { name: "old-way" }).expect(201);
      expect(await dave.post("/orgs/acme/repos", { name: "daves", private: true }).expect(201)).toMatchObject({ permissions: { admin: true } });
      await dave.patch("/repos/acme/daves", { description: "mine" }).expect(200);
      expect(await carol.get("/repos/acme/daves/collaborators").expect(200)).toMatchObject([{ login: "dave" }]);
      expect(await carol.get("/repos/acme/site/collaborators").expect(200)).toEqual([]);
      for (const [client, status] of [
        [eve, 403],
        [alice, 403],
        [forge.anonymous, 401],
      ] as const) {
        await client.post("/orgs/acme/repos", { name: "no" }).expect(status);
      }
      await forge.admin.post("/orgs/acme/repos", { name: "given" }).expect(201);
      expect(await carol.get("/repos/acme/given/collaborators").expect(200)).toEqual([]);
      for (const path of ["/orgs/acme/repos", "/org/acme/repos"]) await carol.post(path, { name: "SITE" }).expect(409);
      await carol.post("/orgs/nosuch/repos", { name: "x" }).expect(404);
      await carol.post("/orgs/carol/repos", { name: "x" }).expect(404);
    });
  });
});
