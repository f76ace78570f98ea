import { sql, type Updateable } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import { compiled, compiledRows, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { LabelsTable } from "../../../db/tables/labels-and-milestones.ts";
import type { LabelOrder, LabelOwner, LabelReach, LabelReaches, LabelView, NewLabelInput } from "./model.ts";

const columns = ["l.id", "l.repo_id", "l.org_id", "l.name", "l.color", "l.description", "l.is_exclusive", "l.is_archived"] as const;

type Row = Omit<LabelsTable, "id" | "created_ms" | "updated_ms"> & { readonly id: number };

const toView = (row: Row): LabelView => ({
  id: row.id,
  repoId: row.repo_id,
  orgId: row.org_id,
  name: row.name,
  color: row.color,
  description: row.description,
  isExclusive: row.is_exclusive === 1,
  isArchived: row.is_archived === 1,
});

const ofOwner = (db: Reader, owner: LabelOwner) => {
  const all = db.sql.selectFrom("labels as l");
  return "repoId" in owner ? all.where("l.repo_id", "=", owner.repoId) : all.where("l.org_id", "=", owner.orgId);
};

/** Lists an owner's labels. At most two statements. */
export async function pageLabels(db: Reader, owner: LabelOwner, page: Page, order: LabelOrder = "name"): Promise<Paged<LabelView>> {
  const query = ofOwner(db, owner);
  const direction = order === "name" || order === "oldest" ? "asc" : "desc";
  const selected = query.select(columns);
  const byName = order === "name" || order === "name-desc";
  const ordered = byName ? selected.orderBy("l.name", direction) : selected;
  const rows = await ordered.orderBy("l.id", direction).limit(page.limit).offset(page.offset).execute();
  const items = rows.map(toView);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

export async function findLabel(db: Reader, owner: LabelOwner, id: number): Promise<LabelView | undefined> {
  const row = await ofOwner(db, owner).select(columns).where("l.id", "=", id).executeTakeFirst();
  return row && toView(row);
}

/** Whether the owner has a label with this name, in any case, other than one. */
export async function hasLabelNamed(db: Reader, owner: LabelOwner, name: string, otherThan: number): Promise<boolean> {
  const found = await ofOwner(db, owner)
    .select("l.id")
    .where((eb) => eb(eb.fn<string>("lower", ["l.name"]), "=", name.toLowerCase()))
    .where("l.id", "<>", otherThan)
    .executeTakeFirst();
  return found !== undefined;
}

const inReach = ({ id, ownerId }: LabelReach) => sql<boolean>`(l.repo_id = ${id} or l.org_id = ${ownerId})`;

export async function listReachableByIds(db: Reader, reach: LabelReach, ids: readonly number[]): Promise<readonly LabelView[]> {
  const rows = await db.sql
    .selectFrom("labels as l")
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("l.id"), ids))
    .where(inReach(reach))
    .execute();
  return rows.map(toView);
}

/** Available labels by name, without archived ones. One statement. */
export async function listGivable(db: Reader, reach: LabelReach, limit: number): Promise<readonly LabelView[]> {
  const rows = await db.sql
    .selectFrom("labels as l")
    .select(columns)
    .where(inReach(reach))
    .where("l.is_archived", "=", 0)
    .orderBy("l.name")
    .orderBy("l.id")
    .limit(limit)
    .execute();
  return rows.map(toView);
}

/** Available labels of any of these repositories and owners, each name once. One statement. */
export const listNames = (db: Reader, { repoIds, ownerIds }: LabelReaches, limit: number): Promise<readonly Pick<LabelView, "name" | "color">[]> =>
  namesOfReaches(db, { repoIds, ownerIds, limit });

const namesOfReaches = compiled((db, given: Slots<{ repoIds: readonly number[]; ownerIds: readonly number[]; limit: number }>) =>
  db.sql
    .selectFrom("labels as l")
    .select((eb) => ["l.name", eb.fn.min<string>("l.color").as("color")])
    .where((eb) => eb.or([anyOf(db, sql<number>`l.repo_id`, given.repoIds), anyOf(db, sql<number>`l.org_id`, given.ownerIds)]))
    .where("l.is_archived", "=", 0)
    .groupBy("l.name")
    .orderBy("l.name")
    .limit(given.limit),
);

/** Repository labels come before organization labels, older labels before newer ones. */
export async function listReachableByNames(db: Reader, reach: LabelReach, names: readonly string[]): Promise<readonly LabelView[]> {
  const rows = await db.sql
    .selectFrom("labels as l")
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("l.name"), names))
    .where(inReach(reach))
    .orderBy(sql`case when l.repo_id is null then 1 else 0 end`)
    .orderBy("l.id")
    .execute();
  return rows.map(toView);
}

const selectByIds = compiled((db, given: Slots<{ ids: readonly number[] }>) =>
  db.sql
    .selectFrom("labels as l")
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("l.id"), given.ids)),
);

export async function loadLabels(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, LabelView>> {
  const rows = await selectByIds(db, { ids });
  return new Map(rows.map((row) => [row.id, toView(row)]));
}

const insertRows = compiledRows((tx, rows: readonly Slots<ReturnType<typeof rowOf>>[]) =>
  tx.sql
    .insertInto("labels")
    .values(
      rows.map((row) => ({
        repo_id: row.repoId,
        org_id: row.orgId,
        name: row.name,
        color: row.color,
        description: row.description,
        is_exclusive: row.isExclusive,
        is_archived: row.isArchived,
        created_ms: row.nowMs,
        updated_ms: row.nowMs,
      })),
    )
    .returning("id"),
);

const rowOf = ({ nowMs }: Tx, owner: LabelOwner, label: NewLabelInput) => ({
  repoId: "repoId" in owner ? owner.repoId : null,
  orgId: "orgId" in owner ? owner.orgId : null,
  name: label.name,
  color: label.color,
  description: label.description,
  isExclusive: label.isExclusive ? 1 : 0,
  isArchived: label.isArchived ? 1 : 0,
  nowMs,
});

/** One statement. @returns the ids, in the given order */
export async function insertLabels(tx: Tx, owner: LabelOwner, labels: readonly NewLabelInput[]): Promise<readonly number[]> {
  const rows = await insertRows(
    tx,
    labels.map((label) => rowOf(tx, owner, label)),
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export async function updateLabel(tx: Tx, id: number, changes: Updateable<LabelsTable>): Promise<void> {
  await tx.sql
    .updateTable("labels")
    .set({ ...changes, updated_ms: tx.nowMs })
    .where("id", "=", id)
    .execute();
}

/** Also removes the label from issues. */
export async function deleteLabel(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("labels").where("id", "=", id).execute();
}

/** Copies the labels of one repository to another. One statement. */
export async function copyRepositoryLabels(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  await tx.sql
    .insertInto("labels")
    .columns(["repo_id", "name", "color", "description", "is_exclusive", "is_archived", "created_ms", "updated_ms"])
    .expression((eb) =>
      eb
        .selectFrom("labels")
        .select([
          sql<number>`cast(${toRepoId} as bigint)`.as("repo_id"),
          "name",
          "color",
          "description",
          "is_exclusive",
          "is_archived",
          sql<number>`cast(${tx.nowMs} as bigint)`.as("created_ms"),
          sql<number>`cast(${tx.nowMs} as bigint)`.as("updated_ms"),
        ])
        .where("repo_id", "=", fromRepoId)
        .orderBy("id"),
    )
    .execute();
}
