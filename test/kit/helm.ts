import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { goModule } from "./go-program.ts";

/** https://helm.sh, which renders charts. */
const program = goModule("helm", "helm.sh/helm/v3/cmd/helm", "v3.18.6");

/** Why the tests that need it are skipped; undefined if they are not. */
export const helmMissing = program.missing;

/** @returns its output @throws Error with its output, if it fails */
export async function helm(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(await program.ensure(), [...args])).stdout;
}
