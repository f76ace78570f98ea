import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { administer } from "../../src/app/administer.ts";
import { loadConfig } from "../../src/config/config.ts";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { bundlePath } from "../../tools/build.mjs";
import { repositoryRoot } from "../../tools/repository.ts";
import { serverFlags } from "../../tools/server-flags.mjs";
import { createApiClient } from "../kit/api-client.ts";
import { type ProgramRun, type RunningProgram, runProgram, startProgram } from "../kit/program.ts";

/** The program from the command line: output, exit codes, errors. */

let root: string;
let lastFolder = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hearth-program-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const started: RunningProgram[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((program) => program.kill()));
});
const folder = (): string => {
  lastFolder += 1;
  return join(root, `data-${lastFolder}`);
};
const serve = async (environment: Readonly<Record<string, string>>): Promise<RunningProgram> => {
  const program = await startProgram(environment);
  started.push(program);
  return program;
};
const signIn = (url: string, name: string, password: string) => createApiClient(url, `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`);
/** One line on stderr for the operator, without internals of the program. */
const refusal = ({ code, stdout, stderr }: ProgramRun): string => {
  expect(code, stderr).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^hearth: [^\n]+\n$/);
  return stderr;
};

describe("a start", () => {
  test("in an empty folder prints the URL and how to sign in; a second start changes nothing", async () => {
    const data = folder();
    const first = await serve({ HEARTH_DATA: data });
    const found = /^Sign in as (\S+) with the password (\S+) \(shown this once\)$/m.exec(first.output());
    const [, name = "", password = ""] = found ?? [];
    expect(await signIn(first.url, name, password).get("/user").expect(200)).toMatchObject({ login: "root", is_admin: true });
    expect(await first.stop()).toBe(0);
    const second = await serve({ HEARTH_DATA: data });
    expect(second.output()).toBe(`Hearth serves ${second.url}\n`);
    expect(await signIn(second.url, name, password).get("/admin/users").expect(200)).toHaveLength(1);
  });

  test("1,000 clients connect while it does not accept any", async () => {
    const { url, pid } = await serve({ HEARTH_DATA: folder() });
    const { hostname, port } = new URL(url);
    process.kill(pid, "SIGSTOP");
    const sockets = Array.from({ length: 1_000 }, () => connect(Number(port), hostname));
    try {
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
      process.kill(pid, "SIGCONT");
      const last = sockets.at(-1);
      last?.write("GET /api/v1/version HTTP/1.1\r\nHost: hearth\r\n\r\n");
      const [answer] = (await once(last ?? connect(0), "data")) as [Buffer];
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test("creates the configured administrator once", async () => {
    const data = folder();
    const token = "0123456789abcdef0123456789abcdef01234567";
    const environment = {
      HEARTH_DATA: data,
      HEARTH_ADMIN_USERNAME: "chief",
      HEARTH_ADMIN_EMAIL: "chief@example.com",
      HEARTH_ADMIN_PASSWORD: "a long pass phrase",
      HEARTH_ADMIN_TOKEN: token,
    };
    const first = await serve(environment);
    expect(first.output()).toContain("Sign in as chief with the configured password");
    expect(first.output()).not.toContain("a long pass phrase");
    expect(await createApiClient(first.url, `token ${token}`).get("/user").expect(200)).toMatchObject({ login: "chief", email: "chief@example.com" });
    await first.stop();
    const second = await serve({ ...environment, HEARTH_ADMIN_USERNAME: "other", HEARTH_ADMIN_PASSWORD: "another pass phrase" });
    expect(await signIn(second.url, "chief", "a long pass phrase").get("/admin/users").expect(200)).toHaveLength(1);
  });

  test("keeps its data from other users of the machine, also in a folder that was open to them", async () => {
    const data = folder();
    await mkdir(data);
    await chmod(data, 0o777);
    const modes = async (): Promise<readonly string[]> => {
      const names = ["", ...(await readdir(data, { recursive: true }))];
      const all = await Promise.all(names.map(async (name) => ({ name, mode: (await stat(join(data, name))).mode & 0o777 })));
      return all.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name, mode }) => `${name} ${mode.toString(8)}`);
    };
    const settings = { HEARTH_DATA: data };
    const first = await serve(settings);
    expect(await modes()).toEqual([]);
    expect(await readdir(data)).toEqual(expect.arrayContaining(["hearth.db", "hearth.db-lock", "hearth.db-wal", "repositories", "secret.key"]));
    await first.stop();

    await chmod(data, 0o755);
    await chmod(join(data, "hearth.db"), 0o644);
    await chmod(join(data, "secret.key"), 0o640);
    const { code, stdout } = await runProgram(["doctor"], settings);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`other users of this machine may have access to ${data} (mode 0755), `)]);
    expect(stdout).toContain(`chmod go= ${data} ${join(data, "hearth.db")} ${join(data, "secret.key")}`);
    const second = await serve(settings);
    expect(await modes()).toEqual([]);
    expect(second.output()).not.toContain("other users of this machine");
  });
});

