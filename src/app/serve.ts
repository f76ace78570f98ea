import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { createForge, type Forge } from "./forge.ts";
import { boundMemory } from "./process-memory.ts";
import type { Provisioned } from "./provision.ts";
import { sshLine } from "./ssh.ts";

/** How long the process may keep running after everything is closed. */
const exitWithinMs = 500;

/**
 * Runs the forge until SIGINT or SIGTERM, lets load balancers choose other servers, and then stops everything that it started. A second signal ends the process immediately: no
 * acknowledged change depends on an orderly stop.
 * @returns the exit code
 */
export async function serve(config: Config): Promise<number> {
  const forge = await createForge(config);
  const address = await forge.listen().catch(async (error: unknown) => {
    await forge[Symbol.asyncDispose]();
    throw error;
  });
  const requested = new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  // A server on a terminal without a certificate ends with its terminal.
  if (config.server.tls_cert !== "" || !process.stdout.isTTY) process.on("SIGHUP", () => reload(forge, config));
  process.stdout.write(`Hearth serves ${address}\n${sshLine(forge.sshState)}${signInLine(forge.provisioned)}`);
  for (const text of forge.warnings) forge.context.log.warn({}, text);
  boundMemory({ onRest: forge.context.db.releaseMemory });
  await requested;
  process.once("SIGINT", () => process.exit(1));
  process.once("SIGTERM", () => process.exit(1));
  forge.drain();
  if (config.server.drain_seconds > 0) await sleep(config.server.drain_seconds * 1_000);
  const timer = setTimeout(() => process.exit(0), config.server.stop_seconds * 1_000);
  await forge[Symbol.asyncDispose]();
  clearTimeout(timer);
  // A blocked write to standard error would keep the process alive.
  setTimeout(() => process.exit(0), exitWithinMs).unref();
  return 0;
}

function reload(forge: Forge, config: Config): void {
  const { log } = forge.context;
  if (config.server.tls_cert === "") {
    log.warn({}, "SIGHUP was ignored: there is no certificate to reload; other settings need a restart");
    return;
  }
  forge.renewCertificate().then(
    () => log.warn({}, "the certificate was reloaded"),
    (error: unknown) => log.error({ err: error }, "the certificate was not reloaded: the previous one stays in use"),
  );
}

function signInLine(provisioned: Provisioned | undefined): string {
  if (provisioned === undefined) return "";
  const { name, generatedPassword } = provisioned;
  return `Sign in as ${name} with the ${generatedPassword === undefined ? "configured password" : `password ${generatedPassword} (shown this once)`}\n`;
}
