import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import mysql, { type Connection } from "mysql2/promise";

/** A MySQL server that is reachable through a socket only. */
export interface MysqlServer extends AsyncDisposable {
  urlOf(database: string): string;
  /** As the administrator, without a database. */
  connect(): Promise<Connection>;
}

/** The path of MariaDB's server, or undefined. */
export const findMariadb = (): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"].map((folder) => join(folder, "mariadbd")).find((path) => existsSync(path));

const password = "pa:ss/w@rd%";

/** @param folder short: the path of a socket is limited to 107 bytes */
export async function startMysql(binary: string, folder: string): Promise<MysqlServer> {
  mkdirSync(folder, { recursive: true });
  const [data, socket] = [join(folder, "data"), join(folder, "s")];
  const identity = process.getuid?.() === 0 ? ["--user=root"] : [];
  const common = ["--no-defaults", ...identity, `--datadir=${data}`];
  execFileSync("mariadb-install-db", [...common, "--auth-root-authentication-method=normal", "--skip-test-db"], { stdio: "ignore" });
  const settings = [`--socket=${socket}`, "--skip-networking", "--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=0"];
  const child = spawn(binary, [...common, ...settings], { stdio: "ignore" });
  const exited = once(child, "exit");
  const connect = (): Promise<Connection> => mysql.createConnection({ socketPath: socket, user: "root", charset: "utf8mb4" });
  for (;;) {
    if (child.exitCode !== null) throw new Error("mariadbd ended before it listened");
    const connection = await connect().catch(() => undefined);
    if (connection !== undefined) {
      await connection.query("create user reader@localhost identified by ?", [password]);
      await connection.query("grant select on *.* to reader@localhost");
      await connection.end();
      break;
    }
    await setTimeout(50);
  }
  return {
    urlOf: (database) => `mysql://reader:${encodeURIComponent(password)}@localhost/${database}?socket=${encodeURIComponent(socket)}`,
    connect,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
