import type { ObjectFormat } from "../../../../git/types.ts";
import type { SealedRemote } from "../model.ts";

/** Data that a synchronization needs, in either direction. */
export interface MirrorRow extends SealedRemote {
  readonly repoId: number;
  readonly codeStoreId: number;
  readonly objectFormat: ObjectFormat;
  /** Failed synchronizations since the last successful one. */
  readonly failures: number;
}

/** The columns of a {@link MirrorRow}: `m` is the mirror, `r` its repository, `s` the store of its code. */
export const mirrorColumns = ["m.repo_id", "m.address", "m.credentials", "m.failures", "r.code_store_id", "s.object_format"] as const;

interface Selected {
  readonly repo_id: number;
  readonly address: string;
  readonly credentials: string | null;
  readonly failures: number;
  readonly code_store_id: number;
  readonly object_format: ObjectFormat;
}

export const toMirrorRow = (row: Selected): MirrorRow => ({
  repoId: row.repo_id,
  address: row.address,
  credentials: row.credentials,
  failures: row.failures,
  codeStoreId: row.code_store_id,
  objectFormat: row.object_format,
});
