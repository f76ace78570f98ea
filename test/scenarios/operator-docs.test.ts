import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { systemClock } from "../../src/core/clock.ts";
import { migrate, schemaVersion } from "../../src/db/migrate.ts";
import { allMigrations } from "../../src/db/migrations/all.ts";
import { openDatabase } from "../../src/db/open.ts";
import { openSqlite } from "../../src/db/sqlite.ts";
import { repositoryRoot } from "../../tools/repository.ts";
import { createApiClient } from "../kit/api-client.ts";
import { onPostgres } from "../kit/databases.ts";
import { createSite, type InstalledSite } from "../kit/installed-site.ts";
import { silentLog } from "../kit/logs.ts";
import { startS3Server } from "../kit/s3-server.ts";
import { type FencedBlock, readBlocks } from "../kit/shell-blocks.ts";

/** Runs the commands of the operator pages against the real program. */

const pages = ["../README.md", "../CONTRIBUTING.md", ...readdirSync(join(repositoryRoot, "docs")).filter((name) => name.endsWith(".md"))];
const blocksOf = (language: string) =>
  pages.flatMap((page) =>
    readBlocks(page)
      .filter((block) => block.language === language)
      .map((block) => ({ ...block, page })),
  );

describe("blocks of documentation pages", () => {
  test("in sh are valid shell scripts", () => {
    const blocks = blocksOf("sh");
    expect(blocks.length).toBeGreaterThan(20);
    const problems = blocks.flatMap(({ page, line, text }) => {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
      return status === 0 ? [] : [`${page}:${line} ${stderr}`];
    });
    expect(problems).toEqual([]);
  });

  test("in toml are settings that the program accepts", () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-toml-"));
    const blocks = blocksOf("toml");
    expect(blocks.length).toBeGreaterThan(3);
    for (const { page, line, text } of blocks) {
      const file = join(folder, "hearth.toml");
      writeFileSync(file, text);
      expect(() => loadConfig({ HEARTH_CONFIG: file }), `${page}:${line}`).not.toThrow();
    }
    rmSync(folder, { recursive: true });
  });
});

