import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

/** A PostgreSQL server that survives its own crash but not the machine's, reachable through a socket in its folder. */
export interface PostgresCluster {
  urlOf(database: string): string;
  /** Kills all processes of the server, like a crash. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}. */
  start(): Promise<void>;
  /** Stops it and deletes its folder. */
  stop(): Promise<void>;
}

/** The folder of `postgres` and `initdb`, on the PATH or in Debian's location, or undefined. */
export function findPostgres(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...versions.map((version) => join(debian, version, "bin"))];
  return folders.find((folder) => folder !== "" && existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")));
}

const user = "hearth";

export const clusterUrl = (folder: string, database: string): string => `postgres://${user}@localhost/${database}?host=${encodeURIComponent(folder)}`;

/**
 * Starts a server in `folder`, reusing the data of an earlier one. It also stops when this process ends for any reason.
 * @param options.initOptions further options of initdb, for a new folder
 * @param folder short: the path of a socket is limited to 107 bytes
 */
export async function startPostgres(
  binaries: string,
  folder: string,
  { initOptions = [] }: { readonly initOptions?: readonly string[] } = {},
): Promise<PostgresCluster> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const identity = unprivileged();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, "data");
  const options = { ...identity, cwd: folder, env: { PATH: process.env.PATH ?? "", LC_ALL: "C" } };
  if (!existsSync(data)) {
    const how = ["--username", user, "--auth", "trust", "--encoding", "UTF8", "--no-sync", "--no-instructions", ...initOptions];
    await promisify(execFile)(join(binaries, "initdb"), ["--pgdata", data, ...how], options);
  }
  const settings = ["fsync=off", "full_page_writes=off", "listen_addresses=", `unix_socket_directories=${folder}`];
  const parameters = ["-D", data, ...[...settings, "max_connections=200", "autovacuum=off"].flatMap((setting) => ["-c", setting])];
  // The shell's input is a pipe from this process. When this process ends, the pipe closes and the shell stops the server.
  const script = '"$0" "$@" < /dev/null & server=$!; cat > /dev/null; kill -QUIT $server; wait $server';
  let supervisor: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    supervisor = spawn("sh", ["-c", script, join(binaries, "postgres"), ...parameters], { ...options, stdio: ["pipe", "ignore", "ignore"] });
    const deadline = Date.now() + 30_000;
    while (!(await answers(clusterUrl(folder, "postgres")))) {
      if (Date.now() > deadline) throw new Error(`the test server in ${folder} does not start`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const end = async (): Promise<void> => {
    if (supervisor === undefined) return;
    const ended = once(supervisor, "exit");
    supervisor.stdin?.end();
    await ended;
    supervisor = undefined;
  };
  await start();
  return {
    urlOf: (database) => clusterUrl(folder, database),
    kill: end,
    start,
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = accounts.find((fields) => fields[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
