import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryRoot } from "./repository.ts";
import { startServer } from "./server.ts";

const usage = `npm run conformance -- [--only repos,contents] [--top 15] [--jobs 1] [--json report.json] [--save-actual out.json]
              Replays recorded exchanges against a fresh server and compares the responses. The recordings are in ../shared/conformance, or in the folder
              named by HEARTH_CONFORMANCE. The arguments are those of golden.py replay.`;

/** Replays the recorded exchanges against a fresh server. @returns the exit code of the comparison */
async function playConformance(folder: string, args: readonly string[]): Promise<number> {
  const server = await startServer({
    settings: {
      HEARTH_LOG_LEVEL: "warn",
      HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
      HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback",
      // The settings of the recorded server.
      HEARTH_LFS_ENABLED: "false",
    },
  });
  try {
    const player = [join(folder, "golden.py"), "replay", server.url, server.token, join(folder, "golden.json"), ...args];
    return await new Promise<number>((done, fail) => {
      const child = spawn("python3", player, {
        cwd: repositoryRoot,
        stdio: ["ignore", "inherit", "inherit"],
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      });
      child.once("error", fail);
      child.once("exit", (code) => done(code ?? 1));
    });
  } finally {
    await server.stop();
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
