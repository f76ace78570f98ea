import type { RepositorySubject } from "../../../access/subjects.ts";
import { formatTime, zeroTime } from "../../../core/time.ts";
import { mapInTurns } from "../../../core/turns.ts";
import { encodePath, type Urls } from "../../../core/urls.ts";
import type { Commit, FileMode, Signature } from "../../../git/types.ts";
import type { CommitUser } from "../../../wire/commit.ts";
import type { ContentsExtResponse, ContentsResponse, FileCommitResponse, FileResponse, FilesResponse } from "../../../wire/contents.ts";
import { presentVerification } from "../../accounts/keys/present.ts";
import { gitTime } from "../branches/present.ts";
import { createGitUrls, type GitUrls } from "../repos/git-urls.ts";
import type { ChangeView, ContentsView, EntryView, Viewpoint } from "./model.ts";

type Named = Pick<RepositorySubject, "ownerName" | "name">;

/** URLs for entries at one commit. Their common parts are built once for all entries of a directory. */
interface ContentsUrls {
  readonly contents: string;
  /** `?ref=main`. */
  readonly query: string;
  readonly pages: string;
  readonly downloads: string;
  readonly git: GitUrls;
}

function createContentsUrls(at: Viewpoint, { ownerName, name }: Named, urls: Urls): ContentsUrls {
  const web = urls.web(ownerName, name);
  const rev = encodePath(at.kind === "commit" ? at.commit.oid : at.rev);
  return {
    contents: urls.api("repos", ownerName, name, "contents"),
    query: `?${new URLSearchParams({ ref: at.rev })}`,
    pages: `${web}/src/${at.kind}/${rev}`,
    downloads: `${web}/raw/${at.kind}/${rev}`,
    git: createGitUrls({ ownerName, name }, urls),
  };
}

const types: Readonly<Record<FileMode, ContentsResponse["type"]>> = {
  "040000": "dir",
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
  "160000": "submodule",
};

function presentEntry(entry: EntryView, urls: ContentsUrls, shows: { readonly message: boolean }): ContentsResponse {
  const type = types[entry.mode];
  const path = encodePath(entry.path);
  const { lastCommit, content, pointer } = entry;
  const isOurs = type !== "submodule";
  const self = `${urls.contents}/${path}${urls.query}`;
  const html = isOurs ? `${urls.pages}/${path}` : null;
  // @compat the URL of a directory is that of a blob with its id (contents/read.test.ts)
  const git = isOurs ? urls.git.blob(entry.oid) : null;
  return {
    name: entry.path.slice(entry.path.lastIndexOf("/") + 1),
    path: entry.path,
    sha: entry.oid,
    last_commit_sha: lastCommit?.oid,
    last_committer_date: lastCommit && gitTime(lastCommit.committer),
    last_author_date: lastCommit && gitTime(lastCommit.author),
    last_commit_message: shows.message ? lastCommit?.message : undefined,
    type,
    size: entry.sizeBytes,
    encoding: content === undefined ? null : "base64",
    content: content?.toString("base64") ?? null,
    target: entry.target ?? null,
    url: self,
    html_url: html,
    git_url: git,
    download_url: isOurs && type !== "dir" ? `${urls.downloads}/${path}` : null,
    submodule_git_url: entry.submoduleUrl ?? null,
    _links: { self, git, html },
    lfs_oid: pointer?.oid,
    lfs_size: pointer?.sizeBytes,
  };
}

/** An object for a file, a list of entries for a directory. */
export async function presentContents({ at, found }: ContentsView, repository: Named, urls: Urls): Promise<ContentsResponse | readonly ContentsResponse[]> {
  const { file_contents, dir_contents = [] } = await presentExtended({ at, found }, { repository, urls, shows: { message: false } });
  return file_contents ?? dir_contents;
}

interface ExtendedPlace {
  readonly repository: Named;
  readonly urls: Urls;
  readonly shows: { readonly message: boolean };
}

/** A directory can have thousands of entries, which are presented with turns of the event loop between them. */
export async function presentExtended({ at, found }: ContentsView, { repository, urls, shows }: ExtendedPlace): Promise<ContentsExtResponse> {
  const links = createContentsUrls(at, repository, urls);
  if ("file" in found) return { file_contents: presentEntry(found.file, links, shows) };
  const entries = await mapInTurns(
    found.directory,
    (entry) => presentEntry(entry, links, shows),
    () => 10,
  );
  return { dir_contents: entries };
}

/** Missing files are null. */
export function presentFiles(
  { at, files }: { readonly at: Viewpoint; readonly files: readonly (EntryView | null)[] },
  repository: Named,
  urls: Urls,
): readonly (ContentsResponse | null)[] {
  const links = createContentsUrls(at, repository, urls);
  return files.map((entry) => entry && presentEntry(entry, links, { message: false }));
}

// @compat only this response shows times in UTC, regardless of the commit's offset (contents/change.test.ts)
const presentUtc = ({ name, email, seconds }: Signature): CommitUser => ({ name, email, date: formatTime(seconds * 1000) });

/** The commit created by a change of files. */
function presentFileCommit(commit: Commit, repository: Named, urls: Urls): FileCommitResponse {
  const git = createGitUrls(repository, urls);
  return {
    url: git.commit(commit.oid),
    sha: commit.oid,
    created: zeroTime,
    html_url: git.commitPage(commit.oid),
    author: presentUtc(commit.author),
    committer: presentUtc(commit.committer),
    parents: commit.parentOids.map((oid) => ({ url: git.commit(oid), sha: oid, created: zeroTime })),
    message: commit.message,
    tree: { url: git.tree(commit.treeOid), sha: commit.treeOid, created: zeroTime },
  };
}

export const presentChange = ({ at, files }: ChangeView, repository: Named, urls: Urls): FileResponse => ({
  content: presentFiles({ at, files }, repository, urls)[0] ?? null,
  commit: presentFileCommit(at.commit, repository, urls),
  verification: presentVerification(at.commit),
});

// @compat a change without files has null instead of a list (contents/change.test.ts)
export const presentChanges = ({ at, files }: ChangeView, repository: Named, urls: Urls): FilesResponse => ({
  files: files.length === 0 ? null : presentFiles({ at, files }, repository, urls),
  commit: presentFileCommit(at.commit, repository, urls),
  verification: presentVerification(at.commit),
});
