import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkImports } from "./check-imports.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** Writes a tree of sources and checks it. @returns `file:line message` of each violation */
function check(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "imports-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkImports(root).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

/** One import between two existing files. */
const importing = (from: string, to: string, clause = "import { a }"): string[] => {
  const depth = from.split("/").length - 1;
  return check({ [from]: `\n${clause} from "${"../".repeat(depth)}${to}";\n`, [to]: "export const a = 1;\n" });
};

test.each([
  ["src/db/open.ts", "src/core/errors.ts"],
  ["src/db/open.ts", "src/config/config.ts"],
  ["src/jobs/queue.ts", "src/db/db.ts"],
  ["src/http/route.ts", "src/events/events.ts"],
  ["src/git/run/runner.ts", "src/git/types.ts"],
  ["src/features/repositories/repos/api.ts", "src/features/repositories/repos/service.ts"],
  ["src/features/repositories/repos/api.ts", "src/features/repositories/repos/service/create.ts"],
  ["src/features/repositories/repos/api-topics.ts", "src/features/repositories/repos/present.ts"],
  ["src/features/repositories/repos/api/topics.ts", "src/http/route.ts"],
  ["src/features/repositories/repos/service/create.ts", "src/features/repositories/repos/store.ts"],
  ["src/features/repositories/repos/service/create.ts", "src/features/repositories/repos/service/names.ts"],
  ["src/features/repositories/repos/service.ts", "src/features/accounts/users/service.ts"],
  ["src/features/repositories/repos/present.ts", "src/features/accounts/users/present.ts"],
  ["src/features/repositories/repos/present.ts", "src/wire/repository.ts"],
  ["src/features/repositories/repos/store.ts", "src/db/db.ts"],
  ["src/features/repositories/repos/listener.ts", "src/events/events.ts"],
  ["src/features/repositories/repos/web.tsx", "src/ui/layout.tsx"],
  ["src/features/repositories/repos/views/home.tsx", "src/ui/layout.tsx"],
  ["src/app/compose.ts", "src/features/repositories/repos/api.ts"],
  ["src/main.ts", "src/app/compose.ts"],
])("%s may import %s", (from, to) => {
  expect(importing(from, to)).toEqual([]);
});

test.each([
  ["src/core/errors.ts", "src/db/db.ts", /core imports db, which is not a lower layer/],
  ["src/db/open.ts", "src/git/types.ts", /db imports git, which is not a lower layer/],
  ["src/http/route.ts", "src/features/repositories/repos/service.ts", /http imports features, which/],
  ["src/features/repositories/repos/service.ts", "src/app/compose.ts", /features imports app/],
  ["src/app/compose.ts", "src/features/repositories/repos/store.ts", /app imports the store of repositories\/repos: call its service/],
  ["src/features/repositories/repos/api.ts", "src/features/repositories/repos/store.ts", /api of repositories\/repos imports its store/],
  ["src/features/repositories/repos/api.ts", "src/db/open.ts", /api of repositories\/repos imports db/],
  ["src/features/repositories/repos/service.ts", "src/features/repositories/repos/present.ts", /service of repositories\/repos imports its present/],
  ["src/features/repositories/repos/service.ts", "src/http/route.ts", /service of repositories\/repos imports http/],
  ["src/features/repositories/repos/service/create.ts", "src/wire/repository.ts", /service of repositories\/repos imports wire/],
  ["src/features/repositories/repos/store.ts", "src/features/repositories/repos/service.ts", /store of repositories\/repos imports its service/],
  ["src/features/repositories/repos/store.ts", "src/events/events.ts", /store of repositories\/repos imports events/],
  ["src/features/repositories/repos/present.ts", "src/db/db.ts", /present of repositories\/repos imports db/],
  ["src/features/repositories/repos/present.ts", "src/features/repositories/repos/store.ts", /present of repositories\/repos imports its store/],
  ["src/features/repositories/repos/listener.ts", "src/http/route.ts", /listener of repositories\/repos imports http/],
  ["src/features/repositories/repos/names.ts", "src/features/repositories/repos/service.ts", /helper of repositories\/repos imports its service/],
  ["src/features/repositories/repos/service.ts", "src/features/accounts/users/store.ts", /imports the store of accounts\/users, which is private to it/],
  ["src/features/repositories/repos/service.ts", "src/features/accounts/users/store/find.ts", /imports the store of accounts\/users, which is private to it/],
  ["src/features/repositories/repos/api.ts", "src/features/accounts/users/api.ts", /imports the api of accounts\/users, which is private to it/],
  ["src/features/accounts/users/service.ts", "src/features/repositories/repos/service.ts", /imports repositories\/repos, a later feature/],
  ["src/features/repositories/repos/service.ts", "test/kit/forge.ts", /the program imports test\/kit\/forge.ts/],
  ["src/db/migrations/0001-start.ts", "src/core/errors.ts", /a migration imports no live code/],
  ["src/db/migrations/0001-start.ts", "src/db/db.ts", /a migration imports no live code/],
])("%s must not import %s", (from, to, message) => {
  const violations = importing(from, to);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatch(message);
  expect(violations[0]).toMatch(`${from}:2 `);
});

test("type imports follow the order of layers and features, with fewer restrictions between roles", () => {
  const type = "import type { A }";
  expect(importing("src/features/repositories/repos/present.ts", "src/features/repositories/repos/service.ts", type)).toEqual([]);
  expect(importing("src/features/repositories/repos/api.ts", "src/db/db.ts", type)).toEqual([]);
  expect(importing("src/features/repositories/repos/present.ts", "src/features/accounts/users/service.ts", type)).toEqual([]);
  expect(importing("src/core/errors.ts", "src/db/db.ts", type)).toHaveLength(1);
  expect(importing("src/features/accounts/users/service.ts", "src/features/repositories/repos/service.ts", type)).toHaveLength(1);
  expect(importing("src/features/repositories/repos/service.ts", "src/features/accounts/users/store.ts", type)).toHaveLength(1);
});

test.each([
  ["src/storage/open.ts", `import { spawn } from "node:child_process";`],
  ["src/features/repositories/repos/service.ts", `import { DatabaseSync } from "node:sqlite";`],
  ["src/features/repositories/repos/service.ts", `import { sql } from "kysely";`],
  ["src/jobs/queue.ts", `import pg from "pg/lib/client.js";`],
  ["src/features/repositories/repos/service.ts", `export const list = (db) => db.sql.selectFrom("repositories");`],
])("rejects %s: %s", (file, text) => {
  expect(check({ [file]: text })).toHaveLength(1);
});

test.each([
  ["src/git/run/runner.ts", `import { spawn } from "node:child_process";`],
  ["src/db/sqlite.ts", `import { DatabaseSync } from "node:sqlite";`],
  ["src/features/repositories/repos/store.ts", `import { sql } from "kysely"; export const list = (db) => db.sql.selectFrom("repositories");`],
  ["src/http/idempotency-store.ts", `export const find = (db) => db.sql.selectFrom("requests");`],
  ["src/db/migrations/0001-start.ts", `import type { Kysely } from "kysely";`],
  ["src/features/repositories/repos/service.test.ts", `import { spawn } from "node:child_process"; import "../../app/compose.ts";`],
])("accepts %s: %s", (file, text) => {
  expect(check({ [file]: text })).toEqual([]);
});

test("rejects a file without a layer, an undeclared feature and an index file", () => {
  expect(check({ "src/util/text.ts": "" })).toEqual([expect.stringMatching(/util is not a layer/)]);
  expect(check({ "src/features/site/gists/service.ts": "" })).toEqual([expect.stringMatching(/feature site\/gists is not mounted/)]);
  expect(check({ "src/features/repos.ts": "" })).toEqual([expect.stringMatching(/belongs to a feature/)]);
  expect(check({ "src/git/index.ts": "" })).toEqual([expect.stringMatching(/index files hide/)]);
});

test("reports an import cycle once, including type-only cycles", () => {
  const violations = check({
    "src/git/a.ts": `import { b } from "./b.ts";`,
    "src/git/b.ts": `import type { C } from "./c.ts";`,
    "src/git/c.ts": `\nexport const c = () => import("./a.ts");`,
  });
  expect(violations).toEqual([
    expect.stringMatching(/^src\/git\/a.ts:1 import cycle \(src\/git\/a.ts -> src\/git\/b.ts -> src\/git\/c.ts -> src\/git\/a.ts\)/),
  ]);
});
