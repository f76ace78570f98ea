import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { repositoryRoot } from "../../tools/repository.ts";
import { findPostgres, startPostgres } from "../kit/postgres-cluster.ts";
import { startProgram } from "../kit/program.ts";
import { scratchFolder } from "../kit/scratch.ts";
import { type Description, withSiteValues } from "./description.ts";
import { administratorToken, fillSite } from "./site.ts";

const usage = `npm run schemathesis -- [--examples 10] [--seed 1] [--only TEXT] [--caller NAME] [--database sqlite,postgres] [--coverage] [--out FOLDER]

Sends each operation of the published API description requests that schemathesis derives from it, valid and invalid ones, as an anonymous caller, a
user and an administrator, to the program on SQLite and on PostgreSQL. A response fails if its status is 500 or higher or is not described, or if its
media type, headers or body differ from the description. The requests follow from the seed. "--only" selects paths that contain the text.
schemathesis is installed in node_modules/.schemathesis. Without Python 3.10 or a package registry, the command says so and succeeds.`;

const version = "4.32.5";
const checks = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance", "response_schema_conformance"];
const maxLine = 400;

/** The command of schemathesis; or the reason why there is none. */
function install(): { readonly command: string } | { readonly missing: string } {
  const folder = join(repositoryRoot, "node_modules/.schemathesis");
  const command = join(folder, "bin/schemathesis");
  if (existsSync(join(folder, version))) return { command };
  rmSync(folder, { recursive: true, force: true });
  const run = (file: string, args: readonly string[]): boolean => spawnSync(file, args, { stdio: "ignore", timeout: 300_000 }).status === 0;
  if (!run("python3", ["-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))"])) return { missing: "there is no Python 3.10 or newer with venv" };
  if (!run("python3", ["-m", "venv", folder])) return { missing: "Python cannot create a virtual environment" };
  if (!run(join(folder, "bin/pip"), ["install", "--quiet", `schemathesis==${version}`])) return { missing: "pip cannot install it" };
  writeFileSync(join(folder, version), "");
  return { command };
}

interface Run {
  readonly command: string;
  readonly description: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly options: readonly string[];
}

/** @returns the output, with long lines cut, and whether all responses were as described */
async function test({ command, description, url, authorization, options }: Run): Promise<{ readonly passed: boolean; readonly output: string }> {
  const header = authorization === undefined ? [] : ["--header", `Authorization: ${authorization}`];
  const args = ["--no-color", "run", description, "--url", `${url}/api/v1`, ...header, "--checks", checks.join(), "--continue-on-failure", ...options];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], cwd: dirname(description) });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const cut = (line: string): string => (line.length > maxLine ? `${line.slice(0, maxLine)}...` : line);
  return { passed: code === 0, output: output.split("\n").map(cut).join("\n") };
}

interface Options {
  readonly examples: string;
  readonly seed: string;
  readonly only?: string | undefined;
  readonly caller?: string | undefined;
  readonly database: string;
  readonly coverage: boolean;
  readonly out?: string | undefined;
}

async function testDatabase(command: string, name: string, databaseUrl: string | undefined, folder: string, wanted: Options): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  await using program = await startProgram({
    HEARTH_DATA: join(folder, "data"),
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_PASSWORD: "a long pass phrase",
    HEARTH_ADMIN_TOKEN: administratorToken,
    ...(databaseUrl !== undefined && { HEARTH_DATABASE_URL: databaseUrl }),
  });
  const callers = await fillSite(program.url);
  const published = (await (await fetch(`${program.url}/swagger.v1.json`)).json()) as Description;
  const description = join(folder, "description.json");
  writeFileSync(description, JSON.stringify(withSiteValues(published)));
  const only = wanted.only === undefined ? [] : ["--include-path-regex", wanted.only];
  const phases = wanted.coverage ? "coverage,fuzzing" : "fuzzing";
  const options = ["--phases", phases, "--max-examples", wanted.examples, "--seed", wanted.seed, "--no-shrink", "--warnings", "off", ...only];
  let passed = true;
  for (const [caller, authorization] of Object.entries(callers)) {
    if (wanted.caller !== undefined && wanted.caller !== caller) continue;
    const startedMs = performance.now();
    const result = await test({ command, description, url: program.url, authorization, options });
    if (wanted.out !== undefined) writeFileSync(join(wanted.out, `${name}-${caller}.txt`), result.output);
    const cases = /(\d+) generated/.exec(result.output)?.[1] ?? "0";
    const seconds = (performance.now() - startedMs) / 1_000;
    console.log(`${name}, ${caller}: ${cases} requests in ${seconds.toFixed(0)} s, ${result.passed ? "all as described" : "FAILED"}`);
    if (!result.passed) console.log(result.output);
    passed &&= result.passed;
  }
  const errors = program
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":50'));
  for (const line of errors.slice(0, 10)) console.log(`logged: ${line.slice(0, 2_000)}`);
  return passed && errors.length === 0;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      examples: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
      caller: { type: "string" },
      database: { type: "string", default: "sqlite,postgres" },
      coverage: { type: "boolean", default: false },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const installed = install();
  if ("missing" in installed) return console.log(`schemathesis: skipped, because ${installed.missing}`);
  const folder = mkdtempSync(join(scratchFolder(), "st-"));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  try {
    let passed = true;
    for (const name of values.database.split(",")) {
      const place = join(folder, name);
      const binaries = name === "postgres" ? findPostgres() : undefined;
      if (name === "postgres" && binaries === undefined) {
        console.log("postgres: skipped, because this machine has no postgres and initdb");
        continue;
      }
      const cluster = binaries === undefined ? undefined : await startPostgres(binaries, join(folder, "pg"));
      try {
        passed = (await testDatabase(installed.command, name, cluster?.urlOf("postgres"), place, values)) && passed;
      } finally {
        await cluster?.stop();
      }
    }
    process.exitCode = passed ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
