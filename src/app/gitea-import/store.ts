import type { Reader } from "../../db/db.ts";
import type { KeptFile } from "./files.ts";

export interface StoresOfRepository {
  readonly id: number;
  readonly codeStoreId: number;
  readonly wikiStoreId: number | null;
}

export const listStoresOfRepositories = (db: Reader): Promise<readonly StoresOfRepository[]> =>
  db.sql.selectFrom("repositories").select(["id", "code_store_id as codeStoreId", "wiki_store_id as wikiStoreId"]).execute();

const selectFile = (db: Reader) => db.sql.selectFrom("stored_files as f").select(["f.digest", "f.size_bytes as sizeBytes", "f.file"]);

export const findStoredFile = (db: Reader, digest: string): Promise<KeptFile | undefined> => selectFile(db).where("f.digest", "=", digest).executeTakeFirst();

export const findAttachedFile = (db: Reader, uuid: string): Promise<KeptFile | undefined> =>
  selectFile(db).innerJoin("attachments as a", "a.digest", "f.digest").where("a.uuid", "=", uuid).executeTakeFirst();
