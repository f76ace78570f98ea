import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { comparePath, sourcePath } from "../../../../ui/addresses.ts";
import { type TextsOf, textsFor } from "../../../../ui/texts/texts.ts";
import { text } from "../../../../wire/schema.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { CommitInput } from "../file-change.ts";
import { splitBranchPath } from "../service/editable.ts";
import type { ViewpointDeps } from "../service/viewpoint.ts";
import { editTexts } from "../texts/texts.ts";
import type { CommitTyped } from "../views/commit-box.tsx";

const page = { mount: "root", tag: "repository", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;

/** Declarations of pages that create commits in the repository. */
export const committingPage = { ...page, access: repository.editor } as const;

/** Declarations of pages that also create commits in forks, for users who can only read the repository. */
export const proposingPage = { ...page, access: repository.signedIn() } as const;

export const commitFields = { summary: text(), details: text(), target: text(), new_branch: text() };

export interface CommittingRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
  readonly params: { readonly filepath: string };
}

export const textsOf = (request: CommittingRequest): TextsOf<typeof editTexts> => textsFor(editTexts, pageReader(request).languages);

/** The branch and path of a new file. An empty repository accepts its default branch, which does not exist yet. */
export async function splitNew(deps: ViewpointDeps, { repository, params }: CommittingRequest): Promise<{ readonly branch: string; readonly path: string }> {
  return repository.isEmpty ? { branch: repository.defaultBranch, path: "" } : splitBranchPath(deps, repository, params.filepath);
}

/** An empty form, with an unused name for a new branch. */
export const freshCommit = ({ clock }: { readonly clock: Clock }, { name }: UserActor): CommitTyped => ({
  summary: "",
  details: "",
  target: "direct",
  new_branch: `${name}-patch-${Math.floor(clock.now() / 1000).toString(36)}`,
});

/** The fields that show errors about the branch. */
export const fieldOfBranch = {
  push_not_allowed: "new_branch",
  branch_exists: "new_branch",
  ref_conflict: "new_branch",
  invalid_ref_name: "new_branch",
} as const;

/** Author and committer default to the signed-in user. */
const noPerson = { name: "", email: "", time: undefined } as const;

/** Reads the commit fields of a form. @throws ForgeError `invalid` for a new branch without a name */
export function readCommit({ summary, details, target, new_branch: newBranch }: CommitTyped, branch: string, usualSummary: string): CommitInput {
  const isNew = target === "branch";
  if (isNew && newBranch.trim() === "") throw invalid("[NewBranch]: Required", { reason: "required" });
  const title = summary.trim() === "" ? usualSummary : summary.trim();
  return {
    branch,
    newBranch: isNew ? newBranch.trim() : "",
    isForced: false,
    message: details.trim() === "" ? title : `${title}\n\n${details.trim()}`,
    author: noPerson,
    committer: noPerson,
    isSignedOff: false,
  };
}

/** Redirects to a pull request form for a new branch, which is in the parent repository for a fork. Otherwise redirects to the result of the commit. */
export async function afterCommit(
  deps: { readonly db: Reader },
  { actor, repository }: Pick<CommittingRequest, "actor" | "repository">,
  { branch, newBranch }: CommitInput,
  path: string,
): Promise<RawReply> {
  if (newBranch === "") return seeOther(sourcePath(repository, { kind: "branch", rev: branch }, path));
  const { parent } = await getRepository(deps, actor, repository.id);
  if (parent === undefined) return seeOther(comparePath(repository, `${branch}...${newBranch}`));
  return seeOther(comparePath({ ownerName: parent.owner.name, name: parent.name }, `${parent.defaultBranch}...${repository.ownerName}:${newBranch}`));
}
