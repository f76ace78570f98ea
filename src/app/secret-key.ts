import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { syncDirectoryNow } from "../git/objects/durable-fs.ts";

const file = "secret.key";

/**
 * The key that encrypts secrets in the database: the configured one, or the one in the data folder, which the first start creates. It is
 * stored outside the database so that a dump of the database does not reveal the secrets.
 * @throws ConfigError when the file cannot be read or created, or is not a valid key
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

/** The key as {@link loadSecretKey}, if there is one. @throws ConfigError for an invalid key file */
export function findSecretKey({ server, dataDirectory }: Config): Buffer | undefined {
  if (server.secret_key !== "") return Buffer.from(server.secret_key, "hex");
  return readKey(join(dataDirectory, file));
}

function readKey(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new ConfigError(`the key file ${path} must contain 64 lower-case hex digits: restore it from a backup`);
  return Buffer.from(text, "hex");
}

/** Atomic and without overwriting: of two programs that start concurrently, one creates the key and both use it. */
function makeKey(path: string): Buffer {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
    syncDirectoryNow(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  const key = readKey(path);
  if (key === undefined) throw new ConfigError(`the key file ${path} was deleted while it was being created`);
  return key;
}