describe("a stop", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("by %s is orderly, and the next start continues from there", async (signal) => {
    const data = folder();
    const program = await serve({ HEARTH_DATA: data });
    expect(await program.stop(signal)).toBe(0);
    await expect(fetch(program.url)).rejects.toThrow();
    await serve({ HEARTH_DATA: data });
  });
});

test("a stop signal makes the server not ready while it still answers, and a second one ends it", async () => {
  const program = await serve({ HEARTH_DATA: folder(), HEARTH_DRAIN_SECONDS: "3600" });
  const readiness = async (): Promise<number> => (await fetch(`${program.url}/api/readyz`)).status;
  expect(await readiness()).toBe(200);
  process.kill(program.pid, "SIGTERM");
  await expect.poll(readiness, { timeout: 10_000 }).toBe(503);
  expect((await fetch(`${program.url}/api/v1/version`)).status).toBe(200);
  expect(await program.stop("SIGTERM")).toBe(1);
});

test("a SIGHUP without a certificate does not end the server, and is logged", async () => {
  const program = await serve({ HEARTH_DATA: folder() });
  process.kill(program.pid, "SIGHUP");
  await expect.poll(program.output, { timeout: 20_000 }).toContain("there is no certificate to reload");
  expect((await fetch(`${program.url}/api/v1/version`)).status).toBe(200);
});

describe("errors in one line", () => {
  test("report a port in use", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const run = await runProgram(["serve"], { HEARTH_DATA: folder(), HEARTH_HOST: "127.0.0.1", HEARTH_PORT: String(port) });
    await new Promise((resolve) => server.close(resolve));
    expect(refusal(run)).toContain(`127.0.0.1:${port} is in use`);
  });

  test.each([
    [{ HEARTH_PORT: "many" }, "HEARTH_PORT"],
    [{ HEARTH_PORT: "70000" }, "HEARTH_PORT"],
    [{ HEARTH_ROOT_URL: "ftp://x" }, "HEARTH_ROOT_URL"],
    [{ HEARTH_ADMIN_TOKEN: "short" }, "HEARTH_ADMIN_TOKEN"],
    [{ HEARTH_ADMIN_PASSWORD: "short" }, "HEARTH_ADMIN_PASSWORD"],
    [{ HEARTH_ADMIN_USERNAME: "api" }, "HEARTH_ADMIN_USERNAME"],
    [{ HEARTH_GIT_BINARY: "/nonexistent/git" }, "git"],
    [{ HEARTH_HOST: "203.0.113.7" }, "203.0.113.7"],
    [{ HEARTH_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, "PostgreSQL"],
    [{ HEARTH_CONFIG: "/nonexistent/hearth.toml" }, "/nonexistent/hearth.toml"],
  ])("%j", async (environment, word) => {
    const run = await runProgram(["serve"], { HEARTH_DATA: folder(), HEARTH_HOST: "127.0.0.1", HEARTH_PORT: "0", ...environment });
    expect(refusal(run)).toContain(word);
  });

  test("a data folder that is not writable, or is a file", async () => {
    const file = folder();
    await writeFile(file, "");
    for (const data of ["/proc/hearth", file, join(file, "below")]) {
      expect(refusal(await runProgram(["serve"], { HEARTH_DATA: data, HEARTH_PORT: "0" }))).toContain("HEARTH_DATA");
    }
  });

  test("a git that is too old is reported in one line", async () => {
    const directory = folder();
    await mkdir(directory);
    const git = join(directory, "git");
    await writeFile(git, "#!/bin/sh\necho git version 2.20.1\n");
    await chmod(git, 0o755);
    expect(refusal(await runProgram(["serve"], { HEARTH_DATA: folder(), HEARTH_PORT: "0", HEARTH_GIT_BINARY: git }))).toContain("2.20.1");
  });

  test("report a second server on the same data", async () => {
    const data = folder();
    const first = await serve({ HEARTH_DATA: data });
    const run = await runProgram(["serve"], { HEARTH_DATA: data, HEARTH_HOST: "127.0.0.1", HEARTH_PORT: "0" });
    refusal(run);
    expect((await fetch(`${first.url}/api/v1/version`)).status).toBe(200);
  });

  test.each([[["dance"]], [["admin"]], [["admin", "user", "dance"]], [["serve", "--unknown"]], [["admin", "user", "create", "x"]]])(
    "the arguments %j",
    async (words) => {
      const run = await runProgram(words, { HEARTH_DATA: folder(), HEARTH_PORT: "0" });
      refusal(run);
    },
  );
});

