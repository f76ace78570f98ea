import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { expect, test } from "vitest";
import { keepServersAway } from "../../src/app/gitea-import/progress.ts";
import { openDatabase } from "../../src/db/open.ts";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect, onPostgres, onSqlite, type TestDialect } from "../kit/databases.ts";
import { dump } from "../kit/dump.ts";
import { openRecordedGitea, type RecordedGitea, recorded } from "../kit/gitea.ts";
import { canTrace, killingAt } from "../kit/kill-at.ts";
import { silentLog } from "../kit/logs.ts";
import { polling } from "../kit/polling.ts";
import { runProgram, startProgram } from "../kit/program.ts";

/** A change, a new row or a missing row in each table that is imported. */
const changes = `
  update "user" set full_name = 'Ben Changed', name = 'benedict', lower_name = 'benedict' where id = 3;
  update repository set owner_name = 'benedict' where owner_id = 3;
  insert into user_redirect (id, lower_name, redirect_user_id) values (1, 'ben', 3);
  delete from "user" where id = 11; delete from email_address where uid = 11;
  insert into "user" (id, lower_name, name, email, type, is_active, passwd, created_unix) values (90, 'eve', 'eve', 'eve@example.com', 0, 1, '', 5);
  insert into email_address (id, uid, email, is_activated, is_primary) values (90, 90, 'eve@example.com', 1, 1);
  delete from follow where id = 1; delete from user_blocking; delete from two_factor; delete from public_key where id = 1;
  insert into follow (id, user_id, follow_id, created_unix) values (90, 90, 2, 5);
  delete from access_token where id = 4; update access_token set name = 'renamed' where id = 2; delete from gpg_key;
  update team set name = 'authors', lower_name = 'authors' where id = 3; delete from team_unit where team_id = 3 and type = 5; delete from team_user where id = 1;
  update oauth2_application set name = 'renamed'; delete from oauth2_grant;
  update repository set description = 'Changed', is_private = 1 where id = 1; delete from repository where id = 3; delete from repo_unit where repo_id = 3;
  insert into repository (id, owner_id, owner_name, lower_name, name, default_branch, created_unix) values (90, 90, 'eve', 'new', 'new', 'main', 5);
  update repository set lower_name = 'open-plans', name = 'open-plans' where id = 2; insert into repo_redirect (id, owner_id, lower_name, redirect_repo_id) values (1, 2, 'secret-plans', 2);
  update collaboration set mode = 1 where id = 1; delete from watch where id = 1; delete from star where id = 1; delete from topic where id = 2;
  insert into star (id, uid, repo_id, created_unix) values (90, 90, 1, 5); update deploy_key set name = 'renamed';
  update protected_branch set required_approvals = 2; delete from protected_tag; delete from lfs_meta_object;
  update release set title = 'Changed' where id = 1; delete from release where id = 2; delete from attachment where id = 1;
  update label set color = '#00ff00' where id = 1; delete from milestone where id = 2; update milestone set name = 'Summer' where id = 1;
  update issue set name = 'Changed text of vinegar', is_closed = 1, closed_unix = 1795753700 where id = 2; delete from issue where id = 3; delete from comment where issue_id = 3;
  insert into issue (id, repo_id, "index", poster_id, name, content, is_pull, created_unix, updated_unix) values (90, 1, 8, 90, 'New about compost', 'x', 0, 5, 5);
  insert into comment (id, type, issue_id, poster_id, content, created_unix, updated_unix) values (90, 0, 90, 2, 'a new comment', 5, 5);
  update comment set content = 'changed comment' where id = 6; delete from comment where id = 7;
  insert into issue_label (id, issue_id, label_id) values (90, 90, 1); delete from issue_assignees where id = 1; delete from issue_dependency; delete from issue_pin;
  delete from reaction where id = 1; delete from tracked_time where id = 1; delete from stopwatch; delete from issue_content_history where id = 1;
  update review set content = 'Changed' where id = 3; delete from notification where id = 1; update notification set status = 3 where id = 2;
  insert into commit_status (id, "index", repo_id, sha, context, state) values (90, 1, 2, 'aa', 'new', 'success'); delete from commit_status where id = 1;
  update webhook set is_active = 0 where id = 1; delete from webhook where id = 2; delete from secret where id = 1; update action_variable set data = 'south' where id = 1;
  insert into login_source (id, type, name, is_active, cfg) values (1, 6, 'house', 1, '{"Provider":"openidConnect","ClientID":"x","ClientSecret":"y","OpenIDConnectAutoDiscoveryURL":"https://id.example.org"}');
  insert into external_login_user (external_id, user_id, login_source_id, nick_name) values ('subject', 2, 1, 'ada');
  insert into push_mirror (id, repo_id, remote_name, remote_address, sync_on_commit, interval, created_unix, last_update) values (1, 1, 'backup', 'https://backup.example.org/x.git', 1, 0, 5, 5);
  update repository set is_mirror = 1 where id = 4; insert into mirror (id, repo_id, interval, updated_unix, next_update_unix, remote_address) values (1, 4, 0, 5, 5, 'https://source.example.org/x.git');
  insert into "action" (id, user_id, op_type, act_user_id, repo_id, content, created_unix) values (1, 2, 6, 2, 1, '8|New about compost', 1795753600);
`;

