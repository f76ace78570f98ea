import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkTables, type TableRules } from "./check-tables.ts";
import { repositoryRoot } from "./repository.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const users = "src/features/accounts/users/store.ts";
const repos = "src/features/repositories/repos/store.ts";
const writeUsers = `await tx.sql.updateTable("accounts").set({}).execute();`;

/** Writes sources and checks them. @returns the messages */
function check(files: Readonly<Record<string, string>>, rules: Partial<TableRules> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), "tables-"));
  roots.push(root);
  for (const [path, text] of Object.entries({ [users]: writeUsers, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const declared = { owners: { "accounts/users": ["accounts"] }, exceptions: [], dynamic: {}, reads: [], features: ["accounts/users", "repositories/repos"] };
  const found = checkTables(root, { ...declared, ...rules });
  return found.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

const foreign = (line: number) => [`${repos}:${line} repositories/repos writes accounts, a table of accounts/users: call a service of accounts/users`];

test("the program writes each table in its owner only, and reads no table of a later feature without a reason", () => {
  expect(checkTables(repositoryRoot)).toEqual([]);
});

test.each([
  `\ntx.sql.insertInto("accounts").values({})`,
  `\ntx.sql.deleteFrom("accounts as a")`,
  `import { sql } from "kysely";\nsql\`insert into accounts (id) values (\${id})\``,
  `import { sql } from "kysely";\nsql\`delete from accounts where id = \${id}\``,
  `import { sql } from "kysely";\nsql\`select \${one} where x; update "accounts" set name = ''\``,
])("rejects a write of another feature: %j", (text) => {
  expect(check({ [repos]: text })).toEqual(foreign(2));
});

test.each([
  `tx.sql.selectFrom("accounts").select("id")`,
  `import { sql } from "kysely"; sql\`insert into stars values (1) on conflict do update set a = 1\`;`,
  `import { sql } from "kysely"; sql\`select 1 from accounts for update \${"skip locked"}\``,
  `// updateTable("accounts")`,
  "throw new Error(`cannot update accounts`)",
])("allows reads, other statements and texts: %j", (text) => {
  expect(check({ [repos]: `tx.sql.insertInto("stars");\n${text}` }, { owners: { "accounts/users": ["accounts"], "repositories/repos": ["stars"] } })).toEqual(
    [],
  );
});

/** The feature of the table is later than the one of `users`. */
const later = { owners: { "accounts/users": ["accounts"], "repositories/repos": ["stars"] } };
const writeStars = `tx.sql.insertInto("stars").values({})`;

test.each([
  `db.sql.selectFrom("stars")`,
  `db.sql.selectFrom(["accounts", "stars as s"])`,
  `db.sql.selectFrom("accounts as a").leftJoin("stars as s", "s.id", "a.id")`,
  "sql`select 1 from accounts join stars on true`",
  `sql\`\${columns} from "stars"\``,
])("rejects a read of the table of a later feature: %j", (read) => {
  const found = check({ [users]: `import { sql } from "kysely"; ${writeUsers}\n${read}`, [repos]: writeStars }, later);
  expect(found).toEqual([
    `${users}:2 accounts/users reads stars, a table of the later repositories/repos: let repositories/repos provide it, or give the reason in readExceptions`,
  ]);
});

test("allows reads of tables of earlier features, of layers, and by declared exceptions, and rejects those without use", () => {
  const read = `${writeUsers}\ndb.sql.selectFrom("stars").innerJoin("events", "a", "b")`;
  const files = { [repos]: `${writeStars}\ndb.sql.selectFrom("accounts")`, "src/events/store.ts": `tx.sql.insertInto("events")` };
  const owners = { ...later.owners, events: ["events"] };
  const reads = [{ feature: "accounts/users", tables: ["stars"], reason: "a list in one statement" }];
  expect(check({ ...files, [users]: read }, { owners, reads })).toEqual([]);
  expect(check(files, { owners, reads })).toEqual(["tools/table-owners.ts:1 accounts/users does not read stars: remove the exception"]);
});

test("rejects a read of a feature's table by a layer", () => {
  const files = { [repos]: writeStars, "src/events/store.ts": `db.sql.selectFrom("stars")` };
  expect(check(files, later)).toHaveLength(1);
});

test("ignores tests and migrations", () => {
  const files = { "src/features/repositories/repos/store.test.ts": writeUsers, "src/db/migrations/0001-start.ts": writeUsers };
  expect(check(files)).toEqual([]);
});

test("requires an owner for each written table", () => {
  expect(check({ [users]: `${writeUsers}\ntx.sql.insertInto("follows")` })).toEqual([`${users}:2 follows has no owner: declare it`]);
});

test("allows declared exceptions, and rejects those without use", () => {
  const exceptions = [{ feature: "repositories/repos", tables: ["accounts"], reason: "counters" }];
  expect(check({ [repos]: writeUsers }, { exceptions })).toEqual([]);
  expect(check({}, { exceptions })).toEqual(["tools/table-owners.ts:1 repositories/repos does not write accounts: remove the exception"]);
});

test("rejects an owner that does not write its table", () => {
  const owners = { "accounts/users": ["accounts"], "repositories/repos": ["stars"] };
  expect(check({}, { owners })).toEqual(["tools/table-owners.ts:1 repositories/repos does not write stars: correct its owner"]);
});

test("requires the tables of writes without a literal name", () => {
  const text = "tx.sql.deleteFrom(table)";
  expect(check({ [repos]: text })).toEqual([`${repos}:1 a write to a table without a literal name: list the file in dynamicWrites`]);
  expect(check({ [repos]: text }, { dynamic: { [repos]: ["accounts"] } })).toEqual(foreign(1));
  expect(check({}, { dynamic: { [repos]: ["accounts"] } })).toEqual([
    `tools/table-owners.ts:1 ${repos} names its tables literally: remove it from dynamicWrites`,
  ]);
});
