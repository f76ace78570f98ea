import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import { proposePull } from "../../../collaboration/pulls/service/propose.ts";
import { findOpenPulls } from "../../../collaboration/pulls/service/pushes.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { declined, proposalPrefix, type Refused } from "./push-policy.ts";
import type { PushCommand } from "./push-request.ts";

/** The last value of an option `name=value`; empty if missing. */
export const optionOf = (options: readonly string[], name: string): string =>
  options.findLast((option) => option.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

/** Opens or updates the pull request for a push to `refs/for/`. @returns its ref, or the reason for the refusal */
export async function takeProposal(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { name, newOid }: PushCommand,
  options: readonly string[],
): Promise<string | Refused> {
  if (newOid === null) return { refusal: declined, message: "a push cannot delete a proposal: close its pull request" };
  try {
    return await proposePull(deps, actor, repository, {
      name: name.slice(proposalPrefix.length),
      topic: optionOf(options, "topic"),
      title: optionOf(options, "title"),
      description: optionOf(options, "description"),
      headOid: newOid,
      isForced: ["true", "1"].includes(optionOf(options, "force-push")) || options.includes("force-push"),
    });
  } catch (error) {
    if (!isForgeError(error) || error.code === "unavailable") throw error;
    return { refusal: declined, message: error.message };
  }
}

const visit = (address: string): readonly string[] => ["", "Visit the existing pull request:", `  ${address}`, ""];

/** Links to the proposed pull requests, as lines for the user's terminal. @param refs the results of {@link takeProposal} */
export const proposalHints = (deps: PullDeps, { ownerName, name }: RepositorySubject, refs: Iterable<string>): readonly string[] =>
  [...refs].flatMap((ref) => visit(deps.urls.web(ownerName, name, "pulls", /\d+/.exec(ref)?.[0] ?? "")));

/** Maximum number of branches per push with a pull request hint. */
const maxHints = 5;

/** Links to the pushed branches' pull requests, existing or to be created, as lines for the user's terminal. Usually at most one statement. */
export async function pullHints(deps: PullDeps, actor: UserActor, repository: RepositorySubject, commands: readonly PushCommand[]): Promise<readonly string[]> {
  const branches = commands
    .filter(({ name, newOid }) => newOid !== null && name.startsWith(branchPrefix))
    .map(({ name }) => name.slice(branchPrefix.length))
    .filter((branch) => branch !== repository.defaultBranch)
    .slice(0, maxHints);
  if (branches.length === 0 || repository.isEmpty || !repository.enabledUnits.has("repo.pulls")) return [];
  const open = await findOpenPulls(deps, actor, repository, branches);
  return branches.flatMap((branch) => {
    const pull = open.get(branch);
    if (pull !== undefined) return visit(deps.urls.web(pull.ownerName, pull.name, "pulls", pull.number));
    return ["", `Create a new pull request for '${branch}':`, `  ${deps.urls.web(repository.ownerName, repository.name, "pulls", "new", branch)}`, ""];
  });
}