/** Moves, creates and deletes refs, and adds a repository. */
function changeRepositories({ folder }: RecordedGitea): void {
  const root = join(folder, "data/repositories");
  const git = (repository: string, ...words: string[]): string =>
    execFileSync("git", ["-C", join(root, repository), "-c", "user.name=Eve", "-c", "user.email=eve@example.com", ...words], { encoding: "utf8" }).trim();
  const commit = (repository: string, parent: string): string => git(repository, "commit-tree", "-p", parent, "-m", "Later", `${parent}^{tree}`);
  git("ada/garden.git", "update-ref", "refs/heads/main", commit("ada/garden.git", "refs/heads/main"));
  git("ada/garden.git", "update-ref", "refs/heads/later", commit("ada/garden.git", "refs/heads/main"));
  git("ada/garden.git", "update-ref", "-d", "refs/tags/v1.1");
  git("ada/garden.wiki.git", "update-ref", "HEAD", commit("ada/garden.wiki.git", "HEAD"));
  execFileSync("mv", [join(root, "ada/secret-plans.git"), join(root, "ada/open-plans.git")]);
  execFileSync("mv", [join(root, "ben"), join(root, "benedict")]);
  rmSync(join(root, "benedict/empty.git"), { recursive: true });
  cpSync(join(root, "gardeners/tools.git"), join(root, "eve/new.git"), { recursive: true });
}

function changeGitea(gitea: RecordedGitea): void {
  const db = new DatabaseSync(gitea.database);
  db.exec(`begin; ${changes}; commit`);
  db.close();
  changeRepositories(gitea);
}

const withoutWarnings = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => line !== "" && !line.includes("in a power cut") && !line.includes("known vulnerabilities"))
    .join("\n");

async function importFrom(gitea: RecordedGitea, settings: Record<string, string>, before: readonly string[] = []) {
  const run = await runProgram(["import", "gitea", "--config", gitea.appIni], settings, before);
  return { ...run, stderr: withoutWarnings(run.stderr) };
}

async function placeOf(
  dialect: TestDialect,
  folder: string,
  opened: AsyncDisposableStack,
): Promise<{ readonly settings: Record<string, string>; readonly url: string }> {
  if (dialect.name === "sqlite") return { settings: { HEARTH_DATA: folder }, url: join(folder, "hearth.db") };
  const { url } = opened.use(await dialect.create());
  return { settings: { HEARTH_DATA: folder, HEARTH_DATABASE_URL: url }, url };
}

