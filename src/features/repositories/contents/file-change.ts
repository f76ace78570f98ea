import { cleanIdentity } from "../../../git/objects/format.ts";
import type { Signature } from "../../../git/types.ts";

/** One wish of a change. Paths and content as the caller gave them. */
export interface FileChange {
  readonly operation: string;
  readonly path: string;
  /** Base64. */
  readonly content: string;
  /** The id that the caller believes the file to have; empty: none is given. */
  readonly sha: string;
  /** The path that the file has now; empty: the same. */
  readonly fromPath: string;
}

/** An author or committer as the caller names one; what is empty is the caller's own. */
export interface NamedPerson {
  readonly name: string;
  readonly email: string;
  /** Undefined for now. */
  readonly time: Pick<Signature, "seconds" | "offsetMinutes"> | undefined;
}

/** What a caller states about the commit of a change. */
export interface CommitInput {
  /** Empty for the default branch. */
  readonly branch: string;
  /** A branch to make for the commit; empty: it goes on `branch`. */
  readonly newBranch: string;
  /** `newBranch` may be there and is then replaced. */
  readonly isForced: boolean;
  /** Empty for one that tells the paths. */
  readonly message: string;
  readonly author: NamedPerson;
  readonly committer: NamedPerson;
  readonly isSignedOff: boolean;
}

const verbs = { create: "Add", update: "Update", upload: "Update", rename: "Update", delete: "Delete" } as const;
export type Operation = keyof typeof verbs;

export const isOperation = (word: string): word is Operation => Object.hasOwn(verbs, word);

/** One line for each kind of change, with its paths. */
export function defaultMessage(changes: readonly Pick<FileChange, "operation" | "path">[]): string {
  const lines = (["Add", "Update", "Delete"] as const).map((verb) => {
    const paths = changes.filter(({ operation }) => isOperation(operation) && verbs[operation] === verb).map(({ path }) => path);
    return paths.length === 0 ? "" : `${verb} ${paths.join(", ")}`;
  });
  return lines.filter((line) => line !== "").join("\n");
}

/** A commit's whole message. @compat one that is signed off has no newline at its end */
export function commitMessage(text: string, signedOffBy: Pick<Signature, "name" | "email"> | undefined): string {
  const trimmed = text.trim();
  if (signedOffBy === undefined) return `${trimmed}\n`;
  return `${trimmed}\n\nSigned-off-by: ${cleanIdentity(signedOffBy.name)} <${cleanIdentity(signedOffBy.email)}>`;
}
