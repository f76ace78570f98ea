import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect, onSqlite } from "../kit/databases.ts";
import { loadRecordedPostgres, openRecordedGitea, type RecordedGitea, recorded } from "../kit/gitea.ts";
import { canTrace, killingAt } from "../kit/kill-at.ts";
import { polling } from "../kit/polling.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";

const basicOf = (name: string, password: string = recorded.password): string => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
/** The test server of PostgreSQL has settings that the program warns of. */
const withoutWarnings = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => line !== "" && !line.includes("in a power cut") && !line.includes("known vulnerabilities"))
    .join("\n");

eachDialect((dialect) => {
  let folder: string;
  let gitea: RecordedGitea;
  let program: RunningProgram;
  let settings: Record<string, string>;
  let printed: string;
  const opened = new AsyncDisposableStack();
  const as = (name: keyof typeof recorded.tokens) => createApiClient(program.url, `token ${recorded.tokens[name]}`);
  const withPassword = (name: string, password?: string) => createApiClient(program.url, basicOf(name, password));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-import-"));
    gitea = opened.use(openRecordedGitea());
    const database = opened.use(await dialect.createEmpty());
    settings = { HEARTH_DATA: join(folder, "data"), ...(dialect.name === "postgres" && { HEARTH_DATABASE_URL: database.url }) };
    const options = ["--config", gitea.appIni];
    if (dialect.name === "postgres") {
      const source = opened.use(await dialect.createEmpty());
      await loadRecordedPostgres(source.url);
      options.push("--database", source.url);
    }
    const { code, stdout, stderr } = await runProgram(["import", "gitea", ...options], settings);
    expect({ code, stderr: withoutWarnings(stderr) }).toEqual({ code: 0, stderr: "" });
    printed = stdout;
    program = opened.use(await startProgram(settings));
  }, 120_000);
  afterAll(async () => {
    await opened.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("accounts", () => {
    test("users and organizations keep their ids, addresses, profiles and roles", async () => {
      expect(await as("ada").get("/user").expect(200)).toMatchObject({
        id: 2,
        login: "ada",
        full_name: "Ada Exämple",
        email: "ada@example.com",
        description: "Gardens",
        location: "Bern",
        followers_count: 2,
        is_admin: false,
      });
      expect(await withPassword("root1").get("/user").expect(200)).toMatchObject({ id: 1, is_admin: true });
      expect(await as("ada").get("/user/emails").expect(200)).toMatchObject([
        { email: "ada@example.com", primary: true, verified: true },
        { email: "ada.second@example.com", primary: false, verified: true },
      ]);
      expect(await as("ben").get("/orgs/hidden-org").expect(200)).toMatchObject({ id: 7, visibility: "private" });
      await createApiClient(program.url).get("/orgs/hidden-org").expect(404);
      expect(printed).toContain("users: 9\norganizations: 2\n");
    });

    test("teams keep their ids, units and members", async () => {
      const teams = await as("ada").get("/orgs/gardeners/teams").expect(200);
      expect(teams).toMatchObject([
        { name: "Owners", permission: "owner" },
        { id: 4, name: "admins", permission: "admin", includes_all_repositories: true },
        {
          id: 3,
          name: "writers",
          permission: "none",
          units_map: { "repo.code": "write", "repo.issues": "write", "repo.pulls": "read", "repo.wiki": "none" },
          can_create_org_repo: true,
        },
      ]);
      expect(await as("ada").get("/teams/3/members").expect(200)).toMatchObject([{ login: "ben" }]);
      expect(await createApiClient(program.url).get("/orgs/gardeners/public_members").expect(200)).toMatchObject([{ login: "ben" }]);
    });

    test.each(["ada", "argo", "scry", "bcry", "old"])("the password of %s is verified at the first sign-in and then hashed again", async (name) => {
      await withPassword(name, "Passw0rd!y").get("/user").expect(401);
      await withPassword(name).get("/user").expect(200);
      await using database = await openProgramDatabase();
      const hash = async () =>
        (await database.sql.selectFrom("accounts").select("password_hash").where("name", "=", name).executeTakeFirstOrThrow()).password_hash;
      await expect.poll(hash, polling).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      await withPassword(name, "Passw0rd!y").get("/user").expect(401);
      await withPassword(name).get("/user").expect(200);
    });

    test("access tokens keep working with their scopes, and others with the same last characters do not", async () => {
      for (let use = 0; use < 2; use += 1) {
        expect(await as("reader").get("/user").expect(200)).toMatchObject({ login: "ada" });
        await as("reader").post("/user/repos", { name: "new" }).expect(403);
      }
      const { ben } = recorded.tokens;
      await createApiClient(program.url, `token ${"0".repeat(32)}${ben.slice(-8)}`)
        .get("/user")
        .expect(401);
      expect(await as("ben").get("/user").expect(200)).toMatchObject({ login: "ben" });
      expect(await withPassword("ada").get("/users/ada/tokens").expect(200)).toMatchObject([
        { name: "reader", token_last_eight: recorded.tokens.reader.slice(-8), scopes: ["read:repository", "read:user"] },
        { name: "cli", scopes: ["all"] },
      ]);
    });

    test("a second factor is required, and its app keeps working", async () => {
      const call = (headers: Record<string, string>) => fetch(`${program.url}/api/v1/user`, { headers: { authorization: basicOf("dan"), ...headers } });
      expect((await call({})).status).toBe(401);
      const code = totpCode(recorded.totpSecret, stepAt(Date.now()));
      expect((await call({ "x-gitea-otp": code })).status).toBe(200);
    });

    test("SSH and OpenPGP keys keep their ids, titles and fingerprints", async () => {
      expect(await as("ada").get("/user/keys").expect(200)).toMatchObject([{ id: 1, title: "laptop", fingerprint: expect.stringMatching(/^SHA256:/) }]);
      expect(await as("ada").get("/user/gpg_keys").expect(200)).toMatchObject([{ id: 1, can_sign: true, subkeys: [{ id: 2, can_encrypt_comms: true }] }]);
    });

    test("new accounts get ids after the imported ones", async () => {
      const admin = withPassword("root1");
      const { id } = await admin
        .post("/admin/users", { username: "fay", email: "fay@example.com", password: "a long pass phrase", must_change_password: false })
        .expect(201);
      expect(id).toBeGreaterThan(11);
    });
  });

  describe("repositories", () => {
    test("branches, tags and heads of pull requests have the same commits, and clones work with the same token", async () => {
      const bundle = join(import.meta.dirname, "../kit/gitea-data/ada-garden.bundle");
      const expected = execFileSync("git", ["bundle", "list-heads", bundle], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line !== "" && !line.endsWith(" HEAD"));
      const url = program.url.replace("http://", `http://ada:${recorded.tokens.ada}@`);
      const listed = execFileSync("git", ["ls-remote", `${url}/ada/garden.git`], { encoding: "utf8" })
        .replaceAll("\t", " ")
        .split("\n");
      expect(listed.filter((line) => line !== "" && !/ HEAD$|\^\{\}$/.test(line)).sort()).toEqual(expected.sort());
      execFileSync("git", ["clone", "-q", `${url}/gardeners/tools.git`, join(folder, "clone")]);
      expect(readFileSync(join(folder, "clone/README.md"), "utf8")).toContain("tools");
    });

    test("repositories keep ids, settings, topics, stars, watches and forks", async () => {
      expect(await as("ada").get("/repositories/1").expect(200)).toMatchObject({
        full_name: "ada/garden",
        description: "Plants, äußerst viele",
        website: "https://garden.example",
        allow_rebase: false,
        default_merge_style: "squash",
        has_projects: false,
        stars_count: 2,
        watchers_count: 2,
        forks_count: 1,
        topics: ["plants", "water"],
      });
      expect(await as("ada").get("/repos/ben/garden-fork").expect(200)).toMatchObject({ id: 5, fork: true, parent: { id: 1 } });
      expect(await as("ben").get("/repos/ben/empty").expect(200)).toMatchObject({ id: 3, empty: true });
      expect(await as("ben").get("/user/starred").expect(200)).toMatchObject([{ full_name: "ada/garden" }]);
      await as("ben").get("/repos/ada/secret-plans").expect(404);
      expect(await as("ada").get("/topics/search?q=plants").expect(200)).toMatchObject({ topics: [{ id: 1, repo_count: 1 }] });
    });

    test("collaborators, teams and deploy keys keep their rights", async () => {
      expect(await as("ada").get("/repos/ada/garden/collaborators/ben/permission").expect(200)).toMatchObject({ permission: "write" });
      expect(await as("ada").get("/repos/ada/garden/collaborators/cleo/permission").expect(200)).toMatchObject({ permission: "read" });
      expect(await as("ben").get("/repos/gardeners/tools").expect(200)).toMatchObject({ private: true, permissions: { push: true, admin: false } });
      expect(await as("cleo").get("/repos/gardeners/tools").expect(200)).toMatchObject({ permissions: { admin: true } });
      expect(await as("ada").get("/repos/ada/garden/keys").expect(200)).toMatchObject([{ id: 1, key_id: 2, title: "deploy", read_only: true }]);
    });

    test("rules of branches and tags keep their settings and lists", async () => {
      expect(await as("ada").get("/repos/ada/garden/branch_protections/main").expect(200)).toMatchObject({
        enable_push: true,
        enable_push_whitelist: true,
        push_whitelist_usernames: ["ada"],
        required_approvals: 1,
        enable_status_check: true,
        status_check_contexts: ["ci/*"],
        block_on_rejected_reviews: true,
        protected_file_patterns: "*.lock",
      });
      expect(await as("ada").get("/repos/ada/garden/tag_protections").expect(200)).toMatchObject([{ name_pattern: "v*", whitelist_usernames: ["ada"] }]);
    });

    test("releases keep ids, drafts and files with their addresses", async () => {
      const releases = (await as("ada").get("/repos/ada/garden/releases").expect(200)) as { id: number }[];
      expect(releases.toSorted((a, b) => a.id - b.id)).toMatchObject([
        { id: 1, tag_name: "v1.0", body: "Notes with **bold**", author: { login: "ada" }, assets: [{ id: 1, name: "tool.bin", size: 12 }] },
        { id: 2, tag_name: "v2.0", draft: true },
        { id: 3, tag_name: "v1.1", prerelease: true },
      ]);
      const file = await fetch(`${program.url}/attachments/3f4c4905-a399-4e21-8047-18782af680d9`);
      expect([file.status, await file.text()]).toEqual([200, "binary asset"]);
    });

    test("wikis and Git LFS objects are served", async () => {
      expect(await as("ada").get("/repos/ada/garden/wiki/page/Home").expect(200)).toMatchObject({
        title: "Home",
        content_base64: Buffer.from("# Welcome\n").toString("base64"),
      });
      const oid = createHash("sha256").update(recorded.largeFile).digest("hex");
      const batch = await fetch(`${program.url}/ada/garden.git/info/lfs/objects/batch`, {
        method: "POST",
        headers: { accept: "application/vnd.git-lfs+json", "content-type": "application/vnd.git-lfs+json" },
        body: JSON.stringify({ operation: "download", transfers: ["basic"], objects: [{ oid, size: recorded.largeFile.length }] }),
      });
      const { objects } = (await batch.json()) as { objects: { actions: { download: { href: string; header?: Record<string, string> } } }[] };
      const { href, header = {} } = objects[0]?.actions.download ?? { href: "" };
      expect(Buffer.from(await (await fetch(href, { headers: header })).arrayBuffer())).toEqual(recorded.largeFile);
    });
  });

  test("the imported server has no problem that the doctor finds", async () => {
    const { code, stdout } = await runProgram(["doctor"], settings);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^ok: the database, 6 object stores and \d uploaded files$/m) });
  });

  test("an import into a server with data is refused and changes nothing", async () => {
    await program.stop();
    const { code, stderr } = await runProgram(["import", "gitea", "--config", gitea.appIni], settings);
    expect({ code, stderr: withoutWarnings(stderr) }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^hearth: the server has accounts: an import needs an empty server/),
    });
  });

  async function openProgramDatabase() {
    const { openDatabase } = await import("../../src/db/open.ts");
    const { silentLog } = await import("../kit/logs.ts");
    const db = await openDatabase({ url: settings.HEARTH_DATABASE_URL ?? join(folder, "data", "hearth.db"), log: silentLog, role: "tool" });
    return { ...db, [Symbol.asyncDispose]: () => db.close() };
  }
});

