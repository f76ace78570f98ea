import { sql } from "kysely";
import { anyOf, valuesOf } from "./any-of.ts";
import type { Reader, Tx } from "./db.ts";

/** When unused files were first found, by their names. */
export async function findUnused(db: Reader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.sql
    .selectFrom("unused_files")
    .select(["file", "found_ms"])
    .where((eb) => anyOf(db, eb.ref("file"), names))
    .execute();
  return new Map(rows.map(({ file, found_ms }) => [file, found_ms]));
}

export async function insertUnused(tx: Tx, names: readonly string[], foundMs: number): Promise<void> {
  await tx.sql
    .insertInto("unused_files")
    .columns(["file", "found_ms"])
    .expression(sql`select value, cast(${foundMs} as bigint) from ${valuesOf(tx, names)} as added where true`)
    .onConflict((conflict) => conflict.column("file").doNothing())
    .execute();
}

/** @param beforeMs undefined: forgets all */
export async function forgetUnused(tx: Tx, beforeMs?: number): Promise<void> {
  const all = tx.sql.deleteFrom("unused_files");
  await (beforeMs === undefined ? all : all.where("found_ms", "<", beforeMs)).execute();
}
