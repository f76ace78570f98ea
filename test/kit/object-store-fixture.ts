import type { Db } from "../../src/db/db.ts";
import type { OpenDatabaseOptions } from "../../src/db/open.ts";
import { createRefListings, type RefListings } from "../../src/features/repositories/refs/service/listings.ts";
import type { GitStores } from "../../src/git/stores.ts";
import type { TestDialect } from "./databases.ts";
import { openTestStores } from "./git.ts";

/** A database and the stores of its repositories on disk, for tests below the API. Disposing deletes both. */
export interface StoreFixture extends AsyncDisposable {
  readonly db: Db;
  readonly git: GitStores;
  readonly refListings: RefListings;
}

export async function openStoreFixture(dialect: TestDialect, options: Partial<OpenDatabaseOptions> = {}): Promise<StoreFixture> {
  const database = await dialect.open(options);
  const { stores, close } = await openTestStores();
  return {
    db: database.db,
    git: stores,
    refListings: createRefListings(database),
    async [Symbol.asyncDispose]() {
      await close();
      await database[Symbol.asyncDispose]();
    },
  };
}
