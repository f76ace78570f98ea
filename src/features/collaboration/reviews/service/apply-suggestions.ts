import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound, refused } from "../../../../core/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { TreeChange } from "../../../../git/merge/tree-edit.ts";
import { newBlob } from "../../../../git/objects/format.ts";
import { findEntry, readBlob } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { GitObject, Oid } from "../../../../git/types.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { type ChangeDeps, commitChange } from "../../../repositories/contents/service/change.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { PullDeps } from "../../pulls/service/deps.ts";
import { findPull } from "../../pulls/service/find.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import { findPushableHead } from "../../pulls/service/update.ts";
import type { PresentLines, ReviewCommentRow } from "../model.ts";
import { listCommentsById, resolveThread } from "../store/comments.ts";
import { suggestionOf } from "../suggestions.ts";
import { createLineFollower, type LineFollower } from "./follow-lines.ts";

export type ApplyDeps = PullDeps & ChangeDeps;

export interface SuggestionsQuery {
  /** Ids of comments with suggestions. */
  readonly commentIds: readonly number[];
  /** Empty: the default title. */
  readonly title: string;
}

/** Maximum number of suggestions per commit. */
const maxSuggestions = 100;
const maxFileBytes = 1024 * 1024;

/** Replacement for lines of a file. */
interface Replacement extends PresentLines {
  readonly lines: readonly string[];
}

/**
 * Commits suggested changes to the head in one commit by the caller, with the authors of the suggestions as co-authors, and resolves
 * the conversations.
 * @throws ForgeError `not_found` for unknown comments, `invalid` for comments without an applicable suggestion; `conflict` if lines
 * or head have changed;
 * `forbidden` for callers who cannot push to the head
 */
export async function applySuggestions(
  deps: ApplyDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  { commentIds, title }: SuggestionsQuery,
): Promise<void> {
  const pull = await findPull(deps, repository, number);
  if (pull.isClosed) throw invalid("suggestions cannot be applied to a closed or merged pull request", { reason: "pull_closed" });
  const head = await findPushableHead(deps, actor, repository, pull);
  if (head === undefined) throw forbidden("you cannot push to the head branch", { reason: "head_branch_read_only" });
  const comments = await requireSuggestions(deps, pull, commentIds);
  const replacements = await placeAll(await storeWithHead(deps, repository, pull), pull, comments);
  const noPerson = { name: "", email: "", time: undefined };
  const message = await messageFor(deps, actor, comments, title);
  const commit = { branch: pull.headBranch, newBranch: "", isForced: false, message, author: noPerson, committer: noPerson, isSignedOff: false };
  await commitChange(deps, actor, head, {
    commit,
    plan: (store, base) => {
      if (base?.oid !== pull.headOid) throw headMoved();
      return replaceLines(store, base.treeOid, replacements);
    },
    settle: async (tx) => {
      const { repoId, issueId, issue } = pull;
      for (const threadId of new Set(comments.map((comment) => comment.threadId))) {
        await resolveThread(tx, threadId, actor.id);
        const event = { repoId, issueId, number: issue.number, isPull: true, title: issue.title, threadId } as const;
        await recordEvent(tx, "review.conversation_resolved", event, { repoId, actorId: actor.id });
      }
    },
  });
}

const headMoved = () => conflict("the head branch has moved meanwhile: look at the suggestions again", { reason: "head_moved" });

async function requireSuggestions(deps: Pick<ApplyDeps, "db">, pull: FoundPull, ids: readonly number[]): Promise<readonly ReviewCommentRow[]> {
  const wanted = new Set(ids);
  if (wanted.size === 0) throw invalid("choose a suggestion", { reason: "nothing_chosen" });
  if (wanted.size > maxSuggestions)
    throw invalid(`at most ${maxSuggestions} suggestions can be applied in one commit`, { reason: { code: "too_many_items", max: maxSuggestions } });
  const found = (await listCommentsById(deps.db, pull.issueId, [...wanted])).filter(({ isDraft }) => !isDraft);
  if (found.length < wanted.size) throw notFound();
  for (const { side, content, resolverId } of found) {
    if (side === "old" || suggestionOf(content) === undefined) throw invalid("this comment contains no suggestion", { reason: "changed_meanwhile" });
    if (resolverId !== null) throw invalid("this conversation is already resolved", { reason: "changed_meanwhile" });
  }
  return found;
}

