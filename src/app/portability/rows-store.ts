import type { Reader } from "../../db/db.ts";

/** Pages of rows, and the authors and files of rows, for the lines of an export. */

export interface ExportedRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly codeStoreId: number;
  readonly wikiStoreId: number | null;
}

/** Digests of uploaded files that lines refer to, with their names in the file store. */
export type WantedFiles = Map<string, string>;

export const pageRows = 1_000;

export type Line = Readonly<Record<string, unknown>>;

/** Reads pages after an id until one is not full, and writes a line for each row. */
export async function* lines<T extends { readonly id: number }>(
  read: (after: number) => Promise<readonly T[]>,
  toLines: (rows: readonly T[]) => Promise<readonly Line[]>,
): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    for (const line of await toLines(rows)) yield `${JSON.stringify(line)}\n`;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.id;
  }
}

export const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

interface Written {
  readonly accountId: number | null;
  readonly original_author: string;
  readonly original_author_id: number;
}

/** Adds the members with the author of each row, with one statement. */
export async function withAuthors<T extends Written>(db: Reader, rows: readonly T[]): Promise<readonly (readonly [row: T, author: Line])[]> {
  const names = await namesOf(
    db,
    rows.map(({ accountId }) => accountId),
  );
  return rows.map((row) => [row, authorOf(row, names)]);
}

const authorOf = ({ accountId, original_author, original_author_id }: Written, names: ReadonlyMap<number, string>): Line => ({
  user: userOf(accountId, names),
  ...(original_author !== "" && { original_author, original_author_id }),
});

export const userOf = (id: number | null, names: ReadonlyMap<number, string>): Line | null => {
  const login = id === null ? undefined : names.get(id);
  return login === undefined ? null : { id, login };
};

export async function namesOf(db: Reader, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await db.sql.selectFrom("accounts").select(["id", "name"]).where("id", "in", known).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The attachments of rows, by the id in a column. */
export async function assetsOf(
  db: Reader,
  wanted: WantedFiles,
  column: "issue_id" | "comment_id" | "release_id",
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Line[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("attachments as a")
    .innerJoin("stored_files as f", "f.digest", "a.digest")
    .select([`a.${column} as holder`, "a.name", "a.size_bytes", "a.digest", "f.file"])
    .where(`a.${column}`, "in", ids)
    .$if(column === "issue_id", (query) => query.where("a.comment_id", "is", null))
    .orderBy("a.id")
    .execute();
  for (const { digest, file } of rows) wanted.set(digest, file);
  const byHolder = Map.groupBy(rows, ({ holder }) => Number(holder));
  return new Map(
    [...byHolder].map(([id, own]) => [id, own.map(({ name, size_bytes, digest }) => ({ name, size: size_bytes, browser_download_url: `files/${digest}` }))]),
  );
}

export const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] => rows.map(({ id }) => id);
