import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { findEntry, readBlob, readCommit } from "../../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../../git/stores.ts";
import type { Oid, Signature } from "../../../../../git/types.ts";
import { gitIdentity } from "../../../../accounts/users/git-identity.ts";
import type { UserView } from "../../../../accounts/users/model.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../../repositories/branches/service/deps.ts";
import { branchPrefix } from "../../../../repositories/refs/model.ts";
import { findRef } from "../../../../repositories/refs/service/read.ts";
import { readableNames } from "../../../../repositories/repos/service/find.ts";
import { listClosing } from "../../../issues/references/service/merge-references.ts";
import {
  coAuthors,
  type DefaultMessages,
  defaultTitle,
  fillTemplate,
  joinMessage,
  type MergeMessageInput,
  splitMessage,
  templatePath,
} from "../../merge-message.ts";
import type { OfferedStyle } from "../../mergeability.ts";
import type { FoundPull } from "../../model.ts";
import type { PullDeps } from "../deps.ts";
import type { BuiltStyle, MergePlan } from "./build.ts";
import type { MergeRequest } from "./request.ts";

/** A longer template is ignored. */
const maxTemplateBytes = 64 * 1024;

/** Styles that create no commit of their own. */
const isSilent = (style: BuiltStyle): boolean => style === "rebase" || style === "fast-forward-only";

/** Committer and message of a merge. */
export async function composeMessage(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  { style, title, message, addsCoAuthors }: MergeRequest,
): Promise<Pick<MergePlan, "committer" | "author" | "message" | "sign">> {
  const now = { seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const committer: Signature = { ...gitIdentity(actor, deps.urls), ...now };
  const sign = deps.commitSigner?.sign;
  if (isSilent(style)) return { committer, author: committer, message: () => "", sign };
  const poster = await findOtherPoster(deps, actor, pull);
  const author = poster === undefined ? committer : { ...gitIdentity(poster, deps.urls), ...now };
  const withCoAuthors = (words: string, authors: readonly Signature[]): string =>
    joinMessage(words, [message, coAuthors(authors, author)].filter((part) => part !== "").join("\n\n"));
  if (title.trim() !== "") {
    return { committer, author, message: (authors) => (addsCoAuthors === true ? withCoAuthors(title, authors) : joinMessage(title, message)), sign };
  }
  const words = (await readDefaultWords(deps, { actor, repository, pull, posterName: poster?.name ?? actor.name }, [style])).get(style) ?? "";
  return { committer, author, message: (authors) => withCoAuthors(words, authors), sign };
}

/** The default messages of the styles that create a commit, without the co-authors of a squashed one. */
export async function loadDefaultMessages(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  styles: readonly OfferedStyle[],
): Promise<DefaultMessages> {
  const composed = styles.filter((style) => !isSilent(style));
  if (composed.length === 0) return new Map();
  const poster = await findOtherPoster(deps, actor, pull);
  const words = await readDefaultWords(deps, { actor, repository, pull, posterName: poster?.name ?? actor.name }, composed);
  return new Map([...words].map(([style, text]) => [style, splitMessage(joinMessage(text, ""))]));
}

/** The author of a pull request, if it is another user than the caller. */
async function findOtherPoster(deps: PullDeps, actor: UserActor, { issue: { posterId } }: FoundPull): Promise<UserView | undefined> {
  return posterId === null || posterId === actor.id ? undefined : (await loadUsers(deps, [posterId])).get(posterId);
}

/** A pull request that a user merges. */
interface MessageSubject {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly pull: FoundPull;
  readonly posterName: string;
}

/** The default title of each style, with the body of its template. */
async function readDefaultWords(deps: PullDeps, of: MessageSubject, styles: readonly BuiltStyle[]): Promise<ReadonlyMap<BuiltStyle, string>> {
  const input = await messageInputOf(deps, of);
  const templates = await readTemplates(deps, of.repository, styles);
  return new Map(
    styles.map((style) => {
      const template = templates.get(style);
      return [style, template === undefined ? defaultTitle(style, input) : fillTemplate(template, input)];
    }),
  );
}

async function messageInputOf(deps: PullDeps, { actor, repository, pull, posterName }: MessageSubject): Promise<MergeMessageInput> {
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

/** The message templates on the default branch. */
async function readTemplates(deps: PullDeps, repository: RepositorySubject, styles: readonly BuiltStyle[]): Promise<ReadonlyMap<BuiltStyle, string>> {
  const ref = await findRef(deps.db, repository.codeStoreId, branchPrefix + repository.defaultBranch);
  if (ref === undefined) return new Map();
  const store = codeStore(deps, repository);
  const tip = await readCommit(store, ref.oid);
  if (tip === undefined) return new Map();
  const templates = new Map<BuiltStyle, string>();
  for (const style of styles) {
    const text = await readText(store, tip.treeOid, templatePath(style));
    if (text !== undefined) templates.set(style, text);
  }
  return templates;
}

/** A file of a tree; undefined if it does not exist or is blank. */
async function readText(store: GitStore, treeOid: Oid, path: string): Promise<string | undefined> {
  const entry = await findEntry(store, treeOid, path);
  if (entry === undefined || (entry.mode !== "100644" && entry.mode !== "100755")) return undefined;
  const text = (await readBlob(store, entry.oid, maxTemplateBytes))?.data?.toString("utf8").replaceAll("\0", "");
  return text === undefined || text.trim() === "" ? undefined : text;
}