/**
 * Positions of the suggestions in the current head. @throws ForgeError `conflict` if their lines have changed, or two suggestions
 * overlap
 */
async function placeAll(store: GitStore, pull: FoundPull, comments: readonly ReviewCommentRow[]): Promise<readonly Replacement[]> {
  const follower = createLineFollower(store);
  const placed: Replacement[] = [];
  for (const comment of comments) placed.push(await place(follower, pull.headOid, comment));
  // From the end of each file, so that line numbers above stay valid.
  const ordered = placed.toSorted((a, b) => (a.path === b.path ? b.line - a.line : a.path < b.path ? -1 : 1));
  for (const [at, { path, line }] of ordered.entries()) {
    const above = ordered[at - 1];
    if (above?.path === path && line >= above.startLine) throw refused("two of the suggestions overlap", { reason: "suggestions_overlap" });
  }
  return ordered;
}

async function place(follower: LineFollower, headOid: Oid, { writtenOid, path, startLine, line, content }: ReviewCommentRow): Promise<Replacement> {
  const changed = () => conflict("the lines have changed since the suggestion was made", { reason: "lines_changed" });
  const present = await follower.followRange({ fromOid: writtenOid, toOid: headOid }, { path, startLine, line });
  if (present === undefined || present.line - present.startLine !== line - startLine) throw changed();
  const before = (await follower.linesOf(writtenOid, path))?.slice(startLine - 1, line);
  const now = (await follower.linesOf(headOid, present.path))?.slice(present.startLine - 1, present.line);
  if (before === undefined || before.join("\n") !== now?.join("\n")) throw changed();
  return { ...present, lines: suggestionOf(content) ?? [] };
}

/** Writes files with replaced lines. @param replacements by file, last lines first */
async function replaceLines(store: GitStore, treeOid: Oid, replacements: readonly Replacement[]) {
  const steps: TreeChange[] = [];
  const blobs: GitObject[] = [];
  for (const [path, ofFile] of Map.groupBy(replacements, (one) => one.path)) {
    const entry = await findEntry(store, treeOid, path);
    const data = entry === undefined || entry.mode === "040000" ? undefined : (await readBlob(store, entry.oid, maxFileBytes))?.data;
    const text = data?.toString("utf8");
    if (entry === undefined || entry.mode === "040000" || text === undefined || !Buffer.from(text, "utf8").equals(data as Buffer))
      throw refused(`suggestions can change only text files of up to 1 MiB [path: ${path}]`, { reason: "not_editable" });
    const lines = text.split("\n");
    for (const { startLine, line, lines: suggested } of ofFile) {
      const ending = lines[startLine - 1]?.endsWith("\r") ? "\r" : "";
      lines.splice(startLine - 1, line - startLine + 1, ...suggested.map((one) => one + ending));
    }
    const blob = newBlob(store.format, Buffer.from(lines.join("\n"), "utf8"));
    blobs.push(blob);
    steps.push({ kind: "put", path, mode: entry.mode, oid: blob.oid });
  }
  return { steps, blobs };
}

/** Co-authors are `Co-authored-by` trailers, as other forges parse them. */
async function messageFor(deps: ApplyDeps, actor: UserActor, comments: readonly ReviewCommentRow[], title: string): Promise<string> {
  const ids = [...new Set(comments.flatMap(({ posterId }) => (posterId === null || posterId === actor.id ? [] : posterId)))];
  const authors = await loadUsers(deps, ids);
  const lines = ids.flatMap((id) => {
    const author = authors.get(id);
    if (author === undefined) return [];
    const { name, email } = gitIdentity(author, deps.urls);
    return `Co-authored-by: ${name} <${email}>`;
  });
  const words = title.trim() === "" ? (comments.length === 1 ? "Apply a suggestion from review" : "Apply suggestions from review") : title.trim();
  return [words, ...(lines.length === 0 ? [] : ["", ...lines])].join("\n");
}
