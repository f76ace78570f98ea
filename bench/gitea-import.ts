import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { bundlePath } from "../tools/build.mjs";
import { repositoryRoot } from "../tools/repository.ts";

const usage = `npm run bench -- gitea-import [--repositories 10000] [--issues 10]

Imports the rows of a Gitea with many repositories, each with issues of two comments, and then imports them again. The repositories have no folders, so
that only rows are measured. Prints the time and the largest resident memory of each import.`;

const { values } = parseArgs({
  options: { repositories: { type: "string", default: "10000" }, issues: { type: "string", default: "10" }, help: { type: "boolean" } },
});

/** Fills the schema of the tests with rows. @returns the path of `app.ini` */
function makeGitea(folder: string, repositories: number, issues: number): string {
  mkdirSync(join(folder, "data/gitea-repositories"), { recursive: true });
  const db = new DatabaseSync(join(folder, "data/gitea.db"));
  const recorded = readFileSync(join(repositoryRoot, "test/kit/gitea-data/database.sql"), "utf8");
  const schema = recorded.split(/;\n/).filter((statement) => /^create table|^insert into "version"/.test(statement));
  const range = (last: number): string => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${last})`;
  const users = Math.ceil(repositories / 10);
  db.exec(`begin; ${schema.join(";")};
    insert into "user" (id, lower_name, name, email, type, is_active, passwd, created_unix) ${range(users)}
      select i, 'user' || i, 'user' || i, 'user' || i || '@example.com', 0, 1, '', 5 from n;
    insert into email_address (id, uid, email, is_activated, is_primary) ${range(users)} select i, i, 'user' || i || '@example.com', 1, 1 from n;
    insert into repository (id, owner_id, owner_name, lower_name, name, default_branch, created_unix) ${range(repositories)}
      select i, 1 + i % ${users}, 'user' || (1 + i % ${users}), 'repository' || i, 'repository' || i, 'main', 5 from n;
    insert into repo_unit (id, repo_id, type, config) ${range(repositories * 5)} select i, 1 + (i - 1) / 5, 1 + (i - 1) % 5, '{}' from n;
    insert into watch (id, user_id, repo_id, mode, created_unix) ${range(repositories)} select i, 1 + i % ${users}, i, 1, 5 from n;
    insert into label (id, repo_id, name, color) ${range(repositories * 2)} select i, 1 + (i - 1) / 2, 'label ' || i, '#ff0000' from n;
    insert into issue (id, repo_id, "index", poster_id, name, content, is_pull, is_closed, created_unix, updated_unix) ${range(repositories * issues)}
      select i, 1 + (i - 1) / ${issues}, 1 + (i - 1) % ${issues}, 1 + i % ${users}, 'Issue ' || i, 'The text of an issue with some words. ' || i, 0, i % 2, 5, 5 from n;
    insert into comment (id, type, issue_id, poster_id, content, created_unix, updated_unix) ${range(repositories * issues * 2)}
      select i, 0, 1 + (i - 1) / 2, 1 + i % ${users}, 'The text of a comment with some more words. ' || i, 5, 5 from n;
    commit`);
  for (const [table, column] of [
    ["issue", "repo_id"],
    ["comment", "issue_id"],
    ["repo_unit", "repo_id"],
    ["watch", "repo_id"],
    ["label", "repo_id"],
  ])
    db.exec(`create index "${table}_${column}" on "${table}" ("${column}")`);
  for (const table of ["issue", "comment", "repository", "user"]) db.exec(`create unique index "${table}_id" on "${table}" (id)`);
  for (const [table, column] of indexed) db.exec(`create index "${table}_by_${column}" on "${table}" ("${column}")`);
  db.close();
  const path = join(folder, "app.ini");
  writeFileSync(path, `WORK_PATH = ${folder}\n[database]\nDB_TYPE = sqlite3\n[security]\nSECRET_KEY = abc\n`);
  return path;
}

/** Further indexes of Gitea. */
const indexed = [
  ["pull_request", "issue_id"],
  ["review", "issue_id"],
  ["reaction", "issue_id"],
  ["issue_label", "issue_id"],
  ["attachment", "repo_id"],
] as const;

async function run(words: readonly string[], settings: Readonly<Record<string, string>>): Promise<{ readonly seconds: number; readonly mebibytes: number }> {
  const begin = performance.now();
  const child = spawn(process.execPath, [bundlePath, ...words], { env: { PATH: process.env.PATH, ...settings }, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit") as Promise<[number | null]>;
  let isOver = false;
  let kibibytes = 0;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    try {
      kibibytes = Math.max(kibibytes, Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0));
    } catch {
      // The process has ended.
    }
    await setTimeout(100);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}`);
  return { seconds: (performance.now() - begin) / 1_000, mebibytes: kibibytes / 1_024 };
}

if (values.help === true) {
  console.log(usage);
} else {
  const folder = mkdtempSync(join(tmpdir(), "hearth-import-"));
  try {
    const appIni = makeGitea(folder, Number(values.repositories), Number(values.issues));
    const settings = { HEARTH_DATA: join(folder, "hearth") };
    console.log(`${values.repositories} repositories with ${values.issues} issues of 2 comments each`);
    for (const title of ["first import", "second import"]) {
      const { seconds, mebibytes } = await run(["import", "gitea", "--config", appIni], settings);
      console.log(`${title}: ${seconds.toFixed(1)} s, at most ${mebibytes.toFixed(0)} MiB`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
