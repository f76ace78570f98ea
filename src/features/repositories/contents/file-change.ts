import { cleanIdentity } from "../../../git/objects/format.ts";
import type { Signature } from "../../../git/types.ts";

/** One file operation of a change, with path and content as given by the caller. */
export interface FileChange {
  readonly operation: string;
  readonly path: string;
  /** Base64. */
  readonly content: string;
  /** The blob id that the caller expects; empty if not given. */
  readonly sha: string;
  /** The present path of a file to be moved; empty if unchanged. */
  readonly fromPath: string;
}

/** An author or committer as given by the caller; empty fields default to the caller's own. */
export interface NamedPerson {
  readonly name: string;
  readonly email: string;
  /** Undefined for the current time. */
  readonly time: Pick<Signature, "seconds" | "offsetMinutes"> | undefined;
}

/** The commit of a change, as given by the caller. */
export interface CommitInput {
  /** Empty for the default branch. */
  readonly branch: string;
  /** A branch to create for the commit; if empty, the commit goes to `branch`. */
  readonly newBranch: string;
  /** Replaces `newBranch` if it exists. */
  readonly isForced: boolean;
  /** If empty, a message that lists the paths. */
  readonly message: string;
  readonly author: NamedPerson;
  readonly committer: NamedPerson;
  readonly isSignedOff: boolean;
}

const verbs = { create: "Add", update: "Update", upload: "Update", rename: "Update", delete: "Delete" } as const;
export type Operation = keyof typeof verbs;

export const isOperation = (word: string): word is Operation => Object.hasOwn(verbs, word);

/** One line per kind of operation, with its paths. */
export function defaultMessage(changes: readonly Pick<FileChange, "operation" | "path">[]): string {
  const lines = (["Add", "Update", "Delete"] as const).map((verb) => {
    const paths = changes.filter(({ operation }) => isOperation(operation) && verbs[operation] === verb).map(({ path }) => path);
    return paths.length === 0 ? "" : `${verb} ${paths.join(", ")}`;
  });
  return lines.filter((line) => line !== "").join("\n");
}

/** The complete message of a commit. @compat a message with a sign-off has no trailing newline (contents/helpers.test.ts) */
export function commitMessage(text: string, signedOffBy: Pick<Signature, "name" | "email"> | undefined): string {
  const trimmed = text.trim();
  if (signedOffBy === undefined) return `${trimmed}\n`;
  return `${trimmed}\n\nSigned-off-by: ${cleanIdentity(signedOffBy.name)} <${cleanIdentity(signedOffBy.email)}>`;
}
