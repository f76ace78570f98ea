import type { Selectable } from "kysely";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { AuthenticationSourcesTable } from "../../../../db/tables/auth-sources.ts";
import type { SourceInput, SourceSettings, SourceView } from "../model.ts";

function toView(row: Selectable<AuthenticationSourcesTable>): SourceView {
  const settings = { kind: row.kind, settings: JSON.parse(row.settings) } as SourceSettings;
  return {
    ...settings,
    id: row.id,
    name: row.name,
    isActive: row.is_active === 1,
    autoRegister: row.auto_register === 1,
    sealedSecret: row.sealed_secret,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  };
}

/** Oldest first. Two statements. */
export async function pageSources(db: Reader, page: Page): Promise<Paged<SourceView>> {
  const query = db.sql.selectFrom("authentication_sources");
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy("id").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map(toView) };
}

type SourceOf<Kind extends SourceView["kind"]> = Extract<SourceView, { kind: Kind }>;

/** The active ones of a kind, oldest first. */
export async function loadActiveSources<Kind extends SourceView["kind"]>(db: Reader, kind: Kind): Promise<readonly SourceOf<Kind>[]> {
  const rows = await db.sql.selectFrom("authentication_sources").selectAll().where("kind", "=", kind).where("is_active", "=", 1).orderBy("id").execute();
  return rows.map(toView).filter((source): source is SourceOf<Kind> => source.kind === kind);
}

export async function findSource(db: Reader, id: number): Promise<SourceView | undefined> {
  const row = await db.sql.selectFrom("authentication_sources").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toView(row);
}

export async function findSourceByName(db: Reader, name: string): Promise<SourceView | undefined> {
  const row = await db.sql.selectFrom("authentication_sources").selectAll().where("name_folded", "=", foldName(name)).executeTakeFirst();
  return row && toView(row);
}

/** Inserts without the secret, which is sealed for the id that this returns. Throws a unique violation for a name in use. */
export async function insertSource(tx: Tx, source: SourceInput): Promise<number> {
  const { id } = await tx.sql
    .insertInto("authentication_sources")
    .values({
      kind: source.kind,
      name: source.name,
      name_folded: foldName(source.name),
      is_active: source.isActive ? 1 : 0,
      auto_register: source.autoRegister ? 1 : 0,
      settings: JSON.stringify(source.settings),
      sealed_secret: "",
      created_ms: tx.nowMs,
      updated_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Throws a unique violation for a name in use. */
export async function updateSource(tx: Tx, source: SourceView): Promise<void> {
  await tx.sql
    .updateTable("authentication_sources")
    .set({
      name: source.name,
      name_folded: foldName(source.name),
      is_active: source.isActive ? 1 : 0,
      auto_register: source.autoRegister ? 1 : 0,
      settings: JSON.stringify(source.settings),
      sealed_secret: source.sealedSecret,
      updated_ms: tx.nowMs,
    })
    .where("id", "=", source.id)
    .execute();
}

export async function setSealedSecret(tx: Tx, id: number, sealed: string): Promise<void> {
  await tx.sql.updateTable("authentication_sources").set({ sealed_secret: sealed }).where("id", "=", id).execute();
}

export async function deleteSource(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("authentication_sources").where("id", "=", id).execute();
}

/** Number of accounts that belong to a source or are linked to it. */
export async function countUsers(db: Reader, sourceId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("accounts")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where((eb) =>
      eb.or([eb("source_id", "=", sourceId), eb("id", "in", eb.selectFrom("external_identities").select("account_id").where("source_id", "=", sourceId))]),
    )
    .executeTakeFirstOrThrow();
  return Number(total);
}
