import { createHash, pbkdf2Sync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { runProgram, startProgram } from "../kit/program.ts";
import { type Answer, type Aspect, compareAnswers } from "./differences.ts";
import { findRow } from "./explained.ts";
import { copyGitea, freePort, startGitea } from "./gitea.ts";
import { type ComparedRequest, listRequests } from "./requests.ts";

const usage = `npm run compare-import -- --gitea-binary PATH --data DIR [--gitea-source DIR] [--only REGEXP] [--every N] [--top 40] [--json report.json]
  Imports a Gitea into an empty Hearth, sends all GET requests of the API to both, and compares the responses. --data names a folder with
  custom/conf/app.ini, data/gitea.db and data/repositories of a Gitea that is not running. --gitea-source has the
  options and templates of Gitea, by default in src next to the binary. --every sends each Nth request only. Fails for a difference that explained.ts does not assign to a row
  of contract/deviations.md or docs/move-from-gitea.md.`;

const token = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";

/** Adds an access token of the first administrator, with the hash of Gitea. @returns the name of the administrator */
function addToken(db: DatabaseSync): string {
  const admin = db.prepare(`select id, name from "user" where is_admin = 1 and type = 0 order by id limit 1`).get() as { id: number; name: string };
  const salt = "0123456789";
  const hash = pbkdf2Sync(token, salt, 10_000, 50, "sha256").toString("hex");
  db.prepare(
    "insert into access_token (id, uid, name, token_hash, token_salt, token_last_eight, scope, created_unix, updated_unix) select coalesce(max(id), 0) + 1, ?, 'compare', ?, ?, ?, 'all', 1, 1 from access_token",
  ).run(admin.id, hash, salt, token.slice(-8));
  return admin.name;
}

/** Requests that both servers answer at the same time. */
const atOnce = 4;

async function ask(url: string, { path, sudo, anonymous }: ComparedRequest): Promise<Answer> {
  const headers = { ...(anonymous !== true && { authorization: `token ${token}` }), ...(sudo !== undefined && { sudo }) };
  const first = await fetch(`${url}/api/v1${path}`, { headers, redirect: "manual" });
  // The content of an artifact is at a signed address, which has the public address of the server.
  const signed = path.endsWith("/zip") ? first.headers.get("location") : null;
  const response = signed === null ? first : await fetch(url + signed.replace(/^https?:\/\/[^/]+/, ""));
  const type = (response.headers.get("content-type") ?? "").replace(/;.*/, "");
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = type === "application/json" && bytes.length > 0;
  const isArchive = path.includes("/archive/");
  return {
    status: response.status,
    type: bytes.length === 0 ? "" : type,
    total: response.headers.get("x-total-count"),
    body: isJson
      ? parsed(bytes.toString("utf8"))
      : isArchive
        ? "archive"
        : bytes.length > 10_000
          ? createHash("sha256").update(bytes).digest("hex")
          : bytes.toString("utf8"),
  };
}

/** Gitea answers two values in some errors. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Found {
  readonly request: string;
  readonly operation: string;
  readonly aspect: Aspect;
  readonly place: string;
  readonly gitea: unknown;
  readonly hearth: unknown;
  /** The row that documents it. */
  readonly row: string | undefined;
}

const { values } = parseArgs({
  options: {
    "gitea-binary": { type: "string" },
    "gitea-source": { type: "string" },
    data: { type: "string" },
    json: { type: "string" },
    only: { type: "string" },
    every: { type: "string", default: "1" },
    top: { type: "string", default: "40" },
    help: { type: "boolean" },
  },
});
const binary = values["gitea-binary"];
if (binary === undefined || values.data === undefined || values.help === true) {
  console.log(usage);
  process.exitCode = values.help === true ? 0 : 1;
} else {
  process.exitCode = await compareImport(binary, values.data);
}

