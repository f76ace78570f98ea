import { randomBytes } from "node:crypto";
import { formatPostgresUrl, parsePostgresUrl } from "../config/postgres-url.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createPostgresServers } from "./postgres-servers.ts";

/** An empty PostgreSQL database that is deleted when it is disposed of. */
export interface ScratchDatabase extends AsyncDisposable {
  readonly url: string;
}

/** Creates a database on the server of another one. @throws ForgeError `unavailable`, for example without the right to create databases */
export async function openScratchDatabase(url: string, log: Log): Promise<ScratchDatabase> {
  const address = parsePostgresUrl(url);
  const servers = createPostgresServers(address, log);
  const name = `hearth_scratch_${randomBytes(6).toString("hex")}`;
  async function run(statement: string): Promise<void> {
    try {
      const client = await servers.connect({});
      try {
        await client.query(statement);
      } finally {
        await client.end();
      }
    } catch (error) {
      throw unavailable(`a scratch database cannot be created or deleted: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  await run(`create database ${name}`);
  const password = address.password === undefined ? "" : `&password=${encodeURIComponent(address.password)}`;
  return {
    url: formatPostgresUrl({ ...address, database: name }) + password,
    [Symbol.asyncDispose]: () => run(`drop database if exists ${name} with (force)`),
  };
}
