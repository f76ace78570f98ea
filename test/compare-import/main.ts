import { createHash, pbkdf2Sync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { runProgram, startProgram } from "../kit/program.ts";
import { type Answer, type Aspect, compareAnswers } from "./differences.ts";
import { findRow } from "./explained.ts";
import { type Compared, countAll, countWithoutDocumented, showFigures } from "./figures.ts";
import { copyGitea, freePort, startGitea } from "./gitea.ts";
import { type ComparedRequest, listRequests } from "./requests.ts";

const usage = `npm run compare-import -- --gitea-binary PATH --data DIR [--gitea-source DIR] [--only REGEXP] [--every N] [--clients 8] [--top 40] [--json report.json]
  Imports a Gitea into an empty Hearth, sends all GET requests of the API to both, and compares the responses. --data names a folder with
  custom/conf/app.ini, data/gitea.db and data/repositories of a Gitea that is not running. --gitea-source has the
  options and templates of Gitea, by default in src next to the binary. --every sends each Nth request only; --clients sends that many at the same time. Fails for a difference that explained.ts does not assign to a row
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

/** A run takes an hour on a busy machine. It shows its figures after each part. */
const parts = 10;

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
    clients: { type: "string", default: "8" },
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
  const all: (Compared & { readonly request: ComparedRequest })[] = [];
  const found: Found[] = [];
  let withData = 0;
  const compare = async (request: ComparedRequest): Promise<void> => {
    const shown = `GET ${request.path}${request.anonymous === true ? " anonymously" : request.sudo === undefined ? "" : ` as ${request.sudo}`}`;
    const [expected, actual] = await Promise.all([ask(root, request), ask(`http://127.0.0.1:${port}`, request)]);
    if (expected.status < 300) withData += 1;
    const { differences, values: compared } = compareAnswers(expected, actual);
    const own = differences.map((one) => ({ request: shown, operation: request.operation, ...one, row: findRow(request, one) }));
    all.push({ request, differences: own, values: compared });
    found.push(...own);
  };
  const write = (): void => {
    const report = { all: countAll(all), withoutDocumented: countWithoutDocumented(all), found };
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 1)}\n`);
  };
  for (let part = 0; part < parts; part++) {
    // Each part has requests of all operations, so that its figures are an estimate of those of the whole.
    const waiting = requests.filter((_, at) => at % parts === part).values();
    await Promise.all(
      Array.from({ length: Number(values.clients) }, async () => {
        for (const request of waiting) await compare(request);
      }),
    );
    console.error(`${new Date().toISOString()} ${all.length} of ${requests.length} requests: ${showFigures(countAll(all))}`);
    write();
  }
  console.log(`requests: ${requests.length} (${withData} with data), of ${new Set(requests.map(({ operation }) => operation)).size} operations`);
  for (const [caller, some] of [
    ["all callers", all],
    ["the administrator", all.filter(({ request }) => request.sudo === undefined && request.anonymous !== true)],
    ["other users", all.filter(({ request }) => request.sudo !== undefined)],
    ["anonymous", all.filter(({ request }) => request.anonymous === true)],
  ] as const)
    console.log(`${caller}: ${showFigures(countAll(some))}\n  without documented differences: ${showFigures(countWithoutDocumented(some))}`);
  const unexplained = found.filter(({ row }) => row === undefined);
  for (const [row, ofRow] of Map.groupBy(
    found.filter((one) => one.row !== undefined),
    (one) => one.row,
  )) {
    const [status, shape, value] = (["status", "shape", "value"] as const).map((aspect) => ofRow.filter((one) => one.aspect === aspect).length);
    console.log(`  documented: ${status} status, ${shape} shape, ${value} values: ${row}`);
  }
  console.log(`differences: ${found.length}, not documented: ${unexplained.length}`);
  const groups = [...Map.groupBy(unexplained, ({ operation, aspect, place }) => `${operation} ${aspect} ${place}`)].sort((a, b) => b[1].length - a[1].length);
  for (const [name, [first, ...others]] of groups.slice(0, Number(values.top)))
    console.log(
      `  ${others.length + 1} x ${name}\n      ${first?.request}\n      gitea:  ${JSON.stringify(first?.gitea)?.slice(0, 200)}\n      hearth: ${JSON.stringify(first?.hearth)?.slice(0, 200)}`,
    );
  return unexplained.length > 0 ? 1 : 0;
}
