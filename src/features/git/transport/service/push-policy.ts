import { isPushableRefName, isValidBranchName, isValidTagName } from "../../../../git/objects/ref-names.ts";
import type { ObjectType } from "../../../../git/types.ts";
import type { PushCommand } from "./push-request.ts";

/** Said at the end of each refused ref; git prints it in parentheses. */
export const declined = "pre-receive hook declined";

export interface Refused {
  /** On the ref's own line. */
  readonly refusal: string;
  /** For the person, before the report. */
  readonly message: string;
}

const refuse = (message: string, refusal = declined): Refused => ({ refusal, message });

/** What a push goes to: the code of a repository or its wiki, as whoever pushes has it. */
export interface PushedPart {
  readonly mayWrite: boolean;
  readonly defaultBranch: string;
  /** Branches that somebody who does not write all moves all the same. */
  readonly maintained?: ReadonlySet<string>;
  /** Pushes to `refs/for/` open pull requests. */
  readonly takesProposals?: boolean;
}

/** Refs that only the server moves: heads of pull requests, and what keeps objects alive. */
const serverRefs = ["refs/pull/", "refs/hearth/"];

/**
 * Judges one command by what is known before any object has come: the right, the name, the default branch. Each ref is judged on its own.
 * @returns undefined when nothing speaks against it
 */
export function checkCommand({ mayWrite, defaultBranch, maintained, takesProposals = false }: PushedPart, command: PushCommand): Refused | undefined {
  const { name, newOid } = command;
  if (name.startsWith("refs/for/") && takesProposals) return undefined;
  const isMaintained = newOid !== null && maintained?.has(name.replace(/^refs\/heads\//, "")) === true && name.startsWith("refs/heads/");
  if (!mayWrite && !isMaintained) return refuse("User permission denied for writing.");
  if (serverRefs.some((prefix) => name.startsWith(prefix))) return refuse(`${name} is kept by the server and cannot be pushed to`);
  if (name.startsWith("refs/for/")) return refuse("Pull requests are not opened from here");
  if (newOid === null) {
    return name === `refs/heads/${defaultBranch}` ? refuse(`branch ${defaultBranch} is the default branch and cannot be deleted`) : undefined;
  }
  if (!isPushableRefName(name)) return refuse(`${name} cannot be the name of a ref`, "funny refname");
  const isBad = (name.startsWith("refs/heads/") && !isValidBranchName(name.slice(11))) || (name.startsWith("refs/tags/") && !isValidTagName(name.slice(10)));
  return isBad ? refuse(`${name} reads like a commit id, HEAD or an option: choose another name`, "funny refname") : undefined;
}

/** Judges what a ref is to point to, once the objects are there. @param type undefined when there is no such object */
export function checkTarget(command: PushCommand, type: ObjectType | undefined): Refused | undefined {
  if (command.newOid === null) return undefined;
  if (type === undefined) return refuse(`the object ${command.newOid} for ${command.name} was not sent`, "missing necessary objects");
  if (command.name.startsWith("refs/heads/") && type !== "commit")
    return refuse(`a branch points to a commit, not to a ${type}`, "cannot update ref to a non-commit object");
  return undefined;
}
