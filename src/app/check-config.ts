import type { Config } from "../config/config.ts";
import { shownConfig } from "../config/shown-config.ts";
import { checkGitVersion } from "../git/run/git-version.ts";
import { openFileStores } from "../storage/open.ts";
import { readCertificate } from "./certificate.ts";

/**
 * `hearth check-config`: prints the settings that differ from the defaults, and checks what can be checked without opening the data folder.
 * @returns the exit code
 * @throws ConfigError or ForgeError with one line for the operator
 */
export async function checkConfig(config: Config, print: (text: string) => number): Promise<number> {
  await readCertificate(config);
  await checkGitVersion(config.searchPath, config.git.binary);
  openFileStores(config);
  for (const { section, name, value, origin } of shownConfig(config)) {
    if (origin !== "default") print(`${section}.${name} = ${value ?? "(hidden)"}  (${origin})\n`);
  }
  return print("the settings are valid\n");
}