async function compareImport(program: string, data: string): Promise<number> {
  using gitea = await copyGitea(data, values["gitea-source"] ?? join(dirname(program), "src"));
  const writable = new DatabaseSync(gitea.database);
  addToken(writable);
  writable.close();
  const root = `http://127.0.0.1:${gitea.port}`;
  const settings = {
    HEARTH_DATA: join(gitea.folder, "hearth"),
    HEARTH_ROOT_URL: `${root}/`,
    HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
    HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback",
  };
  const imported = await runProgram(["import", "gitea", "--config", gitea.appIni], settings);
  console.log(imported.stdout + imported.stderr);
  if (imported.code !== 0) return 1;
  const db = new DatabaseSync(gitea.database, { readOnly: true });
  const requests = listRequests({ db, repositories: gitea.repositories }).filter(
    ({ operation, path }, at) => at % Number(values.every) === 0 && (values.only === undefined || new RegExp(values.only).test(`${operation} ${path}`)),
  );
  db.close();
  await using _gitea = await startGitea(program, gitea);
  // The program prints its public address, which is that of Gitea.
  const port = await freePort();
  await using _hearth = await startProgram({ ...settings, HEARTH_PORT: String(port) });
  const found: Found[] = [];
  const none = { status: 0, shape: 0, value: 0 };
  const counts = { requests: requests.length, found: 0, values: 0, same: { ...none }, documented: { ...none } };
  const compare = async (request: ComparedRequest): Promise<void> => {
    const [expected, actual] = await Promise.all([ask(root, request), ask(`http://127.0.0.1:${port}`, request)]);
    if (expected.status < 300) counts.found += 1;
    const { differences, values: compared } = compareAnswers(expected, actual);
    counts.values += compared;
    const shown = `GET ${request.path}${request.anonymous === true ? " anonymously" : request.sudo === undefined ? "" : ` as ${request.sudo}`}`;
    const own = differences.map((one) => ({ request: shown, operation: request.operation, ...one, row: findRow(request, one) }));
    const open = own.filter(({ row }) => row === undefined);
    for (const [kind, all] of [
      ["same", own],
      ["documented", open],
    ] as const) {
      if (all.every(({ aspect }) => aspect !== "status")) counts[kind].status += 1;
      if (all.every(({ aspect }) => aspect === "value")) counts[kind].shape += 1;
      counts[kind].value += all.filter(({ aspect }) => aspect === "value").length;
    }
    found.push(...own);
  };
  const waiting = requests.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const request of waiting) await compare(request);
    }),
  );
  const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
  console.log(`requests: ${counts.requests} (${counts.found} with data), of ${new Set(requests.map(({ operation }) => operation)).size} operations`);
  for (const [name, { status, shape, value }] of [
    ["same", counts.same],
    ["same or documented", counts.documented],
  ] as const)
    console.log(
      `${name}: status ${percent(status, counts.requests)}, shape ${percent(shape, counts.requests)}, values ${percent(counts.values - value, counts.values)} of ${counts.values}`,
    );
  const unexplained = found.filter(({ row }) => row === undefined);
  for (const [row, all] of Map.groupBy(
    found.filter((one) => one.row !== undefined),
    (one) => one.row,
  ))
    console.log(`  documented: ${all.length} ${row}`);
  console.log(`differences: ${found.length}, not documented: ${unexplained.length}`);
  const groups = [...Map.groupBy(unexplained, ({ operation, aspect, place }) => `${operation} ${aspect} ${place}`)].sort((a, b) => b[1].length - a[1].length);
  for (const [name, [first, ...others]] of groups.slice(0, Number(values.top)))
    console.log(
      `  ${others.length + 1} x ${name}\n      ${first?.request}\n      gitea:  ${JSON.stringify(first?.gitea)?.slice(0, 200)}\n      hearth: ${JSON.stringify(first?.hearth)?.slice(0, 200)}`,
    );
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ counts, found }, undefined, 1)}\n`);
  return unexplained.length > 0 ? 1 : 0;
}
