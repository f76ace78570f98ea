import { anonymous, operator } from "../../../../access/actor.ts";
import { shownMessage } from "../../../../core/commit-message.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { RefUpdateEvent } from "../../../../events/events.ts";
import type { Oid } from "../../../../git/types.ts";
import type { PayloadCommit } from "../../../../wire/commit.ts";
import { presentVerification } from "../../../accounts/keys/present.ts";
import { gitTime } from "../../../repositories/branches/present.ts";
import type { CommitView } from "../../../repositories/commits/model.ts";
import { presentRepository } from "../../../repositories/repos/present.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import type { ToCompose } from "../service/compose.ts";
import { loadPayloadCommit, loadPushed } from "../service/pushed.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext, type PayloadContext, receiver } from "./payload-context.ts";

const branches = "refs/heads/";
const tags = "refs/tags/";

/** `push`, `create` or `delete` for one of the moved refs. */
export async function composeRef(deps: ComposeDeps, message: HookPayload<"refs.changed">): Promise<object | undefined> {
  const update = message.eventPayload.updates.find(({ name }) => name === message.subject);
  const context = await loadPayloadContext(deps, message);
  if (context === undefined || update === undefined) return undefined;
  if (message.event === "create") return composeCreate(deps, context, update);
  if (message.event === "delete") return composeDelete(context, update);
  return composePush(deps, context, { name: update.name, oldOid: update.oldOid, newOid: update.newOid ?? "" });
}

const kindOf = (name: string) => (name.startsWith(tags) ? "tag" : "branch");
const shortName = (name: string): string => name.slice(name.startsWith(tags) ? tags.length : branches.length);

/** @compat Gitea sends no permissions and no addresses in `create` (payloads.test.ts) */
const composeCreate = ({ urls }: ComposeDeps, { view, sender }: PayloadContext, { name, newOid }: RefUpdateEvent): object => ({
  sha: newOid,
  ref: shortName(name),
  ref_type: kindOf(name),
  repository: { ...presentRepository(view, anonymous, urls), permissions: { admin: false, push: false, pull: false } },
  sender,
});

const composeDelete = ({ repository, sender }: PayloadContext, { name }: RefUpdateEvent): object => ({
  ref: shortName(name),
  ref_type: kindOf(name),
  pusher_type: "user",
  repository,
  sender,
});

async function composePush(deps: ComposeDeps, context: PayloadContext, move: { name: string; oldOid: Oid | null; newOid: Oid }): Promise<object> {
  const { fullName, view, repository, sender } = context;
  const subject = await findRepositoryById(deps, view.id, operator);
  const { commits, total, head } = await loadPushed(deps, receiver, subject, move);
  const present = (commit: CommitView) => presentPayloadCommit(commit, fullName, deps.urls);
  const isFirst = move.oldOid === null && move.name === branches + view.defaultBranch;
  const compared = isFirst ? "" : deps.urls.web(fullName, "compare", `${move.oldOid ?? view.defaultBranch}...${move.newOid}`);
  return {
    ref: move.name,
    before: move.oldOid ?? "0".repeat(move.newOid.length),
    after: move.newOid,
    compare_url: compared,
    commits: commits.map(present),
    total_commits: total,
    head_commit: head === undefined ? null : present(head),
    repository,
    pusher: sender,
    sender,
  };
}

/** A push that moved no ref, to test a webhook. The subject is the ref and its commit. */
export async function composeTest(deps: ComposeDeps, message: ToCompose): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const { fullName, view, repository, sender } = context;
  const [name = "", oid = ""] = message.subject.split(" ");
  const subject = await findRepositoryById(deps, view.id, operator);
  const head = oid === "" ? undefined : await loadPayloadCommit(deps, receiver, subject, oid, { verification: true });
  // @compat a test delivery has the verification and no files, a push has the files and no verification (lists.test.ts, payloads.test.ts)
  const verification = head && presentVerification(head.commit, head.verdict);
  const commit = head && { ...presentPayloadCommit(head, fullName, deps.urls), verification, added: null, removed: null, modified: null };
  return {
    ref: name,
    before: oid,
    after: oid,
    compare_url: oid === "" ? "" : deps.urls.web(fullName, "compare", `${oid}...${oid}`),
    commits: commit === undefined ? [] : [commit],
    total_commits: commit === undefined ? 0 : 1,
    head_commit: commit ?? null,
    repository: { ...repository, permissions: { admin: false, push: false, pull: false } },
    pusher: sender,
    sender,
  };
}

/** A commit status. */
export async function composeStatus(deps: ComposeDeps, message: HookPayload<"status.created">): Promise<object | undefined> {
  const { eventPayload } = message;
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const subject = await findRepositoryById(deps, context.view.id, operator);
  const commit = await loadPayloadCommit(deps, receiver, subject, eventPayload.oid);
  const at = formatTime(message.createdMs);
  return {
    commit: commit === undefined ? null : presentPayloadCommit(commit, context.fullName, deps.urls),
    context: eventPayload.context,
    created_at: at,
    description: eventPayload.description,
    id: eventPayload.number,
    repository: context.repository,
    sender: context.sender,
    sha: eventPayload.oid,
    state: eventPayload.state,
    // @compat a status without a URL has that of the server (payloads.test.ts)
    target_url: eventPayload.targetUrl || `${deps.urls.origin}/`,
    updated_at: at,
  };
}

function presentPayloadCommit({ commit, author, committer, changes }: CommitView, fullName: string, urls: Urls): PayloadCommit {
  const paths = (wanted: string): readonly string[] => (changes?.files ?? []).flatMap(({ path, status }) => (status === wanted ? path : []));
  return {
    id: commit.oid,
    message: shownMessage(commit.message),
    url: urls.web(fullName, "commit", commit.oid),
    author: { name: commit.author.name, email: commit.author.email, username: author?.name ?? "" },
    committer: { name: commit.committer.name, email: commit.committer.email, username: committer?.name ?? "" },
    verification: null,
    timestamp: gitTime(commit.author),
    added: paths("added"),
    removed: paths("removed"),
    modified: paths("modified"),
  };
}
