import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { type Config, ConfigError } from "../config/config.ts";
import type { Certificate } from "../http/listener.ts";

/**
 * Reads the TLS certificate of the server; undefined if none is configured.
 * @throws ConfigError for an unreadable file, and for a certificate and a key that do not match
 */
export async function readCertificate({ server }: Pick<Config, "server">): Promise<Certificate | undefined> {
  if (server.tls_cert === "") return undefined;
  const [cert, key] = await Promise.all([readPem("tls_cert", server.tls_cert), readPem("tls_key", server.tls_key)]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(`server.tls_cert and server.tls_key cannot be used: ${(error as Error).message.split("\n", 1)[0]}`, { cause: error });
  }
  return { cert, key };
}

async function readPem(setting: "tls_cert" | "tls_key", path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ConfigError(`server.${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
