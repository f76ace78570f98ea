import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ConformanceReport, checkDifferences, readExplained } from "./recorded-differences.ts";
import { repositoryRoot } from "./repository.ts";
import { startServer } from "./server.ts";

const usage = `npm run conformance -- [--only repos,contents] [--top 15] [--jobs 1] [--json report.json] [--save-actual out.json]
                                   [--recording exchanges.json] [--actions]
              Replays recorded exchanges against a fresh server and compares the responses. The recordings are in ../shared/conformance, or in the folder
              named by HEARTH_CONFORMANCE. The other arguments are those of golden.py replay. --recording names another
              recording, such as the output of golden.py record on a Gitea, merged by golden.py stabilise. --actions replays the
              recording of Actions on a server with Actions in new repositories. Fails for a difference
              without a row in contract/deviations.md (listed in contract/recorded-differences.json).`;

/** Those of the second recording that are served. */
const actionsAreas = ["secrets", "runners", "workflows", "actperm"];

/**
 * Replays the recorded exchanges against a fresh server, and checks that a row of `contract/deviations.md` explains each difference.
 * @returns the exit code of the comparison, and 1 for a difference without a row
 */
async function playConformance(folder: string, args: readonly string[]): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), "hearth-conformance-"));
  const { values, tokens } = parseArgs({
    args: [...args],
    options: { json: { type: "string" }, recording: { type: "string" }, actions: { type: "boolean" }, only: { type: "string" } },
    strict: false,
    tokens: true,
  });
  const ofActions = values.actions === true;
  const recording =
    typeof values.recording === "string" ? resolve(repositoryRoot, values.recording) : join(folder, ofActions ? "golden-actions-packages.json" : "golden.json");
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== "option") return [];
      if (token.name === "actions") return [token.index];
      return token.name === "recording" ? [token.index, token.inlineValue ? -1 : token.index + 1] : [];
    }),
  );
  const areas = ofActions && values.only === undefined ? ["--only", actionsAreas.join(",")] : [];
  const report = typeof values.json === "string" ? resolve(repositoryRoot, values.json) : join(temporary, "report.json");
  const server = await startServer({
    settings: {
      HEARTH_LOG_LEVEL: "warn",
      HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
      HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback",
      // The settings of the recorded server.
      HEARTH_LFS_ENABLED: "false",
      ...(ofActions && { HEARTH_ACTIONS_IN_NEW_REPOSITORIES: "true", HEARTH_ACTIONS_TOKEN_PERMISSIONS: "write" }),
    },
  });
  try {
    const player = [
      join(folder, "golden.py"),
      "replay",
      server.url,
      server.token,
      recording,
      ...args.filter((_arg, at) => !own.has(at)),
      ...areas,
      "--json",
      report,
    ];
    const code = await new Promise<number>((done, fail) => {
      const child = spawn("python3", player, {
        cwd: repositoryRoot,
        stdio: ["ignore", "inherit", "inherit"],
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      });
      child.once("error", fail);
      child.once("exit", (status) => done(status ?? 1));
    });
    if (!existsSync(report)) return code;
    const { exchanges } = JSON.parse(readFileSync(recording, "utf8")) as { readonly exchanges: object };
    const found = JSON.parse(readFileSync(report, "utf8")) as ConformanceReport;
    const { unexplained, gone, explained } = checkDifferences(found, readExplained(), new Set(Object.keys(exchanges)));
    console.log(`differences: ${explained} explained in contract/deviations.md, ${unexplained.length} without a row`);
    for (const line of unexplained) console.log(`  without a row: ${line}`);
    for (const line of gone) console.log(`  listed in contract/recorded-differences.json, but not found: ${line}`);
    return code === 0 && unexplained.length + gone.length > 0 ? 1 : code;
  } finally {
    await server.stop();
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const folder = resolve(repositoryRoot, process.env.HEARTH_CONFORMANCE ?? "../shared/conformance");
  if (args.includes("--help")) {
    console.log(usage);
  } else if (existsSync(join(folder, "golden.py"))) {
    process.exitCode = await playConformance(folder, args);
  } else {
    console.error(`conformance: no recordings in ${folder}\n\n${usage}`);
    process.exitCode = 1;
  }
}
