import type { Actor } from "../../../access/actor.ts";
import { formatTime, zeroTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { ObjectType, Oid, Signature } from "../../../git/types.ts";
import type { Branch } from "../../../wire/branch.ts";
import type { CommitUser, PayloadCommit, PayloadUser } from "../../../wire/commit.ts";
import type { DeletedBranch } from "../../../wire/deleted-branch.ts";
import type { Reference } from "../../../wire/git-data.ts";
import type { AnnotatedTag, Tag } from "../../../wire/tag.ts";
import { presentVerification } from "../../accounts/keys/present.ts";
import { presentUser } from "../../accounts/users/present.ts";
import type { AnnotatedTagView, BranchView, DeletedBranchView, ReferenceView, TagView, TipView } from "./model.ts";

/** The repository that URLs point to, as `owner/name`. */
interface Place {
  readonly fullName: string;
}

/** Formats a git timestamp in the time zone recorded in the object. */
export const gitTime = ({ seconds, offsetMinutes }: Signature): string => formatTime(seconds * 1000, offsetMinutes);

const presentPerson = ({ name, email }: Signature, username: string): PayloadUser => ({ name, email, username });

export const presentCommitUser = (person: Signature): CommitUser => ({ name: person.name, email: person.email, date: gitTime(person) });

/** The commit format of branches and push payloads. */
export const presentTip = ({ commit, verdict, authorUsername, committerUsername }: TipView, { fullName }: Place, urls: Urls): PayloadCommit => ({
  id: commit.oid,
  message: commit.message,
  // @compat Gitea sends the URL of the web page, not of the API (branches/branches.test.ts)
  url: urls.web(fullName, "commit", commit.oid),
  author: presentPerson(commit.author, authorUsername),
  committer: presentPerson(commit.committer, committerUsername),
  verification: presentVerification(commit, verdict),
  timestamp: gitTime(commit.author),
  added: null,
  removed: null,
  modified: null,
});

export const presentDeletedBranch = ({ id, name, oid, deleter, deletedMs, untilMs }: DeletedBranchView, actor: Actor, urls: Urls): DeletedBranch => ({
  id,
  name,
  commit_id: oid,
  deleted_by: deleter === undefined ? null : presentUser(deleter, actor, urls),
  deleted_at: formatTime(deletedMs),
  kept_until: formatTime(untilMs),
});

export const presentBranch = (branch: BranchView, place: Place, urls: Urls): Branch => ({
  name: branch.name,
  commit: presentTip(branch.tip, place, urls),
  protected: branch.rule !== undefined,
  required_approvals: branch.rule?.settings.requiredApprovals ?? 0,
  enable_status_check: branch.rule?.settings.hasStatusChecks ?? false,
  // @compat null for a rule without contexts (protections/api.test.ts)
  status_check_contexts: branch.rule === undefined ? [] : branch.rule.settings.statusContexts,
  user_can_push: branch.canPush,
  user_can_merge: branch.canMerge,
  effective_branch_protection_name: branch.showsRules ? (branch.rule?.pattern ?? "") : "",
});

export const presentTag = (tag: TagView, { fullName }: Place, urls: Urls): Tag => ({
  name: tag.name,
  message: tag.message.trim(),
  id: tag.oid,
  commit: {
    // @compat the URL ends in the id of the tag object if there is one (branches/branches.test.ts)
    url: urls.api("repos", fullName, "git/commits", tag.oid),
    sha: tag.targetOid,
    created: tag.tagger === undefined ? zeroTime : gitTime(tag.tagger),
  },
  zipball_url: urls.web(fullName, "archive", `${tag.name}.zip`),
  tarball_url: urls.web(fullName, "archive", `${tag.name}.tar.gz`),
});

export const presentAnnotatedTag = (tag: AnnotatedTagView, place: Place, urls: Urls): AnnotatedTag => ({
  tag: tag.name,
  sha: tag.oid,
  url: objectUrl("tag", tag.oid, place, urls),
  message: tag.message,
  tagger: tag.tagger === undefined ? null : presentCommitUser(tag.tagger),
  object: { type: tag.targetType, url: objectUrl(tag.targetType, tag.targetOid, place, urls), sha: tag.targetOid },
  verification: presentVerification(tag, tag.verdict),
});

export const presentReference = (ref: ReferenceView, place: Place, urls: Urls): Reference => ({
  ref: ref.name,
  url: urls.api("repos", place.fullName, "git", ref.name),
  object: { type: ref.type, sha: ref.oid, url: objectUrl(ref.type, ref.oid, place, urls) },
});

const objectUrl = (type: ObjectType, oid: Oid, { fullName }: Place, urls: Urls): string => urls.api("repos", fullName, `git/${type}s`, oid);
