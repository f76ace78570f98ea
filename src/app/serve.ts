import type { Config } from "../config/config.ts";
import { createForge } from "./forge.ts";

/** How long a stop waits for requests that are under way. */
const stopWithinMs = 15_000;

/**
 * Runs the forge until it is asked to stop (SIGINT, SIGTERM), then ends what it started. A second signal ends it at once:
 * nothing that was acknowledged depends on an orderly stop.
 * @returns the exit code
 */
export async function serve(config: Config): Promise<number> {
  const forge = await createForge(config);
  const address = await forge.listen().catch(async (error: unknown) => {
    await forge[Symbol.asyncDispose]();
    throw error;
  });
  process.stdout.write(`Hearth serves ${address}\n`);
  if (forge.provisioned !== undefined) {
    const { name, generatedPassword } = forge.provisioned;
    const secret = generatedPassword === undefined ? "with the configured password" : `with the password ${generatedPassword} (shown this once)`;
    process.stdout.write(`Sign in as ${name} ${secret}\n`);
  }
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  process.once("SIGINT", () => process.exit(1));
  process.once("SIGTERM", () => process.exit(1));
  const timer = setTimeout(() => process.exit(0), stopWithinMs);
  await forge[Symbol.asyncDispose]();
  clearTimeout(timer);
  return 0;
}
