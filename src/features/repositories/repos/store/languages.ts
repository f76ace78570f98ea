import { sql } from "kysely";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { LanguageSizes } from "../languages.ts";

export async function listLanguages(db: Reader, repoId: number): Promise<LanguageSizes> {
  return db.sql
    .selectFrom("repository_languages")
    .select(["language", "bytes"])
    .where("repo_id", "=", repoId)
    .orderBy("bytes", "desc")
    .orderBy("language")
    .execute();
}

/** The tip of a repository's default branch. */
export interface ContentSource {
  readonly storeId: number;
  readonly objectFormat: "sha1" | "sha256";
  /** Undefined if the default branch does not exist. */
  readonly tipOid: string | undefined;
}

export async function findContentSource(db: Reader, repoId: number): Promise<ContentSource | undefined> {
  const row = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("git_stores as s", "s.id", "r.code_store_id")
    .select((eb) => [
      "s.id as store_id",
      "s.object_format",
      eb
        .selectFrom("refs")
        .select("refs.oid")
        .whereRef("refs.store_id", "=", "s.id")
        .where("refs.name", "=", eb(eb.val("refs/heads/"), "||", eb.ref("r.default_branch")))
        .as("tip_oid"),
    ])
    .where("r.id", "=", repoId)
    .where("r.deleted_ms", "is", null)
    .executeTakeFirst();
  return row && { storeId: row.store_id, objectFormat: row.object_format, tipOid: row.tip_oid ?? undefined };
}

/** Replaces the results of the previous analysis. */
export async function replaceContentDescription(tx: Tx, repoId: number, languages: LanguageSizes, licenses: readonly string[]): Promise<void> {
  await tx.sql.deleteFrom("repository_languages").where("repo_id", "=", repoId).execute();
  if (languages.length > 0) {
    await tx.sql
      .insertInto("repository_languages")
      .values(languages.map(({ language, bytes }) => ({ repo_id: repoId, language, bytes })))
      .execute();
  }
  await tx.sql
    .updateTable("repositories")
    .set({ language: languages[0]?.language ?? "", licenses: licenses.join(",") })
    .where("id", "=", repoId)
    .execute();
}

const insertCopies = compiled((tx: Tx, given: Slots<{ id: number; parentId: number }>) =>
  tx.sql
    .insertInto("repository_languages")
    .columns(["repo_id", "language", "bytes"])
    .expression((eb) =>
      eb
        .selectFrom("repository_languages")
        .select([sql<number>`cast(${given.id} as bigint)`.as("repo_id"), "language", "bytes"])
        .where("repo_id", "=", given.parentId),
    ),
);

/** Copies the languages of a repository to a new fork of it. */
export async function copyLanguages(tx: Tx, id: number, parentId: number): Promise<void> {
  await insertCopies(tx, { id, parentId });
}
