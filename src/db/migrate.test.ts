import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect, onPostgres, sqlite } from "../../test/kit/databases.ts";
import { createLogRecorder, silentLog } from "../../test/kit/logs.ts";
import { parsePostgresUrl } from "../config/postgres-url.ts";
import { systemClock } from "../core/clock.ts";
import type { Db } from "./db.ts";
import { checkSchema, migrate, schemaVersion } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import { firstCompatible, type Migration } from "./migrations/migration.ts";
import { openPostgres, type PostgresDb } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const next = allMigrations.length + 1;
const notes: Migration = { id: next, name: "notes", statements: ["create table notes (id {id}, text {text} not null) {table}"] };
const broken: Migration = {
  id: next + 1,
  name: "half of it fails",
  statements: ["alter table notes add column stars {int} not null default 0", "insert into notes (text) values ('half')", "insert into nowhere values (1)"],
};
const repaired: Migration = { ...broken, statements: broken.statements.slice(0, 2) };

/** Migrations up to this one create indexes in their transaction. */
const lastBlocking = 57;

const notesOf = async (db: Db): Promise<unknown[]> => (await sql`select * from notes`.execute(db.sql)).rows;

/** Statements after which older programs still run: what they read and write exists, and nothing that they write is refused. */
const adds = (statement: string, created: ReadonlySet<string>): boolean =>
  /^(create table|create index|create (temporary )?trigger|create( or replace)? function|drop index|drop trigger|insert into|update|delete from|with|analyze)\b/.test(
    statement,
  ) ||
  /^alter table \w+ alter column \w+ set statistics \d+$/.test(statement) ||
  (/^create unique index/.test(statement) && created.has(/ on (\w+)/.exec(statement)?.[1] ?? "")) ||
  /^alter table \w+ set \(fillfactor = \d+\)$/.test(statement) ||
  (/^alter table \w+ add column/.test(statement) && (!/ not null/.test(statement) || / default /.test(statement)));

const createdBy = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []));

const statementsOf = ({ statements }: Migration): string[] =>
  statements.flatMap((statement) => (typeof statement === "string" ? [statement] : [statement.sqlite, statement.postgres].filter((text) => text !== null)));

const restricts = (migration: Migration): string[] => {
  const statements = statementsOf(migration).map((statement) => statement.trim().toLowerCase());
  return statements.filter((statement) => !adds(statement, createdBy(statements)));
};

test("a migration that removes or restricts something names the oldest program that can run afterwards", () => {
  const compatible = allMigrations.filter(({ id, oldestProgram }) => id >= firstCompatible && oldestProgram === undefined);
  expect(compatible.length).toBeGreaterThan(0);
  expect(compatible.flatMap((migration) => restricts(migration).map((statement) => `${migration.name}: ${statement}`))).toEqual([]);
  const restricting = [
    "alter table notes drop column text",
    "drop table notes",
    "alter table notes add column a {int} not null",
    "create unique index n on notes (text)",
  ];
  expect(restricts({ id: 1, name: "", statements: restricting })).toEqual(restricting);
});

test("a migration creates indexes on existing tables without blocking their writers", () => {
  const blocking = (migration: Migration): string[] => {
    const statements = statementsOf(migration);
    const created = createdBy(statements);
    return statements.filter(
      (statement) => !created.has(/^create (?:unique )?index \w+\s+on (\w+)/.exec(statement)?.[1] ?? statement) && /^create (?:unique )?index/.test(statement),
    );
  };
  expect(allMigrations.filter(({ id }) => id > lastBlocking).flatMap(blocking)).toEqual([]);
  expect(blocking({ ...notes, statements: [...notes.statements, "create index n on notes (text)", "create index i on issues (title)"] })).toEqual([
    "create index i on issues (title)",
  ]);
});

test("migrations are numbered from 1 and match the numbers in their file names", () => {
  expect(allMigrations.map(({ id }) => id)).toEqual(allMigrations.map((_, index) => index + 1));
});

