import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

/** A PostgreSQL server that survives its own crash but not the machine's, reachable through a socket in its folder. */
export interface PostgresCluster {
  urlOf(database: string): string;
  /** Kills all processes of the server, like a crash. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}. */
  start(): Promise<void>;
  /** Starts a streaming standby in its own folder, and waits for it with every further commit. */
  startStandby(folder: string): Promise<PostgresCluster>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
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
const defaultPort = 5432;

export const clusterUrl = (folder: string, database: string, port = defaultPort): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(folder)}&port=${port}`;

interface ClusterOptions {
  /** Further options of initdb, for a new folder. */
  readonly initOptions?: readonly string[];
  /** Further settings of the server. */
  readonly settings?: readonly string[];
  /** Listens on this port of 127.0.0.1 too. */
  readonly port?: number;
  /** Files of its data folder, for a new folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Starts a server in `folder`, reusing the data of an earlier one. It also stops when this process ends for any reason.
 * @param folder short: the path of a socket is limited to 107 bytes
 */
export const startPostgres = (binaries: string, folder: string, options: ClusterOptions = {}): Promise<PostgresCluster> =>
  startServer(binaries, folder, options, async (data, run) => {
    const { initOptions = [], files = {} } = options;
    const how = ["--username", user, "--auth", "trust", "--encoding", "UTF8", "--no-sync", "--no-instructions", ...initOptions];
    await promisify(execFile)(join(binaries, "initdb"), ["--pgdata", data, ...how], run);
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(data, name), content, { mode: 0o600 });
      if (run.uid !== undefined && run.gid !== undefined) chownSync(join(data, name), run.uid, run.gid);
    }
  });

interface RunOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

async function startServer(
  binaries: string,
  folder: string,
  { settings = [], port }: ClusterOptions,
  create: (data: string, run: RunOptions) => Promise<void>,
): Promise<PostgresCluster> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const identity = unprivileged();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, "data");
  const options: RunOptions = { ...identity, cwd: folder, env: { PATH: process.env.PATH ?? "", LC_ALL: "C" } };
  if (!existsSync(data)) await create(data, options);
  const network = port === undefined ? ["listen_addresses="] : ["listen_addresses=127.0.0.1", `port=${port}`];
  const fixed = ["fsync=off", "full_page_writes=off", ...network, `unix_socket_directories=${folder}`, "max_connections=200", "autovacuum=off"];
  const parameters = ["-D", data, ...[...fixed, ...settings].flatMap((setting) => ["-c", setting])];
  // The shell's input is a pipe from this process. When this process ends, the pipe closes and the shell stops the server.
  const script = '"$0" "$@" < /dev/null & server=$!; cat > /dev/null; kill -QUIT $server; wait $server';
  let supervisor: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    supervisor = spawn("sh", ["-c", script, join(binaries, "postgres"), ...parameters], { ...options, stdio: ["pipe", "ignore", "ignore"] });
    const deadline = Date.now() + 30_000;
    while (!(await answers(clusterUrl(folder, "postgres", port)))) {
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
  const query = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: clusterUrl(folder, "postgres", port) });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await start();
  return {
    urlOf: (database) => clusterUrl(folder, database, port),
    kill: end,
    start,
    async startStandby(standbyFolder) {
      const standby = await startServer(binaries, standbyFolder, { settings }, async (target, run) => {
        const from = `host=${folder} user=${user} dbname=postgres`;
        const how = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
        // The folder of `postgres` may contain links to some of the programs only.
        const programs = dirname(realpathSync(join(binaries, "postgres")));
        await promisify(execFile)(join(programs, "pg_basebackup"), ["--pgdata", target, "--dbname", from, ...how], run);
      });
      await query("alter system set synchronous_standby_names = '*'");
      await query("select pg_reload_conf()");
      return standby;
    },
    promote: () => query("select pg_promote()"),
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a server accepts a connection. */
export async function answers(url: string): Promise<boolean> {
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
export function unprivileged(): { uid: number; gid: number } | undefined {
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
