import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface ReleaseTables {
  releases: ReleasesTable;
}

export interface ReleasesTable {
  id: Generated<number>;
  repo_id: number;
  /** One release per tag. The tag of a published release exists. */
  tag_name: string;
  /** Target for creating a missing tag: a branch, tag or commit, as entered by the author. */
  target: string;
  title: string;
  note: string;
  /** Visible only to users with write access to releases. */
  is_draft: Flag;
  is_prerelease: Flag;
  /** Null: the account was deleted, or the release was migrated from another server. */
  author_id: number | null;
  /** Original author of a migrated release. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  created_ms: Millis;
  /** Publication time; for a draft its creation time; in whole seconds. Lists are sorted by it. */
  published_ms: Millis;
}
