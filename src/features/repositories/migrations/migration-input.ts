import type { TrackerParts } from "./tracker.ts";

/** What somebody wants to have fetched from elsewhere, as he says it. */
export interface MigrationInput {
  readonly address: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  /** Whose it becomes: a name, else a number; neither: the caller's own. */
  readonly ownerName: string;
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  /** It goes on following what it was fetched from. */
  readonly isMirror: boolean;
  /** As clients write it; empty: the server's default. */
  readonly mirrorInterval: string;
  /** What kind of server it is on; `git`: any. */
  readonly service: "git" | "gitea" | "github" | "gitlab";
  readonly hasWiki: boolean;
  readonly hasLargeFiles: boolean;
  /** What else is brought along, from a server whose interface is known. */
  readonly parts: TrackerParts;
}