/** Tables with their columns, indexes and triggers. */
async function schemaTextOf(db: Db): Promise<readonly string[]> {
  const query =
    db.dialect === "sqlite"
      ? sql<{ text: string }>`select coalesce(sql, name) as text from sqlite_master where name not like 'sqlite_%' and name not like '%_texts_%'`
      : sql<{ text: string }>`
          select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') as text
          from information_schema.columns where table_schema = current_schema()
          union all select indexdef from pg_indexes where schemaname = current_schema()
          union all select event_object_table || ' ' || trigger_name || ' ' || event_manipulation from information_schema.triggers where trigger_schema = current_schema()`;
  return (await query.execute(db.sql)).rows.map(({ text }) => text).toSorted();
}

test("a new SQLite database is created from the generated schema, and equals one that all migrations created", async () => {
  await using created = await sqlite.createEmpty();
  await using migrated = await sqlite.createEmpty();
  const statements: string[] = [];
  const open = (path: string): Promise<Db> =>
    openSqlite({ path, log: silentLog, clock: systemClock, mode: "exclusive", onStatement: (text) => statements.push(text) });
  const rowsOf = (path: string): Record<string, unknown> => {
    const file = new DatabaseSync(path, { readOnly: true });
    const objects = file.prepare("select type, name, tbl_name, sql from sqlite_master order by type, name").all();
    const tables = file.prepare("select name from pragma_table_list where schema = 'main' and type <> 'shadow' and name not like 'sqlite_%'").all();
    const rows = tables.map(({ name }) => [
      name,
      file
        .prepare(`select * from ${name} order by 1`)
        .all()
        .map(({ applied_ms: _time, ...row }) => row),
    ]);
    file.close();
    return { objects, ...Object.fromEntries(rows) };
  };

  const first = await open(created.url);
  await migrate(first, silentLog);
  expect(statements.filter((text) => /alter table/i.test(text))).toEqual([]);
  await first.close();
  const second = await open(migrated.url);
  await migrate(second, silentLog, [...allMigrations]);
  expect(statements.filter((text) => /alter table/i.test(text))).not.toEqual([]);
  await second.close();

  const rows = rowsOf(created.url);
  expect(Object.values(rows).filter((of) => Array.isArray(of) && of.length > 0).length).toBeGreaterThan(4);
  expect(rows).toEqual(rowsOf(migrated.url));
});

