import type { Batch } from "../../db/row-batch.ts";
import type { PullMerge } from "../../features/collaboration/pulls/model.ts";
import type { RefUpdate } from "../../features/repositories/refs/moves.ts";
import type { Oid } from "../../git/types.ts";
import type { Conversion } from "./context.ts";
import type { RepositoryPlan } from "./repositories.ts";
import type { Known } from "./repository-relations.ts";
import type { ForeignRow } from "./source.ts";

export interface IssueSummary {
  readonly number: number;
  readonly isPull: boolean;
  readonly isClosed: boolean;
  readonly milestoneId: number;
  readonly comments: number;
  readonly pinOrder: number;
  readonly lockReason: string;
}

export interface IssueCounts {
  readonly open: number;
  readonly closed: number;
}

export interface ConvertedIssues {
  /** By id, in the order of ids. */
  readonly facts: ReadonlyMap<number, IssueSummary>;
  /** New numbers continue after it. */
  readonly lastNumber: number;
}

export interface PlannedPull {
  readonly row: ForeignRow;
  readonly headOid: Oid;
  readonly mergeBaseOid: Oid | undefined;
  readonly merged: Omit<PullMerge, "mergerId"> | null;
}

export interface PlannedPulls {
  readonly byIssue: ReadonlyMap<number, PlannedPull>;
  /** Heads that the refs of the repository do not have. */
  readonly updates: readonly RefUpdate[];
}

export interface TrackerInput {
  readonly plan: RepositoryPlan;
  readonly known: Known;
  readonly pulls: PlannedPulls;
}

export interface ConvertedTracker extends TrackerInput {
  readonly issues: ConvertedIssues;
}

/** Which issues, and where their rows go. */
export interface Adding {
  readonly batch: Batch;
  readonly ids: readonly number[];
}

/** Rows that belong to some issues, in the order of their ids. */
export const childRows = ({ source }: Pick<Conversion, "source">, table: string, ids: readonly number[], column = "issue_id"): Promise<readonly ForeignRow[]> =>
  source.database.all(`select * from ${table} where ${column} in (${ids.map(() => "?").join(", ")}) order by id`, ids);
