import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLog } from "../../test/kit/logs.ts";
import { systemClock } from "../core/clock.ts";
import type { Db } from "./db.ts";
import { openSqlite } from "./sqlite.ts";
import { createLogReader, type FollowedDatabase, type LogFollower, type LogGroup, LogLostError, type LogReader } from "./sqlite-follow.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-follow-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Followed extends AsyncDisposable {
  readonly db: Db;
  readonly database: FollowedDatabase;
  /** Bytes of the database when the groups begin. */
  readonly base: Buffer;
  readonly reader: LogReader;
  insert(text: string): Promise<void>;
  setMayRestart(value: boolean): void;
}

/** Follows a database from a checkpoint on. Reads what is left before each further one, if it may. */
async function follow(): Promise<Followed> {
  let database: FollowedDatabase | undefined;
  let reader: LogReader | undefined;
  let mayRestart = true;
  const follower: LogFollower = {
    opened(opened) {
      database = opened;
    },
    durable: (mark) => reader?.add({ ...mark, timeMs: mark.frames }),
    mayRestart: () => mayRestart,
  };
  const path = join(folder, "a.db");
  const db = await openSqlite({ path, log: silentLog, clock: systemClock, mode: "exclusive", checkpointFrames: 20, follower });
  await db.tx((tx) => tx.script("create table texts (id integer primary key, text text not null) strict"));
  const opened = database as FollowedDatabase | undefined;
  if (opened === undefined) throw new Error("the follower was not called");
  const base: Buffer[] = [];
  await opened.checkpoint((mark) => {
    reader = createLogReader(path, mark);
  });
  for (let position = 0; ; ) {
    const part = Buffer.alloc(4_096);
    const length = opened.readFile(part, position);
    if (length === 0) break;
    base.push(part.subarray(0, length));
    position += length;
  }
  return {
    db,
    database: opened,
    base: Buffer.concat(base),
    reader: reader as LogReader,
    insert: (text) => db.tx((tx) => tx.script(`insert into texts (text) values ('${text}')`)),
    setMayRestart(value) {
      mayRestart = value;
    },
    [Symbol.asyncDispose]: () => db.close(),
  };
}

/** Applies groups to a copy. @returns the texts in it */
function textsAfter(base: Buffer, groups: readonly LogGroup[]): string[] {
  const last = groups.at(-1);
  const copy = Buffer.alloc(last === undefined ? base.length : last.databasePages * 4_096);
  base.copy(copy);
  for (const { pages } of groups) for (const [number, page] of pages) page.copy(copy, (number - 1) * 4_096);
  const path = join(folder, "copy.db");
  rmSync(path, { force: true });
  writeFileSync(path, copy);
  const database = new DatabaseSync(path, { readOnly: false });
  try {
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    return database
      .prepare("select text from texts order by id")
      .all()
      .map(({ text }) => String(text));
  } finally {
    database.close();
  }
}

test("each group is the state after one sync, also over checkpoints that restart the log", async () => {
  await using followed = await follow();
  const groups: LogGroup[] = [];
  for (let at = 0; at < 60; at += 1) {
    await followed.insert(`text ${at}`);
    groups.push(...followed.reader.read(Number.POSITIVE_INFINITY));
    expect(groups).toHaveLength(at + 1);
    expect(followed.reader.unreadBytes()).toBe(0);
  }
  const all = Array.from({ length: 60 }, (_, at) => `text ${at}`);
  for (const count of [0, 1, 19, 41, 60]) expect(textsAfter(followed.base, groups.slice(0, count))).toEqual(all.slice(0, count));
});

test("the log and the database file stay as they are while the follower does not allow a restart", async () => {
  await using followed = await follow();
  followed.setMayRestart(false);
  for (let at = 0; at < 60; at += 1) await followed.insert(`text ${at}`);
  expect(await followed.database.checkpoint(() => expect.unreachable())).toBe(false);
  const page = Buffer.alloc(4_096);
  for (let position = 0; position < followed.base.length; position += followed.database.readFile(page, position))
    expect(followed.database.readFile(page, position) > 0 && page.equals(followed.base.subarray(position, position + 4_096))).toBe(true);
  const groups = followed.reader.read(Number.POSITIVE_INFINITY);
  expect(groups).toHaveLength(60);
  expect(textsAfter(followed.base, groups)).toHaveLength(60);
});

test("groups are read in parts of a size", async () => {
  await using followed = await follow();
  followed.setMayRestart(false);
  for (let at = 0; at < 10; at += 1) await followed.insert(`text ${at}`);
  const unread = followed.reader.unreadBytes();
  const first = followed.reader.read(1);
  expect(first).toHaveLength(1);
  expect(followed.reader.unreadBytes()).toBeLessThan(unread);
  expect(followed.reader.read(Number.POSITIVE_INFINITY)).toHaveLength(9);
});

test("a log that was restarted before it was read is reported as lost", async () => {
  await using followed = await follow();
  await followed.insert("not read");
  expect(await followed.database.checkpoint(() => {})).toBe(true);
  await followed.insert("in the next log");
  expect(() => followed.reader.read(Number.POSITIVE_INFINITY)).toThrow(LogLostError);
});
