import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect, onSqlite } from "../kit/databases.ts";
import { loadRecordedPostgres, openRecordedGitea, type RecordedGitea, recorded } from "../kit/gitea.ts";
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

  test("a second factor that the key does not open is listed", async () => {
    using gitea = openRecordedGitea("update two_factor set secret = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'");
    expect((await importFrom(gitea, ["--dry-run"])).stdout).toContain(
      "second factors that SECRET_KEY does not open: these users sign in with the password alone: 1 (dan)\n",
    );
  });
});