eachDialect((dialect) => {
  test("a second import brings changed, new and deleted rows, refs and files, as a first one would", async () => {
    await using opened = new AsyncDisposableStack();
    using gitea = openRecordedGitea();
    const folder = mkdtempSync(join(tmpdir(), "hearth-again-"));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const again = await placeOf(dialect, join(folder, "again"), opened);
    const fresh = await placeOf(dialect, join(folder, "fresh"), opened);
    expect(await importFrom(gitea, again.settings)).toMatchObject({ code: 0, stderr: "" });
    {
      // A look at the server changes nothing.
      await using program = await startProgram(again.settings);
      await createApiClient(program.url, `token ${recorded.tokens.ada}`).get("/repos/ada/garden").expect(200);
    }
    changeGitea(gitea);
    const [second, first] = [await importFrom(gitea, again.settings), await importFrom(gitea, fresh.settings)];
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(second).toEqual(first);
    const [expected, found] = [await dump(fresh.url), await dump(again.url)];
    for (const [table, rows] of Object.entries(expected)) expect({ table, rows: found[table] }).toEqual({ table, rows });
    expect(Object.values(expected).filter((rows) => rows.length > 0).length).toBeGreaterThan(45);
    expect((await runProgram(["doctor"], again.settings)).stdout).toMatch(/^ok: the database, \d+ object stores and \d uploaded files$/m);

    await using program = await startProgram(again.settings);
    const ada = createApiClient(program.url, `token ${recorded.tokens.ada}`);
    expect(await ada.get("/repos/ada/garden/issues?q=compost").expect(200)).toMatchObject([{ number: 8 }]);
    expect(await ada.get("/repos/ada/garden/issues?q=water&state=all&type=issues").expect(200)).toEqual([]);
    const url = program.url.replace("http://", `http://ada:${recorded.tokens.ada}@`);
    execFileSync("git", ["clone", "-q", "--mirror", `${url}/ada/garden.git`, join(folder, "clone")]);
    execFileSync("git", ["-C", join(folder, "clone"), "fsck", "--strict"], { stdio: "ignore" });
    await ada.patch("/repos/ada/garden", { description: "Changed here" }).expect(200);
    await program.stop();
    expect(await importFrom(gitea, again.settings)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^hearth: the server was changed after the import \(repositories\): another import would lose that\./),
    });
  }, 180_000);
});

onSqlite(() => {
  const killed = "a second import that is killed leaves the server as it was, and can be repeated";
  test.skipIf(!canTrace)(
    canTrace ? killed : `${killed} (skipped: strace is not installed)`,
    async () => {
      using gitea = openRecordedGitea();
      const folder = join(gitea.folder, "hearth");
      const settings = { HEARTH_DATA: folder };
      expect((await importFrom(gitea, settings)).code).toBe(0);
      const before = await dump(join(folder, "hearth.db"));
      changeGitea(gitea);
      let kills = 0;
      let isComplete = false;
      for (const nth of [1, 3, 5, 7]) {
        isComplete = (await importFrom(gitea, settings, killingAt("fsync,fdatasync", nth))).code === 0;
        if (isComplete) break;
        kills += 1;
        expect((await runProgram(["doctor"], settings)).stdout).toMatch(/^ok: /m);
        expect(await dump(join(folder, "hearth.db"))).toEqual(before);
      }
      expect(kills).toBeGreaterThan(0);
      if (!isComplete) expect(await importFrom(gitea, settings)).toMatchObject({ code: 0, stderr: "" });
      const fresh = { HEARTH_DATA: join(gitea.folder, "fresh") };
      expect((await importFrom(gitea, fresh)).code).toBe(0);
      expect(await dump(join(folder, "hearth.db"))).toEqual(await dump(join(fresh.HEARTH_DATA, "hearth.db")));
      const other = new DatabaseSync(join(folder, "hearth.db"));
      other.exec("delete from server_values where name = 'gitea_imported'");
      other.close();
      expect((await importFrom(gitea, settings)).stderr).toMatch(/^hearth: the server has accounts: an import needs an empty server/);
    },
    180_000,
  );
});

/** A prefix that writes the process id of a program to a file. */
const notingPid = (file: string): readonly string[] => ["sh", "-c", 'echo $$ > "$0"; exec "$@"', file];

