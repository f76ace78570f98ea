import type { Tx } from "../../../../db/db.ts";
import { updateRepository } from "../store/rows.ts";

export interface Origin {
  /** Holds no credentials. */
  readonly originalUrl: string;
  /** It goes on following that. */
  readonly isMirror: boolean;
  /** Empty, or an address of the web. */
  readonly website: string;
}

/** Notes where a new repository comes from, and what it brings along of itself. */
export const noteOrigin = (tx: Tx, repoId: number, { originalUrl, isMirror, website }: Origin): Promise<void> =>
  updateRepository(tx, repoId, { original_url: originalUrl, is_mirror: isMirror ? 1 : 0, website });