describe("operator pages", () => {
  let scratch: string;
  let site: InstalledSite;
  let installed: ReadonlyMap<number, string>;
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), "hearth-docs-"));
    site = await createSite(scratch);
    installed = await site.runPage("install.md");
  }, 120_000);
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(scratch, { recursive: true, force: true });
  });

  const signedIn = async (name: string, password: string) => createApiClient(site.url, `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`);
  const administrator = async () => createApiClient(site.url, `token ${(await site.run("hearth admin user token ada")).trim()}`);

  test("install.md installs a service, and shows how to sign in", { timeout: 300_000 }, async () => {
    const output = [...installed.values()].join("\n");
    expect(output).toContain("the settings are valid");
    expect(output).toContain('{"status":"pass"');
    const [, name = "", password = ""] = /^Sign in as (\S+) with the password (\S+) \(shown this once\)$/m.exec(output) ?? [];
    expect(await (await signedIn(name, password)).get("/user").expect(200)).toMatchObject({ login: "root", is_admin: true });
    expect(output).toMatch(/^\d+\tada\tada@example\.org\tadministrator/m);
    const repository = await (await administrator()).post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    expect(repository.clone_url).toBe("https://git.example.org/ada/demo.git");
    expect(readFileSync(join(site.root, "log"), "utf8")).toContain("Hearth serves");
  });

  test("install.md starts a server in a clone", { timeout: 300_000 }, async () => {
    const block = readBlocks("install.md").find(({ mark }) => mark === "server");
    await using tried = await createSite(scratch);
    const question = `curl -fsS --retry 20 --retry-connrefused -u 'ada:correct horse' ${tried.url}/api/v1/user`;
    const output = await tried.runInProject(`${block?.text.trimEnd()} &\n${question}`, { HEARTH_DATA: join(tried.root, "data") });
    expect(output).toMatch(/"login":"ada".*"is_admin":true/);
  });

  test("README.md has a tour that works as a whole", { timeout: 300_000 }, async () => {
    await using tried = await createSite(scratch);
    const tour = readBlocks("../README.md").find(({ language }) => language === "sh")?.text ?? "";
    const password = join(tried.root, "password");
    writeFileSync(password, "#!/bin/sh\necho 'correct horse'\n", { mode: 0o755 });
    const identity = Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "Ada"],
        [`GIT_${role}_EMAIL`, "ada@example.com"],
      ]),
    );
    const environment = { ...identity, GIT_ASKPASS: password, HEARTH_DATA: join(tried.root, "data") };
    const output = await tried.runInProject(tried.translate(tour).replaceAll("/tmp/hello", `${tried.root}/hello`), environment);
    expect(output).toContain('"message":"First commit');
    expect(readdirSync(join(tried.root, "hello")).sort()).toEqual([".git", "README.md", "main.tar.gz", "notes.txt"]);
  });

  const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
  test.skipIf(!analyze)(`install.md writes a valid unit${analyze ? "" : " (skipped: systemd-analyze is not installed)"}`, async () => {
    const unit = join(site.root, "hearth.service");
    writeFileSync(unit, site.translate(readFileSync(site.translate("/etc/systemd/system/hearth.service"), "utf8")));
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
    expect(stderr.split("\n").filter((line) => line.includes(unit) || line.startsWith("hearth"))).toEqual([]);
    // A second signal would end the server at once, and systemd sends the first one to all processes by default.
    expect(readFileSync(unit, "utf8")).toMatch(/^KillMode=mixed$/m);
  });

  test("backup.md backs up, restores to another folder, and restores after a loss", { timeout: 300_000 }, async () => {
    const api = await administrator();
    const repository =
      (await api.get("/repos/ada/demo")).status === 200 ? "demo" : (await api.post("/user/repos", { name: "demo", auto_init: true }).expect(201)).name;
    await api.post(`/repos/ada/${repository}/issues`, { title: "Kept" }).expect(201);
    const tip = async () => (await (await administrator()).get("/repos/ada/demo/branches/main").expect(200)).commit.id;
    const before = await tip();
    const outputs = [...(await site.runPage("backup.md")).values()].join("\n");
    expect(outputs).toMatch(/copied the database and \d+ files[\s\S]*\nok: the database/);
    expect(outputs.match(/^restored the backup of /gm)).toHaveLength(2);
    // Three backups, a verification, a drill and a restore are checked.
    expect(outputs.match(/^ok: the database/gm)).toHaveLength(6);
    expect(outputs).toMatch(/^linked \d+ unchanged files to those of .*\/first$/m);
    expect(outputs).toMatch(/^verified the backup of \S+Z: it can be restored$/m);
    expect(outputs).toMatch(/^deleted first$[\s\S]*^kept 1 of 3 backups in /m);
    expect(await tip()).toBe(before);
    expect(await (await administrator()).get("/repos/ada/demo/issues").expect(200)).toMatchObject([{ title: "Kept" }]);
    expect(existsSync(site.translate("/var/lib/hearth.lost/hearth.db"))).toBe(true);
    expect(existsSync(site.translate("/var/tmp/hearth-drill"))).toBe(false);
    for (const name of ["hearth-backup.service", "hearth-backup.timer"]) {
      const { stderr } = analyze
        ? spawnSync("systemd-analyze", ["verify", "--man=no", site.translate(`/etc/systemd/system/${name}`)], { encoding: "utf8" })
        : { stderr: "" };
      expect(stderr.split("\n").filter((line) => line.includes("hearth-backup"))).toEqual([]);
    }
    // The command of the timer, as systemd unescapes it.
    const service = readFileSync(site.translate("/etc/systemd/system/hearth-backup.service"), "utf8");
    const [, command = ""] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(service) ?? [];
    await site.run(command.replaceAll("$$", "$").replaceAll("%%", "%"));
    expect(readdirSync(site.translate("/var/backups/hearth"))).toHaveLength(2);
  });

  test("point-in-time-recovery.md restores the newest state and that of a time from a bucket", { timeout: 300_000 }, async () => {
    await using bucket = await startS3Server();
    const file = site.translate("/etc/hearth/hearth.toml");
    const before = readFileSync(file, "utf8");
    const address = bucket.url.replace("/hearth?", "/log?");
    const { HEARTH_STORAGE_ACCESS_KEY: access, HEARTH_STORAGE_SECRET_KEY: secret } = bucket.environment;
    writeFileSync(file, `${before}\n[log_shipping]\nurl = "${address}"\naccess_key = "${access}"\nsecret_key = "${secret}"\n`);
    const page = "point-in-time-recovery.md";
    const [, documented = ""] = /^url = "(.*)"$/m.exec(readFileSync(join(repositoryRoot, "docs", page), "utf8")) ?? [];
    const replacing = { [documented]: address };
    const lost = site.translate("/var/lib/hearth.lost");
    rmSync(lost, { recursive: true, force: true });
    const isShipped = () => [...bucket.objects.keys()].some((key) => key.startsWith("log/bases/"));
    let isLater = false;
    const write = async ({ mark }: FencedBlock): Promise<void> => {
      if (mark !== "recovery" || isLater) return;
      isLater = true;
      await expect.poll(isShipped, { timeout: 30_000 }).toBe(true);
      await (await administrator()).post("/user/repos", { name: "recovered", auto_init: true }).expect(201);
    };
    const outputs = [...(await site.runPage(page, { replacing, marks: ["recovery"], before: write })).values()].join("\n");
    expect(outputs.match(/^restored the state of \S+Z: the database and \d+ files are in /gm)).toHaveLength(2);
    expect(outputs.match(/^ok: the database/gm)).toHaveLength(2);
    await (await administrator()).get("/repos/ada/recovered/contents/README.md").expect(200);
    writeFileSync(file, before);
    rmSync(lost, { recursive: true, force: true });
    await site.run(
      "systemctl stop hearth; systemctl start hearth; curl -fsS --retry 20 --retry-connrefused http://127.0.0.1:3000/api/healthz".replace(
        ":3000",
        `:${new URL(site.url).port}`,
      ),
    );
  });

  test("operating.md and reverse-proxy.md have commands that work on a running server", { timeout: 300_000 }, async () => {
    const outputs = [...(await site.runPage("operating.md")).values()].join("\n");
    expect(outputs).toContain('{"status":"pass"');
    expect(outputs).toMatch(/^ok: the database/m);
    expect(outputs).toMatch(/^git_gc_repos\t/m);
    expect(outputs).toContain("git_gc_repos is queued");
    expect(readFileSync(site.translate("/var/tmp/hearth-defaults.toml"), "utf8")).toContain("[server]");
    await site.runPage("reverse-proxy.md");
  });

  test("operating.md repairs a damaged repository with the objects of a clone, while the server runs", { timeout: 300_000 }, async () => {
    const token = (await site.run("hearth admin user token ada")).trim();
    const address = `${site.url.replace("//", `//ada:${token}@`)}/ada/demo.git`;
    const clone = site.translate("/var/tmp/hearth-clone");
    await site.run(`git clone -q '${address}' '${clone}'`);
    const packs = site.translate("/var/lib/hearth/repositories/01/1.git/objects/pack");
    for (const name of readdirSync(packs)) rmSync(join(packs, name), { force: true });
    await expect(site.run("hearth doctor")).rejects.toThrow(/store 1 \([\w-]+\/[\w-]+\): refs\/heads\/main points to [0-9a-f]{40}, which does not exist/);
    const steps = readBlocks("operating.md").find(({ mark }) => mark === "damaged")?.text ?? "";
    expect(await site.run(site.translate(steps))).toMatch(/^ok: the database/m);
    await site.run(`git clone -q '${address}' '${clone}-again'`);
    expect(readdirSync(`${clone}-again`)).toContain("README.md");
  });

  test("upgrade.md migrates the schema of the first release, and its backup keeps that schema", { timeout: 300_000 }, async () => {
    const firstRelease = 16;
    await site.run("systemctl stop hearth");
    const file = site.translate("/var/lib/hearth/hearth.db");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    const db = await openSqlite({ path: file, log: silentLog, clock: systemClock, mode: "exclusive" });
    await migrate(db, silentLog, allMigrations.slice(0, firstRelease));
    await db.tx(async (tx) => {
      await tx.script(`insert into accounts (kind, name, name_folded, full_name, email, description, website, location, visibility, avatar, created_ms, updated_ms, is_admin)
        values ('user', 'Grace', 'grace', 'Grace Hopper', 'grace@example.org', '', '', '', 'public', '', 1700000000000, 1700000000000, 1)`);
    });
    await db.close();
    expect(versionOf(file)).toBe(firstRelease);

    const outputs = [...(await site.runPage("upgrade.md")).values()].join("\n");
    expect(outputs).toContain("not checked, because the database has the schema of another version");
    expect(outputs).toContain("the settings are valid");
    expect(versionOf(site.translate("/var/backups/hearth/before-upgrade/hearth.db"))).toBe(firstRelease);
    expect(versionOf(site.translate("/var/lib/hearth.new/hearth.db"))).toBe(allMigrations.length);
    const log = readFileSync(join(site.root, "log"), "utf8");
    expect(log.match(/migrated the database schema/g)?.length).toBeGreaterThanOrEqual(allMigrations.length - firstRelease);
    await expect
      .poll(
        () =>
          fetch(`${site.url}/api/v1/users/Grace`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(200);
  });

  test("upgrade.md quotes the error of an older program, which changes nothing", { timeout: 300_000 }, async () => {
    const quoted = /^> the database has schema version \d+, (.*)$/m.exec(readFileSync(join(repositoryRoot, "docs/upgrade.md"), "utf8"))?.[1] ?? "";
    await site.run("systemctl stop hearth");
    const file = site.translate("/var/lib/hearth/hearth.db");
    const database = new DatabaseSync(file);
    const next = allMigrations.length + 1;
    database.exec(`insert into migrations (id, name, applied_ms, oldest_program) values (${next}, 'of the future', 1, ${next})`);
    database.close();
    const error = await site.run("hearth serve").catch(({ message }: Error) => message);
    expect(error).toContain(quoted.replace(/\d+/, String(allMigrations.length)).replace(/supports only \d+/, `supports only ${next}`));
    expect(versionOf(file)).toBe(next);
  });
});