onPostgres((dialect) => {
  test("transactions that PostgreSQL makes the import repeat count and write each row once", async () => {
    await using opened = new AsyncDisposableStack();
    using gitea = openRecordedGitea();
    const folder = mkdtempSync(join(tmpdir(), "hearth-again-"));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const calm = await placeOf(dialect, join(folder, "calm"), opened);
    const database = opened.use(await dialect.create());
    const settings = { HEARTH_DATA: join(folder, "repeated"), HEARTH_DATABASE_URL: database.url };
    const client = new Client({ connectionString: database.url });
    await client.connect();
    opened.defer(() => client.end());
    // The first insertion into each table fails like a conflict. Sequences are not rolled back.
    const tables = ["accounts", "comments", "issue_dependencies", "notifications"];
    await client.query(`create function collide() returns trigger language plpgsql as $$ begin
      if nextval(tg_argv[0]) = 1 then raise exception 'collision' using errcode = '40001'; end if; return null; end $$`);
    for (const table of tables) await client.query(`create sequence ${table}_tries`);
    for (const table of tables)
      await client.query(`create trigger collide_${table} after insert on ${table} for each statement execute function collide('${table}_tries')`);
    for (const round of ["first", "second"]) {
      for (const table of tables) await client.query(`alter sequence ${table}_tries restart`);
      const [expected, found] = [await importFrom(gitea, calm.settings), await importFrom(gitea, settings)];
      expect({ round, ...found }).toEqual({ round, code: 0, stdout: expected.stdout, stderr: "" });
      for (const table of tables) expect(Number((await client.query(`select last_value as n from ${table}_tries`)).rows[0].n)).toBeGreaterThan(1);
      expect(await dump(database.url)).toEqual(await dump(calm.url));
    }
  }, 180_000);

  test("a second import that is killed in its transaction leaves the server as it was, and can be repeated", async () => {
    await using opened = new AsyncDisposableStack();
    using gitea = openRecordedGitea();
    const folder = mkdtempSync(join(tmpdir(), "hearth-again-"));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const { settings, url } = await placeOf(dialect, join(folder, "again"), opened);
    expect((await importFrom(gitea, settings)).code).toBe(0);
    const before = await dump(url);
    changeGitea(gitea);
    const client = new Client({ connectionString: url });
    await client.connect();
    opened.defer(() => client.end());
    const lock = 20_611;
    await client.query(`create function wait_here() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${lock}); return null; end $$`);
    const count = async (query: string): Promise<number> => Number((await client.query(`select count(*) as n from ${query}`)).rows[0].n);
    const waiting = (): Promise<number> => count(`pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`);
    const pidFile = join(folder, "pid");
    for (const place of ["delete on notifications", "insert on accounts", "insert on notifications"]) {
      const table = place.split(" ").at(-1);
      await client.query(`create trigger wait_here before ${place} for each statement execute function wait_here()`);
      await client.query(`select pg_advisory_lock(${lock})`);
      const running = importFrom(gitea, settings, notingPid(pidFile));
      await expect.poll(waiting, polling).toBe(1);
      process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
      expect((await running).code).toBe(null);
      await client.query(`select pg_advisory_unlock(${lock})`);
      await expect
        .poll(() => count("pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()"), polling)
        .toBe(0);
      await client.query(`drop trigger wait_here on ${table}`);
      const found = await dump(url);
      for (const [name, rows] of Object.entries(before)) expect({ place, name, rows: found[name] }).toEqual({ place, name, rows });
      expect((await runProgram(["doctor"], settings)).stdout).toMatch(/^ok: /m);
    }
    expect(await importFrom(gitea, settings)).toMatchObject({ code: 0, stderr: "" });
    const fresh = await placeOf(dialect, join(folder, "fresh"), opened);
    expect((await importFrom(gitea, fresh.settings)).code).toBe(0);
    expect(await dump(url)).toEqual(await dump(fresh.url));
  }, 180_000);

  test("an import is refused while a server uses the database, and a server while an import does", async () => {
    await using opened = new AsyncDisposableStack();
    using gitea = openRecordedGitea();
    const folder = mkdtempSync(join(tmpdir(), "hearth-again-"));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const { settings, url } = await placeOf(dialect, join(folder, "again"), opened);
    // The database alone has to show the other process.
    const elsewhere = { ...settings, HEARTH_DATA: join(folder, "elsewhere") };
    const refused = { code: 1, stdout: "", stderr: "hearth: a server or another import uses this database: stop it first" };
    expect(await importFrom(gitea, settings)).toMatchObject({ code: 0, stderr: "" });
    {
      await using server = await startProgram(elsewhere);
      expect(await importFrom(gitea, settings)).toEqual(refused);
      await server.stop();
    }
    {
      const db = await openDatabase({ url, log: silentLog, role: "tool" });
      await using importing = new AsyncDisposableStack();
      importing.defer(() => db.close());
      const presence = importing.adopt(await db.join(), (joined) => joined.close());
      await keepServersAway(db, presence);
      expect(await importFrom(gitea, settings)).toEqual(refused);
      await expect(startProgram(elsewhere)).rejects.toThrow("an import from Gitea writes to this database: start the server when it has ended");
    }
    // An import that was killed leaves its mark, and keeps no server away.
    await using _server = await startProgram(elsewhere);
  }, 180_000);
});
