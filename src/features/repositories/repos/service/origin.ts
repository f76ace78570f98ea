import type { Tx } from "../../../../db/db.ts";
import { updateRepository } from "../store/rows.ts";

export interface Origin {
  /** Without credentials. */
  readonly originalUrl: string;
  /** It keeps following its source. */
  readonly isMirror: boolean;
  /** Empty or a web URL. */
  readonly website: string;
}

/** Stores the source of a new repository, and its imported website. */
export const noteOrigin = (tx: Tx, repoId: number, { originalUrl, isMirror, website }: Origin): Promise<void> =>
  updateRepository(tx, repoId, { original_url: originalUrl, is_mirror: isMirror ? 1 : 0, website });
