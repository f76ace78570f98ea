import type { TrackerParts } from "./tracker.ts";

/** The input of a migration, as given by the user. */
export interface MigrationInput {
  readonly address: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  /** The new owner, by name or otherwise by id; the caller if both are empty. */
  readonly ownerName: string;
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  /** The repository keeps following its source. */
  readonly isMirror: boolean;
  /** As given by the client; empty for the server's default. */
  readonly mirrorInterval: string;
  /** The kind of the source server; `git` for any. */
  readonly service: "git" | "gitea" | "github" | "gitlab";
  readonly hasWiki: boolean;
  readonly hasLargeFiles: boolean;
  /** Further parts to import, from servers with a known API. */
  readonly parts: TrackerParts;
}
