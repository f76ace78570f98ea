import type { Tx } from "../../../db/db.ts";
import { updateRepository } from "../store/rows.ts";

/** Notes where a new repository comes from, and whether it goes on following that. @param originalUrl holds no credentials */
export const noteOrigin = (tx: Tx, repoId: number, { originalUrl, isMirror }: { readonly originalUrl: string; readonly isMirror: boolean }): Promise<void> =>
  updateRepository(tx, repoId, { original_url: originalUrl, is_mirror: isMirror ? 1 : 0 });
