import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseAppIni } from "../../src/app/gitea-import/app-ini.ts";

/** A copy of a data folder of Gitea, which the comparison may change. */
export interface GiteaCopy extends Disposable {
  readonly folder: string;
  readonly appIni: string;
  readonly database: string;
  readonly repositories: string;
  readonly port: number;
}

/** Copies a folder with `custom/conf/app.ini`, `data/gitea.db` and `data/repositories`. */
export async function copyGitea(from: string, source: string): Promise<GiteaCopy> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-compare-"));
  cpSync(join(from, "data"), join(folder, "data"), { recursive: true });
  const port = await freePort();
  const former = parseAppIni(readFileSync(join(from, "custom/conf/app.ini"), "utf8"));
  const appIni = join(folder, "custom/conf/app.ini");
  mkdirSync(dirname(appIni), { recursive: true });
  writeFileSync(appIni, settingsOf({ folder, source, port, secretKey: former.get("security", "SECRET_KEY") }));
  return {
    folder,
    appIni,
    database: join(folder, "data/gitea.db"),
    repositories: join(folder, "data/repositories"),
    port,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const settingsOf = ({ folder, source, port, secretKey }: { folder: string; source: string; port: number; secretKey: string }): string => `APP_NAME = Gitea
RUN_MODE = prod
WORK_PATH = ${folder}
RUN_USER = ${process.env.USER ?? "root"}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
DOMAIN = 127.0.0.1
DISABLE_SSH = true
SSH_USER = git
STATIC_ROOT_PATH = ${source}
LFS_START_SERVER = true
LFS_JWT_SECRET = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${folder}/data/gitea.db
[repository]
ROOT = data/repositories
[security]
INSTALL_LOCK = true
SECRET_KEY = ${secretKey}
INTERNAL_TOKEN = eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJuYmYiOjE3NjQxNDQwMDB9.0000000000000000000000000000000000000000000
[oauth2]
JWT_SECRET = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
[webhook]
ALLOWED_HOST_LIST = loopback
[log]
LEVEL = warn
[indexer]
ISSUE_INDEXER_TYPE = db
[session]
PROVIDER = memory
[cron]
ENABLED = false
`;

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Starts Gitea and waits for its first answer. @throws Error with its output, if it exits before that */
export async function startGitea(binary: string, { folder, appIni, port }: GiteaCopy): Promise<AsyncDisposable> {
  const child = spawn(binary, ["--config", appIni, "web"], {
    env: { PATH: process.env.PATH, HOME: folder, GITEA_WORK_DIR: folder, USER: process.env.USER ?? "root" },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const ended = once(child, "exit");
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (;;) {
    if (isOver) throw new Error(`gitea ended before it listened:\n${printed}`);
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/version`).catch(() => undefined);
    if (response?.ok === true) break;
    await setTimeout(200);
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
