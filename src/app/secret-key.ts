import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";

const file = "secret.key";

/**
 * The key that seals secrets in the database: the configured one, else that of the data folder, which the first start makes there.
 * It stands apart from the database on purpose: a dump of the one does not give away what the other seals.
 * @throws ConfigError when the file cannot be read or made, or holds no key
 */
export function loadSecretKey({ server, dataDirectory }: Config): Buffer {
  if (server.secret_key !== "") return Buffer.from(server.secret_key, "hex");
  const path = join(dataDirectory, file);
  try {
    return readKey(path) ?? makeKey(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`the key file ${path} cannot be used (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

function readKey(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new ConfigError(`the key file ${path} must hold 64 lower-case hex digits: restore it from a backup`);
  return Buffer.from(text, "hex");
}

/** Whole or not at all, and never over another: of two programs that start at once one makes the key and both use it. */
function makeKey(path: string): Buffer {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  const key = readKey(path);
  if (key === undefined) throw new ConfigError(`the key file ${path} was taken away while it was made`);
  return key;
}
