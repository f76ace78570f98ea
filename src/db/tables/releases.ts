import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface ReleaseTables {
  releases: ReleasesTable;
}

export interface ReleasesTable {
  id: Generated<number>;
  repo_id: number;
  /** One release a tag. Of what is no draft the tag is there. */
  tag_name: string;
  /** What the tag is made of where it is missing: a branch, a tag or a commit, as its author named it. */
  target: string;
  title: string;
  note: string;
  /** For those alone who write releases. */
  is_draft: Flag;
  is_prerelease: Flag;
  /** Null: the account is gone, or it was brought here from another server. */
  author_id: number | null;
  /** Who published it where it comes from, when it was brought here. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  created_ms: Millis;
  /** When it ceased to be a draft; while it is one, when it was made; to the second. Lists go by it. */
  published_ms: Millis;
}