describe("operator commands", () => {
  test("list the subcommands of an incomplete command", async () => {
    const environment = { HEARTH_DATA: folder() };
    expect(await runProgram(["admin", "user"], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: admin user needs a subcommand: create, list, .*; run `hearth help` for details\n$/),
    });
    expect(await runProgram(["admin", "usr"], environment)).toMatchObject({
      code: 1,
      stderr: "hearth: unknown command admin usr; run `hearth help` for a list\n",
    });
  });

  test("work while the server runs", async () => {
    const data = folder();
    const environment = { HEARTH_DATA: data };
    const server = await serve(environment);
    const run = async (...words: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runProgram(words, environment);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const [, password = ""] =
      /^created user dana; the password is (\S+) \(shown this once\)\n$/.exec(await run("admin", "user", "create", "dana", "dana@example.com")) ?? [];
    expect(await signIn(server.url, "dana", password).get("/user").expect(200)).toMatchObject({ login: "dana", is_admin: false });
    await run("admin", "user", "create", "erin", "erin@example.com", "--admin", "--password", "a pass phrase of erin");
    expect(await signIn(server.url, "erin", "a pass phrase of erin").get("/admin/users").expect(200)).toHaveLength(3);
    expect((await run("admin", "user", "list")).split("\n").map((line) => line.split("\t").slice(1, 4).join(" "))).toEqual(
      expect.arrayContaining(["dana dana@example.com user", "erin erin@example.com administrator"]),
    );
    await run("admin", "user", "reset-password", "dana", "--password", "a new pass phrase");
    await signIn(server.url, "dana", password).get("/user").expect(401);
    await signIn(server.url, "dana", "a new pass phrase").get("/user").expect(200);
    const token = (await run("admin", "user", "token", "dana", "--scopes", "read:user")).trim();
    expect(await createApiClient(server.url, `token ${token}`).get("/user").expect(200)).toMatchObject({ login: "dana" });
    await createApiClient(server.url, `token ${token}`).post("/user/repos", { name: "x" }).expect(403);
    expect(await run("doctor")).toMatch(/^git \d.*\nok: the database, 0 object stores and 0 uploaded files\n$/);

    const dana = signIn(server.url, "dana", "a new pass phrase");
    const { secret } = await dana.post("/user/two_factor").expect(201);
    await dana.post("/user/two_factor/confirm", { code: totpCode(secret, stepAt(Date.now())) }).expect(201);
    await dana.get("/user").expect(401);
    expect(await run("admin", "user", "remove-two-factor", "dana")).toBe("turned off two-factor authentication for dana\n");
    await dana.get("/user").expect(200);
    expect(await runProgram(["admin", "user", "remove-two-factor", "dana"], environment)).toMatchObject({
      code: 1,
      stderr: "hearth: dana does not use two-factor authentication\n",
    });

    await run("admin", "user", "set-admin", "dana", "yes");
    expect(await signIn(server.url, "dana", "a new pass phrase").get("/user").expect(200)).toMatchObject({ is_admin: true });
    await run("admin", "user", "set-login", "dana", "no");
    await signIn(server.url, "dana", "a new pass phrase").get("/user").expect(401);
    await run("admin", "user", "set-login", "dana", "yes");
    await run("admin", "user", "set-admin", "dana", "no");
    await run("admin", "user", "rename", "dana", "diana");
    await signIn(server.url, "diana", "a new pass phrase").post("/user/repos", { name: "own" }).expect(201);

    const diana = signIn(server.url, "diana", "a new pass phrase");
    await diana.post("/user/emails", { emails: ["second@example.com"] }).expect(201);
    expect(await run("admin", "email", "list", "--query", "second")).toBe("second@example.com\tdiana\tunverified\tfurther\n");
    await run("admin", "user", "verify-email", "diana", "SECOND@example.com");
    expect(await run("admin", "email", "list", "--query", "second")).toBe("second@example.com\tdiana\tverified\tfurther\n");
    await signIn(server.url, "second@example.com", "a new pass phrase").get("/user").expect(200);

    await run("admin", "badge", "create", "founder", "Was here first", "--image", "https://example.com/founder.png");
    const erin = signIn(server.url, "erin", "a pass phrase of erin");
    await erin.post("/admin/users/diana/badges", { badge_slugs: ["founder"] }).expect(204);
    expect(await erin.get("/admin/users/diana/badges").expect(200)).toMatchObject([{ slug: "founder", description: "Was here first" }]);
    expect(await run("admin", "badge", "list")).toBe("founder\tWas here first\thttps://example.com/founder.png\n");
    await run("admin", "badge", "delete", "founder");
    expect(await erin.get("/admin/users/diana/badges").expect(200)).toEqual([]);

    expect(await run("admin", "cron", "list")).toMatch(/^git_gc_repos\t\S+Z\t-\t0$/m);
    await run("admin", "cron", "run", "git_gc_repos");
    expect(await run("admin", "cron", "list")).toMatch(/^git_gc_repos\t\S+Z\t\S+Z\t1$/m);

    await run("admin", "user", "delete", "diana", "--purge");
    await erin.get("/users/diana").expect(404);
    const log = await run("admin", "audit", "list", "--account", "diana", "--action", "account");
    expect(log.split("\n").map((line) => line.split("\t").slice(1, 4).join(" "))).toEqual([
      "cli account.deleted user diana",
      "cli account.renamed user diana",
      "",
    ]);
    expect(await run("admin", "audit", "list", "--action", "schedule")).toMatch(/^\S+Z\tcli\tschedule.requested\tschedule git_gc_repos\t\t\{\}\n$/);
    expect(await run("admin", "audit", "prune", "2000-01-01T00:00:00Z")).toBe("deleted 0 entries\n");
    await run("admin", "user", "create", "dana", "dana@example.com");

    for (const [words, text] of [
      [["admin", "user", "set-admin", "erin", "perhaps"], "yes or no"],
      [["admin", "user", "delete", "nobody"], "nobody"],
      [["admin", "user", "delete"], "admin user delete NAME"],
      [["admin", "audit", "list", "--limit"], "--limit"],
      [["admin", "user", "create", "frank", "f@example.com", "--password", "short"], "password"],
    ] as const) {
      expect(refusal(await runProgram(words, environment))).toContain(text);
    }
    // The errors of the others are of the same kinds, and reach the terminal in the same way.
    for (const [words, text] of [
      [["admin", "user", "rename", "dana", "erin"], "erin"],
      [["admin", "user", "verify-email", "dana", "other@example.com"], "other@example.com"],
      [["admin", "cron", "run", "nothing"], "not found"],
      [["admin", "badge", "create", "A B", "x"], "lower-case"],
      [["admin", "audit", "prune", "yesterday"], "yesterday"],
      [["admin", "audit", "list", "--limit", "all"], "--limit"],
      [["admin", "user", "create", "DANA", "other@example.com"], "DANA"],
      [["admin", "user", "create", "x y", "x@example.com"], ""],
      [["admin", "user", "create", "frank", "no address"], "no address"],
      [["admin", "user", "token", "nobody"], "nobody"],
      [["admin", "user", "token", "dana", "--scopes", "everything"], "everything"],
    ] as const) {
      await expect(administer(loadConfig(environment), words.slice(1), () => 0)).rejects.toThrow(text);
    }
  });

  test("print the settings, the version and the help without side effects", async () => {
    const data = folder();
    const environment = { HEARTH_DATA: data };
    const config = await runProgram(["config"], environment);
    expect(config.code).toBe(0);
    for (const name of ["[server]", "port", "[git]", "max_refs_per_push"]) expect(config.stdout).toContain(name);
    expect((await runProgram(["--help"], environment)).stdout).toContain("Usage: hearth <command>");
    expect((await runProgram(["--version"], environment)).stdout).toMatch(/^\d+\.\d+/);
    await expect(readdir(data)).rejects.toMatchObject({ code: "ENOENT" });
    expect(refusal(await runProgram(["doctor"], environment))).toContain("HEARTH_DATA");
  });

  test("check the settings without a start, and print those that are not defaults", async () => {
    const data = folder();
    const run = await runProgram(["check-config"], { HEARTH_DATA: data, HEARTH_MAIL_HOST: "mail.example.org", HEARTH_MAIL_PASSWORD: "secret words" });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("mail.host = mail.example.org  (environment)\nmail.password = (hidden)  (environment)\n");
    expect(run.stdout).toMatch(/\nthe settings are valid\n$/);
    expect(run.stdout).not.toContain("git.binary");
    await expect(readdir(data)).rejects.toMatchObject({ code: "ENOENT" });
    for (const environment of [
      { HEARTH_PORT: "many" },
      { HEARTH_TLS_CERT: "/nonexistent", HEARTH_TLS_KEY: "/nonexistent" },
      { HEARTH_GIT_BINARY: "/nonexistent" },
    ])
      refusal(await runProgram(["check-config"], environment));
  });

  test("print settings that are a valid configuration file of the defaults", async () => {
    const file = folder();
    await writeFile(file, (await runProgram(["config"])).stdout);
    const data = folder();
    const server = await serve({ HEARTH_CONFIG: file, HEARTH_DATA: data });
    expect((await fetch(`${server.url}/api/v1/version`)).status).toBe(200);
  });
});