eachDialect((dialect) => {
  describe("migrations", () => {
    test("each migration runs once and is recorded", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const log = createLogRecorder();
      await migrate(db, log, [...allMigrations, notes]);
      await migrate(db, log, [...allMigrations, notes]);
      expect(log.entries).toEqual([{ level: "info", meta: { migration: next, name: "notes" }, message: expect.any(String) }]);
      expect(await db.sql.selectFrom("migrations").select(["id", "name"]).orderBy("id").execute()).toEqual(
        [...allMigrations, notes].map(({ id, name }) => ({ id, name })),
      );
      expect(await notesOf(db)).toEqual([]);
    });

    test("an empty database gets all migrations in one transaction, or none", async () => {
      await using empty = await dialect.createEmpty();
      const options = { log: silentLog, clock: systemClock };
      const db =
        dialect.name === "postgres"
          ? await openPostgres({ ...options, address: parsePostgresUrl(empty.url), poolSize: 2 })
          : await openSqlite({ ...options, path: empty.url, mode: "exclusive" });
      const failing: Migration = { id: 2, name: "fails", statements: ["insert into nowhere values (1)"] };
      const first: Migration = { ...notes, id: 1 };
      await expect(migrate(db, silentLog, [first, failing])).rejects.toThrow();
      expect(await schemaVersion(db, [first])).toBe(0);
      const before = db.counters.transactions;
      await migrate(db, silentLog, [first, { ...failing, statements: [] }]);
      expect(db.counters.transactions - before).toBe(1);
      expect(await schemaVersion(db, [first, failing])).toBe(2);
      await db.close();
    });

    test("a migration that fails leaves the schema before it, from which the next start continues", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await expect(migrate(db, silentLog, [...allMigrations, notes, broken])).rejects.toThrow();
      expect(await schemaVersion(db, [...allMigrations, notes, broken])).toBe(next);
      expect(await notesOf(db)).toEqual([]);
    });

    test("each migration that is interrupted after any of its statements leaves the schema before it, and runs afterwards", async () => {
      await using empty = await dialect.createEmpty();
      const options = { log: silentLog, clock: systemClock };
      const db =
        dialect.name === "postgres"
          ? await openPostgres({ ...options, address: parsePostgresUrl(empty.url), poolSize: 2 })
          : await openSqlite({ ...options, path: empty.url, mode: "exclusive" });
      try {
        await migrate(db, silentLog, allMigrations.slice(0, 1));
        let interruptions = 0;
        for (const migration of allMigrations.slice(1)) {
          const before = await schemaTextOf(db);
          const earlier = allMigrations.slice(0, migration.id - 1);
          for (let count = 0; count <= migration.statements.length; count += 1) {
            const statements = [...migration.statements.slice(0, count), "insert into nowhere values (1)"];
            await expect(migrate(db, silentLog, [...earlier, { ...migration, statements }])).rejects.toThrow();
            interruptions += 1;
          }
          // Indexes are built before, each in a transaction of its own.
          const built = (migration.indexes ?? []).map((index) => /^create index (\w+)/.exec(index)?.[1] ?? "");
          expect((await schemaTextOf(db)).filter((text) => !built.some((name) => text.includes(` ${name} `)))).toEqual(before);
          await migrate(db, silentLog, [...earlier, migration]);
        }
        expect(interruptions).toBeGreaterThan(allMigrations.length);
        await using whole = await dialect.open();
        expect(await schemaTextOf(db)).toEqual(await schemaTextOf(whole.db));
      } finally {
        await db.close();
      }
    }, 120_000);

    test("the indexes of a migration exist before its statements run, and are built once", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const indexes = ["create unique index notes_text on notes (text)"];
      const indexed: Migration = { ...repaired, indexes };
      await migrate(db, silentLog, [...allMigrations, notes]);
      await expect(migrate(db, silentLog, [...allMigrations, notes, { ...broken, indexes }])).rejects.toThrow();
      expect(await schemaTextOf(db)).toContainEqual(expect.stringMatching(/create unique index notes_text/i));
      await migrate(db, silentLog, [...allMigrations, notes, indexed]);
      expect(await schemaVersion(db, [...allMigrations, notes, indexed])).toBe(next + 1);
      expect(await notesOf(db)).toHaveLength(1);
    });

    test("a program runs with a newer schema that only adds, and refuses one that excludes it", async () => {
      await using database = await dialect.open();
      await migrate(database.db, silentLog, [...allMigrations, notes]);
      await database.db.close();
      const older = await database.open({ log: silentLog });
      expect(await schemaVersion(older)).toBe(next);
      await migrate(older, silentLog);
      await checkSchema(older);

      const removing: Migration = { id: next + 1, name: "remove notes", statements: ["drop table notes"], oldestProgram: next };
      await migrate(older, silentLog, [...allMigrations, notes, removing]);
      expect(await schemaVersion(older, [...allMigrations, notes])).toBe(next + 1);
      await older.close();
      const refused = await database.open({ log: silentLog }).catch((error: unknown) => error);
      expect(refused).toHaveProperty(
        "message",
        expect.stringContaining(
          `the database has schema version ${next + 1}, but this version of Hearth has version ${next - 1}, and the schema supports only ${next} and later`,
        ),
      );
    });

    test("a program without knowledge of supported programs refuses each newer schema", async () => {
      await using database = await dialect.open();
      await expect(schemaVersion(database.db, allMigrations.slice(0, firstCompatible - 1))).rejects.toThrow(
        `this version of Hearth supports only ${firstCompatible - 1}`,
      );
    });

    test("a corrected migration finds no remains of its first attempt", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await expect(migrate(db, silentLog, [...allMigrations, notes, broken])).rejects.toThrow();
      await migrate(db, silentLog, [...allMigrations, notes, repaired]);
      expect(await notesOf(db)).toEqual([{ id: expect.any(Number), text: "half", stars: 0 }]);
    });

    test("a migration list with a gap throws an error", async () => {
      await using database = await dialect.open();
      await expect(migrate(database.db, silentLog, [...allMigrations, { ...notes, id: next + 1 }])).rejects.toThrow(`migration ${next} is missing`);
    });

    test("a schema with different migrations is rejected", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await migrate(db, silentLog, [...allMigrations, notes]);
      const other: Migration = { ...notes, name: "remarks" };
      await expect(migrate(db, silentLog, [...allMigrations, other, repaired])).rejects.toThrow(
        `migration ${next} of its schema is "notes", but "remarks" in this program`,
      );
    });

    test("an unknown placeholder in a migration throws an error and changes nothing", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const misspelt: Migration = { id: next, name: "misspelt", statements: ["create table notes (id {key})"] };
      await expect(migrate(db, silentLog, [...allMigrations, misspelt])).rejects.toThrow("{key}");
      await checkSchema(db);
    });

    test("every foreign key is indexed, so that a cascade never scans a whole table", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const keys = dialect.name === "sqlite" ? await sqliteForeignKeys(db) : await postgresForeignKeys(db);
      expect(keys.length).toBeGreaterThan(20);
      expect(keys.filter(({ isIndexed }) => !isIndexed)).toEqual([]);
    });
  });
});

