import { anonymous, operator, type UserActor } from "../../../../access/actor.ts";
import { shownMessage } from "../../../../core/commit-message.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { RefUpdateEvent } from "../../../../events/events.ts";
import type { Repository } from "../../../../wire/repository.ts";
import type { User } from "../../../../wire/user.ts";
import { ghost } from "../../../accounts/users/ghost.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { PullView } from "../../../collaboration/pulls/model.ts";
import { createPullPresenter } from "../../../collaboration/pulls/present.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import { loadPushed } from "../../../integrations/hooks/service/pushed.ts";
import { gitTime } from "../../../repositories/branches/present.ts";
import type { CommitView } from "../../../repositories/commits/model.ts";
import { presentRepository } from "../../../repositories/repos/present.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";

/** Payloads are presented as any signed-in user sees them, so that jobs see no hidden address. */
const viewer: UserActor = { ...operator, isAdmin: false };

export interface Common {
  readonly repository: Repository;
  readonly sender: User;
}

/** The parts of every payload. */
export async function commonPayload(deps: PullDeps, repoId: number, actorId: number | null): Promise<Common> {
  const view = await getRepository(deps, operator, repoId);
  const actor = actorId === null ? view.owner : ((await loadUsers(deps, [actorId])).get(actorId) ?? ghost);
  return { repository: presentRepository(view, viewer, deps.urls), sender: presentUser(actor, anonymous, deps.urls, "none") };
}

export async function pushPayload(deps: PullDeps, repoId: number, actorId: number | null, move: RefUpdateEvent & { readonly newOid: string }): Promise<object> {
  const common = await commonPayload(deps, repoId, actorId);
  const subject = await findRepositoryById(deps, repoId, operator);
  const { commits, total, head } = await loadPushed(deps, viewer, subject, move);
  const present = (commit: CommitView) => presentCommit(commit, subject.fullName, deps.urls);
  return {
    ref: move.name,
    before: move.oldOid ?? "0".repeat(move.newOid.length),
    after: move.newOid,
    created: move.oldOid === null,
    deleted: false,
    compare_url: deps.urls.web(subject.fullName, "compare", `${move.oldOid ?? subject.defaultBranch}...${move.newOid}`),
    commits: commits.map(present),
    total_commits: total,
    head_commit: head === undefined ? null : present(head),
    pusher: common.sender,
    ...common,
  };
}

export async function pullPayload(deps: PullDeps, repoId: number, actorId: number | null, pull: PullView, action: string): Promise<object> {
  const common = await commonPayload(deps, repoId, actorId);
  return { action, number: pull.number, pull_request: createPullPresenter(viewer, deps.urls, { isList: false })(pull), ...common };
}

const presentCommit = ({ commit, author, committer, changes }: CommitView, fullName: string, urls: Urls): object => {
  const paths = (wanted: string): readonly string[] => (changes?.files ?? []).flatMap(({ path, status }) => (status === wanted ? path : []));
  return {
    id: commit.oid,
    message: shownMessage(commit.message, 10_000),
    url: urls.web(fullName, "commit", commit.oid),
    author: { name: commit.author.name, email: commit.author.email, username: author?.name ?? "" },
    committer: { name: commit.committer.name, email: commit.committer.email, username: committer?.name ?? "" },
    verification: null,
    timestamp: gitTime(commit.author),
    added: paths("added"),
    removed: paths("removed"),
    modified: paths("modified"),
  };
};