onPostgres((dialect) => {
  test("install.md creates a database that the program can use", { timeout: 300_000 }, async () => {
    await using database = await dialect.createEmpty();
    const socket = new URL(database.url).searchParams.get("host") ?? "";
    const blocks = readBlocks("install.md");
    const name = `docs_${process.pid}`;
    const commands = blocks.find(({ mark }) => mark === "postgres")?.text ?? "";
    const url = /url = "(.*)"/.exec(blocks.find(({ language, text }) => language === "toml" && text.includes("[database]"))?.text ?? "")?.[1] ?? "";
    const scratch = mkdtempSync(join(tmpdir(), "hearth-docs-"));
    await using site = await createSite(scratch);
    // The role exists in the test server, whose superuser it is.
    const script = commands.replace("createuser hearth", "true").replace("--owner hearth hearth", `--owner hearth ${name}`);
    const environment = { PGHOST: socket, PGUSER: "hearth" };
    await site.run(script, environment);
    const config = loadConfig({ HEARTH_DATABASE_URL: url.replace("/run/postgresql", encodeURIComponent(socket)).replace("/hearth?", `/${name}?`) });
    const db = await openDatabase({ url: config.database.url, log: silentLog });
    expect(await schemaVersion(db)).toBe(allMigrations.length);
    await db.close();
    await site.run(`dropdb ${name}`, environment);
    rmSync(scratch, { recursive: true, force: true });
  });
});

function versionOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("select count(*) as count from migrations").get();
  database.close();
  return Number(row?.count);
}
