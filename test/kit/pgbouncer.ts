import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { answers, clusterUrl, unprivileged } from "./postgres-cluster.ts";

/** The path of PgBouncer, on the PATH or in Debian's location, or undefined. */
export function findPgbouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => path.startsWith("/") && existsSync(path));
}

export interface Pgbouncer extends AsyncDisposable {
  urlOf(database: string): string;
}

/**
 * Starts PgBouncer in a new folder, in front of a server that listens on a socket.
 * @param folder short: the path of a socket is limited to 107 bytes
 */
export async function startPgbouncer(program: string, folder: string, server: string, mode: "session" | "transaction"): Promise<Pgbouncer> {
  mkdirSync(folder, { mode: 0o755 });
  const identity = unprivileged();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const settings = [
    ...["[databases]", `* = host=${server} user=hearth`, "[pgbouncer]", `pool_mode = ${mode}`, "auth_type = any", "listen_addr =", "listen_port = 5432"],
    ...[`unix_socket_dir = ${folder}`, "default_pool_size = 20"],
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`, { mode: 0o644 });
  // The umask of the tests may keep it from other users.
  if (identity !== undefined) chownSync(file, identity.uid, identity.gid);
  const child = spawn(program, ["--quiet", file], { ...identity, cwd: folder, stdio: "ignore" });
  const ended = once(child, "exit");
  for (const deadline = Date.now() + 30_000; !(await answers(clusterUrl(folder, "postgres"))); ) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("PgBouncer does not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    urlOf: (database) => clusterUrl(folder, database),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
