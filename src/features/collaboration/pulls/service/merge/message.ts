import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { findEntry, readBlob, readCommit } from "../../../../../git/objects/objects.ts";
import type { Signature } from "../../../../../git/types.ts";
import { gitIdentity } from "../../../../accounts/users/git-identity.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../../repositories/branches/service/deps.ts";
import { branchPrefix } from "../../../../repositories/refs/model.ts";
import { findRef } from "../../../../repositories/refs/service/read.ts";
import { readableNames } from "../../../../repositories/repos/service/find.ts";
import { listClosing } from "../../../issues/references/service/merge-references.ts";
import { coAuthors, defaultTitle, fillTemplate, joinMessage, type MergeMessageInput, templatePath } from "../../merge-message.ts";
import type { FoundPull } from "../../model.ts";
import type { PullDeps } from "../deps.ts";
import type { MergePlan } from "./build.ts";
import type { MergeRequest } from "./request.ts";

/** A longer template is ignored. */
const maxTemplateBytes = 64 * 1024;

/** Committer and message of a merge. */
export async function composeMessage(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  { style, title, message }: MergeRequest,
): Promise<Pick<MergePlan, "committer" | "author" | "message" | "sign">> {
  const now = { seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const committer: Signature = { ...gitIdentity(actor, deps.urls), ...now };
  const sign = deps.commitSigner?.sign;
  const isSilent = style === "rebase" || style === "fast-forward-only";
  if (isSilent) return { committer, author: committer, message: () => "", sign };
  const posterId = pull.issue.posterId;
  const poster = posterId === null || posterId === actor.id ? undefined : (await loadUsers(deps, [posterId])).get(posterId);
  const author = poster === undefined ? committer : { ...gitIdentity(poster, deps.urls), ...now };
  if (title.trim() !== "") return { committer, author, message: () => joinMessage(title, message), sign };
  const facts = await factsOf(deps, actor, repository, pull, poster?.name ?? actor.name);
  const template = await readTemplate(deps, repository, templatePath(style));
  const words = template === undefined ? defaultTitle(style, facts) : fillTemplate(template, facts);
  const compose = (authors: readonly Signature[]): string =>
    joinMessage(words, [message, coAuthors(authors, author)].filter((part) => part !== "").join("\n\n"));
  return { committer, author, message: compose, sign };
}

async function factsOf(deps: PullDeps, actor: UserActor, repository: RepositorySubject, pull: FoundPull, posterName: string): Promise<MergeMessageInput> {
  const { ownerName, name } = repository;
  const { headRepoId, headBranch: branch, issue, number } = pull;
  const isHere = headRepoId === repository.id;
  const fullName = isHere || headRepoId === null ? undefined : (await readableNames(deps, actor, [headRepoId])).get(headRepoId);
  const [headOwner = "", headName = ""] = fullName?.split("/") ?? [];
  const head = isHere ? { ownerName, name, branch } : fullName === undefined ? undefined : { ownerName: headOwner, name: headName, branch };
  return {
    number,
    title: issue.title,
    description: issue.content,
    posterName,
    base: { ownerName, name, branch: pull.baseBranch },
    head,
    page: deps.urls.web(ownerName, name, "pulls", number),
    closingIssues: (await listClosing(deps.db, issue)).map((closing) => `#${closing}`).join(", "),
  };
}

/** A file of the default branch; undefined if it does not exist. */
async function readTemplate(deps: PullDeps, repository: RepositorySubject, path: string): Promise<string | undefined> {
  const ref = await findRef(deps.db, repository.codeStoreId, branchPrefix + repository.defaultBranch);
  if (ref === undefined) return undefined;
  const store = codeStore(deps, repository);
  const tip = await readCommit(store, ref.oid);
  const entry = tip && (await findEntry(store, tip.treeOid, path));
  if (entry === undefined || (entry.mode !== "100644" && entry.mode !== "100755")) return undefined;
  const text = (await readBlob(store, entry.oid, maxTemplateBytes))?.data?.toString("utf8").replaceAll("\0", "");
  return text === undefined || text.trim() === "" ? undefined : text;
}
