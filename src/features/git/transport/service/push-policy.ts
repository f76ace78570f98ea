import { slicesOf } from "../../../../core/turns.ts";
import { isPushableRefName, isValidBranchName, isValidTagName } from "../../../../git/objects/ref-names.ts";
import type { ObjectType } from "../../../../git/types.ts";
import type { PushCommand } from "./push-request.ts";

/** Appended to each refused ref; git prints it in parentheses. */
export const declined = "pre-receive hook declined";

export interface Refused {
  /** On the ref's own line. */
  readonly refusal: string;
  /** Shown to the user before the report. */
  readonly message: string;
}

const refuse = (message: string, refusal = declined): Refused => ({ refusal, message });

/** The target of a push, code or wiki, with the pusher's permission. */
export interface PushedPart {
  readonly mayWrite: boolean;
  readonly defaultBranch: string;
  /** Branches that a user without write access may push to as a maintainer. */
  readonly maintained?: ReadonlySet<string>;
  /** Pushes to `refs/for/` open pull requests. */
  readonly takesProposals?: boolean;
}

/** Pushes below it open pull requests. */
export const proposalPrefix = "refs/for/";

export const isProposal = ({ name }: Pick<PushCommand, "name">): boolean => name.startsWith(proposalPrefix);

/** Refs that only the server moves: heads of pull requests, and refs that keep objects alive. */
const serverRefs = ["refs/pull/", "refs/hearth/"];

/**
 * Checks one command before any object has arrived: permission, name, default branch. Each ref is checked independently.
 * @returns undefined if the command is allowed
 */
export function checkCommand({ mayWrite, defaultBranch, maintained, takesProposals = false }: PushedPart, command: PushCommand): Refused | undefined {
  const { name, newOid } = command;
  if (isProposal(command) && takesProposals) return undefined;
  const isMaintained = newOid !== null && maintained?.has(name.replace(/^refs\/heads\//, "")) === true && name.startsWith("refs/heads/");
  if (!mayWrite && !isMaintained) return refuse("User permission denied for writing.");
  if (serverRefs.some((prefix) => name.startsWith(prefix))) return refuse(`${name} is managed by the server and cannot be pushed to`);
  if (isProposal(command)) return refuse("Pull requests cannot be opened by this push");
  if (newOid === null) {
    return name === `refs/heads/${defaultBranch}` ? refuse(`branch ${defaultBranch} is the default branch and cannot be deleted`) : undefined;
  }
  if (!isPushableRefName(name)) return refuse(`${name} cannot be the name of a ref`, "funny refname");
  const isBad = (name.startsWith("refs/heads/") && !isValidBranchName(name.slice(11))) || (name.startsWith("refs/tags/") && !isValidTagName(name.slice(10)));
  return isBad ? refuse(`${name} reads like a commit id, HEAD or an option: choose another name`, "funny refname") : undefined;
}

/** Checks all commands of a push. @returns the refused ones */
export async function checkCommands(part: PushedPart, commands: readonly PushCommand[]): Promise<ReadonlyMap<PushCommand, Refused>> {
  const refusals = new Map<PushCommand, Refused>();
  for await (const slice of slicesOf(commands, checkedTogether)) {
    for (const command of slice) {
      const refused = checkCommand(part, command);
      if (refused !== undefined) refusals.set(command, refused);
    }
  }
  return refusals;
}

/** Commands that are checked in one turn of the event loop. */
const checkedTogether = 1_000;

/** Checks the target of a ref after the objects have arrived. @param type undefined for a missing object */
export function checkTarget(command: PushCommand, type: ObjectType | undefined): Refused | undefined {
  if (command.newOid === null) return undefined;
  if (type === undefined) return refuse(`the object ${command.newOid} for ${command.name} was not sent`, "missing necessary objects");
  if (command.name.startsWith("refs/heads/") && type !== "commit")
    return refuse(`a branch must point to a commit, not to a ${type}`, "cannot update ref to a non-commit object");
  return undefined;
}
