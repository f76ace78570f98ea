import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import { parseSettings, type RepositorySettings } from "../settings.ts";

const byId = compiled((db, given: Slots<{ repoId: number }>) =>
  db.sql.selectFrom("repositories").select("settings").where("id", "=", given.repoId).where("deleted_ms", "is", null),
);

export async function findSettings(db: Reader, repoId: number): Promise<RepositorySettings | undefined> {
  const [row] = await byId(db, { repoId });
  return row && parseSettings(row.settings);
}