test("the build compiles the modules of the server, and a copy of it in another folder starts with them", async () => {
  const copy = join(root, "copy");
  await runProgram(["help"]);
  await cp(dirname(bundlePath), join(copy, "dist"), { recursive: true });
  await cp(join(repositoryRoot, "package.json"), join(copy, "package.json"));
  await symlink(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
  const builtMs = (await stat(join(dirname(bundlePath), "build.json"))).mtimeMs;
  const cached = (await readdir(join(dirname(bundlePath), "cache"), { recursive: true })).map((path) => join(dirname(bundlePath), "cache", path));
  const files = (await Promise.all(cached.map((path) => stat(path)))).filter((entry) => entry.isFile());
  const variants = [serverFlags, []];
  const compiled = files.filter(({ mtimeMs }) => mtimeMs <= builtMs).length / variants.length;
  expect(compiled).toBeGreaterThan(30);

  for (const flags of variants) {
    const settings = { HEARTH_DATA: folder(), NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
    const program = await startProgram(settings, [], { program: join(copy, "dist/hearth.js"), flags });
    await program.stop();
    expect(program.output().match(/was accepted/g)?.length, `with ${flags.join(" ") || "no flags"}`).toBeGreaterThanOrEqual(compiled);
    expect(program.output()).not.toContain("was rejected");
  }
});
