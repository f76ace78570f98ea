import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renewedCertificate, testCertificate, testKey } from "../../test/kit/certificate.ts";
import { onPostgres } from "../../test/kit/databases.ts";
import { freePort } from "../../test/kit/free-port.ts";
import { silentLog } from "../../test/kit/logs.ts";
import { findPgbouncer, startPgbouncer } from "../../test/kit/pgbouncer.ts";
import { findPostgres, type PostgresCluster, startPostgres } from "../../test/kit/postgres-cluster.ts";
import { namesIn, write } from "../../test/kit/server-values.ts";
import { parsePostgresUrl } from "../config/postgres-url.ts";
import { isForgeError } from "../core/errors.ts";
import type { Db } from "./db.ts";
import { convertPostgresError } from "./errors.ts";
import { openDatabase } from "./open.ts";
import { createPostgresServers } from "./postgres-servers.ts";

const isUnavailable = (error: unknown): boolean => isForgeError(error, "unavailable");
const open = (url: string, limits = {}): Promise<Db> => openDatabase({ url, log: silentLog, limits });

onPostgres(() => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const start = (name: string, options = {}): Promise<PostgresCluster> => startPostgres(findPostgres() ?? "", at(name), options);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hearth-ha-"));
    chmodSync(folder, 0o711);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("reads and writes continue without a restart after a failover to a synchronous standby, with every acknowledged write", async () => {
    const primary = await start("p1");
    const url = `postgres://hearth@/postgres?host=${at("p1")},${at("s1")}&target_session_attrs=read-write`;
    await (await open(url)).close();
    const standby = await primary.startStandby(at("s1"));
    const db = await open(url, { connectTimeoutMs: 2_000 });
    const presence = await db.join();
    const acknowledged: string[] = [];
    const outcomes = new Set<string>();
    let hasEnded = false;
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let count = 0; !hasEnded; count += 1) {
          const name = `${writer}-${count}`;
          await db
            .tx((tx) => write(tx, name))
            .then(
              () => acknowledged.push(name),
              (error: unknown) => outcomes.add(isUnavailable(error) ? "unavailable" : String(error)),
            );
        }
      }),
    );
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(20);
    await primary.kill();
    await expect.poll(() => outcomes.size, { timeout: 30_000 }).toBe(1);
    // Until its promotion, the standby is not used.
    await expect(db.tx((tx) => write(tx, "refused"))).rejects.toSatisfy(isUnavailable);
    await standby.promote();
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    hasEnded = true;
    await writing;
    expect([...outcomes]).toEqual(["unavailable"]);
    const names = await namesIn(db);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    expect(names).not.toContain("refused");
    await presence.hold();
    expect(presence.isHeld()).toBe(true);
    await presence.close();
    await db.close();
    await standby.stop();
    await primary.stop();
  }, 120_000);

  test("a standby is refused at the start, in one line", async () => {
    const primary = await start("p2");
    const standby = await primary.startStandby(at("s2"));
    await expect(open(standby.urlOf("postgres"))).rejects.toThrow(
      /^PostgreSQL cannot be opened: .* is a standby, which accepts no writes: promote it, or name the primary$/,
    );
    await standby.stop();
    await primary.stop();
  }, 60_000);

  test("the certificate of the server is checked as sslmode requires", async () => {
    const port = await freePort();
    const files = { "server.crt": testCertificate, "server.key": testKey };
    const server = await start("tls", { settings: ["ssl=on"], port, files });
    writeFileSync(at("ca.pem"), testCertificate);
    writeFileSync(at("other.pem"), renewedCertificate);
    const url = `postgres://hearth@127.0.0.1:${port}/postgres?sslmode=`;
    for (const how of ["require", `verify-ca&sslrootcert=${at("ca.pem")}`, `verify-full&sslrootcert=${at("ca.pem")}`]) {
      const db = await open(url + how);
      await db.close();
    }
    for (const how of ["verify-full", `verify-ca&sslrootcert=${at("other.pem")}`, `verify-full&sslrootcert=${at("missing.pem")}`])
      await expect(open(url + how), how).rejects.toThrow(/^PostgreSQL cannot be opened: /);
    await server.stop();
  }, 60_000);

  const program = findPgbouncer();
  describe.skipIf(program === undefined)(program === undefined ? "PgBouncer (skipped: it is not installed)" : "PgBouncer", () => {
    let server: PostgresCluster;
    beforeAll(async () => {
      server = await start("p3");
    }, 60_000);
    afterAll(() => server?.stop());

    test("in transaction mode is refused at the start, with the setting to change", async () => {
      await using pooler = await startPgbouncer(program ?? "", at("b1"), at("p3"), "transaction");
      await expect(open(pooler.urlOf("postgres"))).rejects.toThrow(/^PostgreSQL cannot be opened: a connection pooler .* set pool_mode = session/);
      // The probe has left no settings in the shared sessions.
      const db = await open(server.urlOf("postgres"));
      await db.close();
    });

    test("in session mode serves reads, writes and the presence of the process", async () => {
      await using pooler = await startPgbouncer(program ?? "", at("b2"), at("p3"), "session");
      const db = await open(pooler.urlOf("postgres"));
      const presence = await db.join();
      await Promise.all(["a", "b", "c"].map((name) => db.tx((tx) => write(tx, name))));
      expect(await namesIn(db)).toEqual(["a", "b", "c"]);
      expect(await presence.listRunning()).toEqual(new Set([presence.id()]));
      await presence.close();
      await db.close();
    });
  });
});

test("a server that accepts connections but does not respond is unavailable", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  try {
    const address = parsePostgresUrl(`postgres://hearth@127.0.0.1:${(silent.address() as AddressInfo).port}/postgres?sslmode=disable`);
    const connecting = createPostgresServers(address, silentLog).connect({ connectionTimeoutMillis: 100 });
    const error: unknown = await connecting.catch(convertPostgresError);
    expect(error).toSatisfy(isUnavailable);
  } finally {
    silent.close();
  }
});
