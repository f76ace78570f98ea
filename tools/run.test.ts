import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isInstalled } from "./install.mjs";
import { repositoryRoot } from "./repository.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Command {
  readonly process: ChildProcess;
  /** The output so far. */
  printed(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
}

/** Runs tools/run.mjs of a clone. */
function run(clone: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Command {
  const child = spawn(process.execPath, [join(clone, "tools/run.mjs"), ...args], {
    cwd: clone,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk));
  return { process: child, printed: () => printed, ended: once(child, "close").then(([code]) => ({ code: code as number | null, printed })) };
}

/** A folder with a lock file and npm's record of the installed packages. */
function install(wanted: object, installed: object | undefined): boolean {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": { name: "x" }, ...wanted } }));
  if (installed !== undefined) {
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: installed }));
  }
  return isInstalled(folder);
}

test("compares the installed packages with the lock file", () => {
  const wanted = { "node_modules/a": { version: "1.0.0", integrity: "sha512-a" }, "node_modules/b": { version: "2.0.0", optional: true } };
  const a = wanted["node_modules/a"];
  expect(install(wanted, wanted)).toBe(true);
  expect(install(wanted, { "node_modules/a": a })).toBe(true);
  expect(install(wanted, { "node_modules/b": wanted["node_modules/b"] })).toBe(false);
  expect(install(wanted, { "node_modules/a": { ...a, version: "1.0.1" } })).toBe(false);
  expect(install(wanted, { "node_modules/a": { ...a, integrity: "sha512-b" } })).toBe(false);
  expect(install(wanted, undefined)).toBe(false);
});

test("runs a benchmark by its name, and lists the others for an unknown one", async () => {
  const { code, printed } = await run(repositoryRoot, ["bench", "parsers", "--help"]).ended;
  expect([code, printed]).toEqual([0, expect.stringContaining("npm run bench -- parsers")]);
  const unknown = await run(repositoryRoot, ["bench", "nosuch"]).ended;
  expect([unknown.code, unknown.printed]).toEqual([1, expect.stringMatching(/^hearth: no benchmark is called nosuch; there are actions, backup, .*parsers, /)]);
});

test("rejects an unknown command and lists the known ones", async () => {
  for (const args of [[], ["toString"], ["build-all"]]) {
    const { code, printed } = await run(repositoryRoot, args).ended;
    expect(code).toBe(1);
    expect(printed).toMatch(/^hearth: usage: node tools\/run.mjs start\|.*\n$/);
  }
});

test("prints one line about missing packages in a fresh clone without a registry", { timeout: 60_000 }, async () => {
  const clone = temporaryFolder();
  for (const path of ["package.json", "package-lock.json", "tools"]) cpSync(join(repositoryRoot, path), join(clone, path), { recursive: true });
  const { code, printed } = await run(clone, ["test"], { HOME: clone, npm_config_registry: "http://127.0.0.1:1/" }).ended;
  expect(code).toBe(1);
  expect(printed.split("\n")).toEqual([
    expect.stringMatching(/^hearth: installing packages/),
    "hearth: packages are missing and the npm registry cannot be reached; connect this machine to the network once, then run the command again",
    "",
  ]);
});

/** A clone without packages, whose npm waits for the file `release` and installs nothing. */
function cloneWithNpm() {
  const clone = temporaryFolder();
  cpSync(join(repositoryRoot, "tools"), join(clone, "tools"), { recursive: true });
  writeFileSync(join(clone, "package-lock.json"), JSON.stringify({ packages: { "": { name: "x" } } }));
  mkdirSync(join(clone, "bin"));
  const npm =
    "#!/bin/sh\necho called >> calls\nuntil [ -e release ]; do sleep 0.05; done\nmkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json\n";
  writeFileSync(join(clone, "bin/npm"), npm, { mode: 0o755 });
  const env = { PATH: [join(clone, "bin"), process.env.PATH].join(delimiter) };
  return {
    clone,
    install: () => run(clone, ["install"], env),
    release: () => writeFileSync(join(clone, "release"), ""),
    calls: () => readFileSync(join(clone, "calls"), "utf8").trim().split("\n").length,
  };
}

test("commands that begin at once install the packages once", async () => {
  const { install, release, calls } = cloneWithNpm();
  const commands = [install(), install()];
  const printed = (): string => commands.map((command) => command.printed()).join("");
  await expect.poll(printed).toMatch(/installing packages/);
  await expect.poll(printed).toMatch(/waiting for process \d+, which installs packages/);
  release();
  expect((await Promise.all(commands.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
  expect(calls()).toBe(1);
});

test("a command installs the packages after one that was killed while it installed them", async () => {
  const { clone, install, release, calls } = cloneWithNpm();
  writeFileSync(join(clone, ".installing"), String(spawnSync("true").pid));
  release();
  expect((await install().ended).code).toBe(0);
  expect(calls()).toBe(1);
  expect(existsSync(join(clone, ".installing"))).toBe(false);
});

test("start forwards signals, waits until the server has ended, and exits with its status", { timeout: 60_000 }, async () => {
  const data = join(temporaryFolder(), "data");
  const command = run(repositoryRoot, ["start"], { HEARTH_DATA: data, HEARTH_PORT: "0", HEARTH_LOG_LEVEL: "warn" });
  const url = await new Promise<string>((resolve) => {
    let printed = "";
    command.process.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk;
      const found = /(http:\/\/\S+)\n/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  expect((await fetch(`${url}/api/v1/version`)).status).toBe(200);

  const children = readFileSync(`/proc/${command.process.pid}/task/${command.process.pid}/children`, "utf8").trim().split(" ");
  expect(children).toHaveLength(1);
  command.process.kill("SIGTERM");
  expect((await command.ended).code).toBe(0);
  expect(() => process.kill(Number(children[0]), 0)).toThrow("ESRCH");
});

test("start passes on arguments and the exit code", async () => {
  const { code, printed } = await run(repositoryRoot, ["start", "no-such-command"]).ended;
  expect(code).toBe(1);
  expect(printed).toMatch(/no-such-command/);
});
