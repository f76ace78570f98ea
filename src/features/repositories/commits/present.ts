import { zeroTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Oid } from "../../../git/types.ts";
import type { Commit, CommitMeta, Compare, Note } from "../../../wire/commit.ts";
import type { GitBlobResponse, GitEntry, GitTreeResponse } from "../../../wire/git-data.ts";
import type { User } from "../../../wire/user.ts";
import { presentVerification } from "../../accounts/keys/present.ts";
import type { UserView } from "../../accounts/users/model.ts";
import { presentUser } from "../../accounts/users/present.ts";
import { gitTime, presentCommitUser } from "../branches/present.ts";
import type { GitUrls } from "../repos/git-urls.ts";
import { readLfsPointer } from "./lfs-pointer.ts";
import type { BlobView, CommitChanges, CommitDetail, CommitView, Comparison, NoteView, TreePage, TreePageEntry } from "./model.ts";

/** The inputs for presenting commits, besides the commits themselves. */
export interface CommitLocation {
  readonly urls: Urls;
  readonly git: GitUrls;
  readonly detail: CommitDetail;
}

export function presentCommit({ commit, verdict, author, committer, changes }: CommitView, { urls, git, detail }: CommitLocation): Commit {
  const created = gitTime(commit.committer);
  const url = git.commit(commit.oid);
  return {
    url,
    sha: commit.oid,
    created,
    html_url: git.commitPage(commit.oid),
    commit: {
      url,
      author: presentCommitUser(commit.author),
      committer: presentCommitUser(commit.committer),
      message: commit.message,
      // @compat the commit's own id, also in the URL; both lead to its tree (commits/api.test.ts)
      tree: { url: git.tree(commit.oid), sha: commit.oid, created },
      verification: detail.verification ? presentVerification(commit, verdict) : null,
    },
    author: presentPerson(author, urls),
    committer: presentPerson(committer, urls),
    parents: commit.parentOids.map((oid) => presentParent(oid, git)),
    files: detail.files ? presentFiles(changes) : null,
    stats: detail.stats ? presentStats(changes) : null,
  };
}

/** Private account fields are never included. */
const presentPerson = (user: UserView | undefined, urls: Urls): User | null =>
  user === undefined ? null : presentUser(user, { kind: "anonymous" }, urls, "none");

const presentParent = (oid: Oid, git: GitUrls): CommitMeta => ({ url: git.commit(oid), sha: oid, created: zeroTime });

const presentFiles = (changes: CommitChanges | undefined): Commit["files"] => (changes?.files ?? []).map(({ path, status }) => ({ filename: path, status }));

const presentStats = ({ additions, deletions }: Pick<CommitChanges, "additions" | "deletions"> = { additions: 0, deletions: 0 }): Commit["stats"] => ({
  total: additions + deletions,
  additions,
  deletions,
});

export const presentComparison = ({ total, commits }: Comparison, place: CommitLocation): Compare => ({
  total_commits: total,
  commits: commits.map((commit) => presentCommit(commit, place)),
});

export const presentNote = ({ message, commit }: NoteView, place: CommitLocation): Note => ({ message, commit: presentCommit(commit, place) });

export const presentTree = ({ oid, entries, page, total, isTruncated }: TreePage, git: GitUrls): GitTreeResponse => ({
  sha: oid,
  url: git.tree(oid),
  // @compat a page without entries is null (commits/objects.test.ts)
  tree: entries.length === 0 ? null : entries.map((entry) => presentEntry(entry, git)),
  truncated: isTruncated,
  page,
  total_count: total,
});

const presentEntry = ({ path, mode, type, oid, sizeBytes }: TreePageEntry, git: GitUrls): GitEntry => ({
  path,
  mode,
  type,
  size: sizeBytes,
  sha: oid,
  url: type === "tree" ? git.tree(oid) : type === "blob" ? git.blob(oid) : "",
});

/** A blob that is too large to return has neither content nor encoding. */
export function presentBlob({ oid, sizeBytes, data }: BlobView, git: GitUrls): GitBlobResponse {
  const pointer = data && readLfsPointer(data);
  return {
    content: data?.toString("base64") ?? null,
    encoding: data === undefined ? null : "base64",
    url: git.blob(oid),
    sha: oid,
    size: sizeBytes,
    ...(pointer && { lfs_oid: pointer.oid, lfs_size: pointer.sizeBytes }),
  };
}