onPostgres((dialect) => {
  describe("an index that a migration builds", () => {
    const title: Migration = { id: next + 1, name: "index of notes", indexes: ["create unique index notes_text on notes (text)"], statements: [] };
    const migrations = [...allMigrations, notes, title];
    const isValid = async (db: Db): Promise<unknown> =>
      (await sql<{ valid: boolean }>`select indisvalid as valid from pg_index where indexrelid = to_regclass('notes_text')`.execute(db.sql)).rows[0]?.valid;
    const openWithNotes = async () => {
      const database = await dialect.open();
      await migrate(database.db, silentLog, [...allMigrations, notes]);
      const servers = await Promise.all(
        [1, 2].map(() => openPostgres({ log: silentLog, clock: systemClock, address: parsePostgresUrl(database.url), poolSize: 3 })),
      );
      return {
        ...database,
        servers,
        [Symbol.asyncDispose]: async () => void (await Promise.all([...servers.map((db) => db.close()), database[Symbol.asyncDispose]()])),
      };
    };
    const add = (db: Db, text: string): Promise<unknown> => db.tx((tx) => sql`insert into notes (text) values (${text})`.execute(tx.sql));

    test("does not block writers, and other servers that start wait for it", async () => {
      await using database = await openWithNotes();
      const { db, servers } = database;
      let isBuilt = false;
      let builds: Promise<unknown> = Promise.resolve();
      await db.tx(async (tx) => {
        // The build waits for this transaction.
        await sql`insert into notes (text) values ('open')`.execute(tx.sql);
        builds = Promise.all(
          servers.map((server) => server.exclusively(() => migrate(server, silentLog, migrations, { exclude: async () => {}, buildIndex: server.buildIndex }))),
        ).then(() => {
          isBuilt = true;
        });
        await expect.poll(() => isValid(db)).toBe(false);
        await add(database.db, "meanwhile");
        expect(isBuilt).toBe(false);
      });
      await builds;
      expect(await isValid(db)).toBe(true);
      expect(await notesOf(db)).toHaveLength(2);
    });

    test("is built again if it was interrupted, and names the rows that violate it", async () => {
      await using database = await openWithNotes();
      const { db } = database;
      const [server] = database.servers as [PostgresDb, PostgresDb];
      const upgrade = (): Promise<void> => migrate(server, silentLog, migrations, { exclude: async () => {}, buildIndex: server.buildIndex });
      await add(db, "twice");
      await add(db, "twice");
      await expect(upgrade()).rejects.toThrow();
      expect(await isValid(db)).toBe(false);
      await db.tx((tx) => sql`delete from notes where id > 1`.execute(tx.sql));
      await upgrade();
      expect(await isValid(db)).toBe(true);
    });
  });
});

interface ForeignKey {
  readonly key: string;
  readonly isIndexed: boolean;
}

async function sqliteForeignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<{ key: string; indexed: number }>`
    select t.name || '.' || f."from" as key,
      f."from" in (
        select i.name from pragma_index_list(t.name) l join pragma_index_info(l.name) i on i.seqno = 0
        union select c.name from pragma_table_info(t.name) c where c.pk = 1
      ) as indexed
    from sqlite_master t join pragma_foreign_key_list(t.name) f where t.type = 'table'`.execute(db.sql);
  return rows.map(({ key, indexed }) => ({ key, isIndexed: indexed === 1 }));
}

async function postgresForeignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<{ key: string; indexed: boolean }>`
    select c.conrelid::regclass::text || '.' || c.conname as key,
      exists (select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]) as indexed
    from pg_constraint c where c.contype = 'f'`.execute(db.sql);
  return rows.map(({ key, indexed }) => ({ key, isIndexed: indexed }));
}