onSqlite(() => {
  const importFrom = async (gitea: RecordedGitea, options: readonly string[] = []) => {
    const data = join(gitea.folder, "hearth");
    const run = await runProgram(["import", "gitea", "--config", gitea.appIni, ...options], { HEARTH_DATA: data });
    return { ...run, stderr: withoutWarnings(run.stderr) };
  };

  test.each([
    [
      "an unknown version",
      "update version set version = 332",
      /^hearth: the schema of the Gitea database has the version 332; only version 331 \(Gitea 1\.26\) can be imported: use a newer version of Hearth$/,
    ],
    ["an older version", "update version set version = 299", /: update Gitea to 1\.26 first$/],
    ["another program", "drop table version", /^hearth: the database is not one of Gitea: it has no table version$/],
  ])("refuses the database of %s with one line", async (_what, change, message) => {
    using gitea = openRecordedGitea(change);
    expect(await importFrom(gitea)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
  });

  test("refuses a missing folder, a missing database and a missing file of settings with one line", async () => {
    using gitea = openRecordedGitea();
    const missing = join(gitea.folder, "none");
    expect((await importFrom(gitea, ["--repositories", missing])).stderr).toBe(`hearth: the folder of the repositories does not exist: ${missing}`);
    expect((await importFrom(gitea, ["--database", `sqlite:${missing}`])).stderr).toBe(`hearth: the database ${missing} does not exist`);
    expect((await importFrom({ ...gitea, appIni: missing })).stderr).toBe(`hearth: ${missing} cannot be read (ENOENT)`);
    expect((await importFrom(gitea, ["--database", "mysql://host/name"])).stderr).toMatch(/^hearth: --database must be sqlite:PATH or postgres/);
  });

  test("a dry run lists counts, renamed names and data without an equivalent, and creates nothing", async () => {
    using gitea = openRecordedGitea(`
      insert into "user" (id, lower_name, name, email, type, is_active, passwd) values (90, 'a..b', 'a..b', 'x@example.com', 0, 1, ''),
        (91, 'ghost', 'ghost', 'y@example.com', 0, 1, ''), (92, 'gone', 'gone', 'z@example.com', 2, 1, '');
      insert into webauthn_credential (id, user_id) values (1, 2)`);
    const { code, stdout } = await importFrom(gitea, ["--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain("users: 11\n");
    expect(stdout).toContain("renamed:\n  account a..b becomes a-b-90\n  account ghost becomes ghost-91\n");
    expect(stdout).toContain("  security keys: these users sign in without them: 1 (ada)\n");
    expect(stdout).toContain("  reserved names and accounts of other servers: 1 (gone)\n");
    expect(stdout).toMatch(/nothing was changed\n$/);
    expect((await runProgram(["doctor"], { HEARTH_DATA: join(gitea.folder, "hearth") })).stderr).toMatch(/there is no database/);
  });

  test("broken, missing and oddly named repositories are imported, renamed and listed", async () => {
    using gitea = openRecordedGitea(`update repository set name = 'a..b', lower_name = 'a..b' where id = 2;
      update repository set lower_name = 'lost' where id = 4;
      insert into repo_redirect (id, owner_id, lower_name, redirect_repo_id) values (1, 2, 'former', 1)`);
    const folder = join(gitea.folder, "data/repositories");
    renameSync(join(folder, "ada/secret-plans.git"), join(folder, "ada/a..b.git"));
    rmSync(join(folder, "ben/garden-fork.git/objects"), { recursive: true });
    mkdirSync(join(folder, "ben/garden-fork.git/objects"));
    const { code, stdout, stderr } = await importFrom(gitea);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("renamed:\n  repository ada/a..b becomes ada/a-b-2\n");
    expect(stdout).toContain("  repositories and wikis whose folder is missing: they are empty: 1 (gardeners/tools)\n");
    expect(stdout).toMatch(/ {2}repositories and wikis that git cannot read: they are empty: 1 \(ben\/garden-fork: /);
    await using program = await startProgram({ HEARTH_DATA: join(gitea.folder, "hearth") });
    const ada = createApiClient(program.url, `token ${recorded.tokens.ada}`);
    expect(await ada.get("/repos/ada/a-b-2").expect(200)).toMatchObject({ id: 2, empty: false });
    expect((await ada.get("/repos/ada/former")).headers.get("location")).toMatch(/\/repos\/ada\/garden$/);
    expect(await ada.get("/repos/ben/garden-fork").expect(200)).toMatchObject({ id: 5, empty: true });
  });

  /** Whether an import is recorded in the database. */
  function hasBegun(data: string): boolean {
    if (!existsSync(join(data, "hearth.db"))) return false;
    const db = new DatabaseSync(join(data, "hearth.db"));
    const tables = db.prepare("select name from sqlite_master where name = 'server_values'").all();
    const rows = tables.length === 0 ? [] : db.prepare("select value from server_values where name = 'gitea_import'").all();
    db.close();
    return rows.length > 0;
  }

  test.skipIf(!canTrace)("an import that is killed continues, and no server starts on its data before", async () => {
    using gitea = openRecordedGitea();
    const data = join(gitea.folder, "hearth");
    const words = ["import", "gitea", "--config", gitea.appIni];
    let refused = 0;
    let kills = 0;
    let isComplete = false;
    for (const nth of [2, 3, 4, 5, 6, 7, 8]) {
      const { code } = await runProgram(words, { HEARTH_DATA: data }, killingAt("fsync,fdatasync", nth));
      isComplete = code === 0;
      if (isComplete) break;
      kills += 1;
      if (!hasBegun(data)) continue;
      await expect(startProgram({ HEARTH_DATA: data })).rejects.toThrow("the import from Gitea is incomplete: run `hearth import gitea` again");
      refused += 1;
    }
    // The calls of each thread are counted, so the moments differ between runs.
    expect(kills).toBeGreaterThan(1);
    expect(refused).toBeGreaterThan(0);
    if (!isComplete) expect(await runProgram(words, { HEARTH_DATA: data })).toMatchObject({ code: 0 });
    expect((await runProgram(["doctor"], { HEARTH_DATA: data })).stdout).toMatch(/^ok: /m);
    await using program = await startProgram({ HEARTH_DATA: data });
    const ada = createApiClient(program.url, `token ${recorded.tokens.ada}`);
    const found = (await ada.get("/repos/search").expect(200)) as { data: { id: number; full_name: string; empty: boolean }[] };
    expect(found.data.map(({ id, full_name, empty }) => [id, full_name, empty]).sort()).toEqual([
      [1, "ada/garden", false],
      [2, "ada/secret-plans", false],
      [3, "ben/empty", true],
      [4, "gardeners/tools", false],
      [5, "ben/garden-fork", false],
    ]);
  });

  test("a second factor that the key does not open is listed", async () => {
    using gitea = openRecordedGitea("update two_factor set secret = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'");
    expect((await importFrom(gitea, ["--dry-run"])).stdout).toContain(
      "second factors that SECRET_KEY does not open: these users sign in with the password alone: 1 (dan)\n",
    );
  });
});
