import { encodePath, encodeSegment } from "../core/urls.ts";

/** Paths of pages, made in one place: what Gitea's clients, mails and links expect. Everything that is not a path already is encoded. */

export interface RepositoryName {
  readonly ownerName: string;
  readonly name: string;
}

/** A commit by what the page's address calls it. */
export interface RevName {
  readonly kind: "branch" | "tag" | "commit";
  readonly rev: string;
}

export const accountPath = (name: string): string => `/${encodeSegment(name)}`;
/** Repositories that have a topic. */
export const topicPath = (topic: string): string => withQuery("/explore/repos", { q: topic, topic: 1 });
export const repositoryPath = ({ ownerName, name }: RepositoryName): string => `/${encodeSegment(ownerName)}/${encodeSegment(name)}`;

const below = (repository: RepositoryName, part: string, { kind, rev }: RevName, path = ""): string =>
  `${repositoryPath(repository)}/${part}/${kind}/${encodePath(path === "" ? rev : `${rev}/${path}`)}`;

/** A file or directory; the root for the empty path. */
export const sourcePath = (repository: RepositoryName, at: RevName, path = ""): string => below(repository, "src", at, path);
export const rawPath = (repository: RepositoryName, at: RevName, path: string): string => below(repository, "raw", at, path);
/** The same, where git lfs keeps a file the file itself. */
export const mediaPath = (repository: RepositoryName, at: RevName, path: string): string => below(repository, "media", at, path);
/** A picture that a notebook holds, by its place among them. */
export const notebookPicturePath = (repository: RepositoryName, oid: string, path: string, index: number): string =>
  `${repositoryPath(repository)}/notebook/${encodePath(`${oid}/${path}`)}?picture=${index}`;
/** History, of one file or directory where a path is given. */
export const historyPath = (repository: RepositoryName, at: RevName, path = ""): string => below(repository, "commits", at, path);
/** History as a picture. */
export const graphPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/graph`;
export const contributorsPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/graphs/contributors`;
/** Who wrote which line of a file. */
export const blamePath = (repository: RepositoryName, at: RevName, path = ""): string => below(repository, "blame", at, path);
/** Where a file is changed, made, uploaded or deleted on a branch. */
export const editPath = (repository: RepositoryName, action: "edit" | "new" | "upload" | "delete", branch: string, path = ""): string =>
  `${repositoryPath(repository)}/_${action}/${encodePath(path === "" ? branch : `${branch}/${path}`)}`;
export const codeSearchPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/search`;
export const commitPath = (repository: RepositoryName, oid: string): string => `${repositoryPath(repository)}/commit/${oid}`;
/** Where a commit is carried over to a branch, or taken back. */
export const pickPath = (repository: RepositoryName, oid: string): string => `${repositoryPath(repository)}/_cherrypick/${oid}`;
/** What was done in a repository. */
export const activityPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/activity`;
/** Branches; below it what is done with them. */
export const branchesPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/branches${below}`;
export const tagsPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/tags${below}`;
/** An issue or a pull request: both answer here, and lead on. */
export const issuePath = (repository: RepositoryName, number: number): string => `${repositoryPath(repository)}/issues/${number}`;
export const pullPath = (repository: RepositoryName, number: number): string => `${repositoryPath(repository)}/pulls/${number}`;
/** What a head brings into a base: `base...head`, where the head can be `owner:branch`. */
export const comparePath = (repository: RepositoryName, basehead = ""): string =>
  `${repositoryPath(repository)}/compare${basehead === "" ? "" : `/${encodePath(basehead)}`}`;
/** A page of the wiki by its slug; the wiki itself for the empty one. */
export const wikiPath = (repository: RepositoryName, slug = ""): string => `${repositoryPath(repository)}/wiki${slug === "" ? "" : `/${encodeSegment(slug)}`}`;
export const releasesPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/releases`;
export const releasePath = (repository: RepositoryName, tag: string): string => `${releasesPath(repository)}/tag/${encodePath(tag)}`;
/** Where a release is made, or the one of a tag changed or deleted. */
export const releaseFormPath = (repository: RepositoryName, tag?: string, action: "edit" | "delete" = "edit"): string =>
  `${releasesPath(repository)}/${tag === undefined ? "new" : `${action}/${encodePath(tag)}`}`;
export const archivePath = (repository: RepositoryName, rev: string, ending: "zip" | "tar.gz"): string =>
  `${repositoryPath(repository)}/archive/${encodePath(rev)}.${ending}`;

/** What members and owners of an organization do with it; `accountPath` leads to what everybody sees. */
export const organizationPath = (name: string, below = ""): string => `/org/${encodeSegment(name)}${below}`;
export const settingsPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/settings${below}`;

/** The same page with other parameters; those that are empty are left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== "") search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}
