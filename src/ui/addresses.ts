import { encodePath, encodeSegment } from "../core/urls.ts";

/** Paths of pages, as Gitea's clients, emails and links expect them. Segments are encoded; arguments that are paths already are not. */

export interface RepositoryName {
  readonly ownerName: string;
  readonly name: string;
}

/** A commit, and its name in the path of the page. */
export interface RevName {
  readonly kind: "branch" | "tag" | "commit";
  readonly rev: string;
}

export const accountPath = (name: string): string => `/${encodeSegment(name)}`;
/** The contribution calendar of a user, as a part of pages. */
export const contributionsPath = (name: string): string => `${accountPath(name)}/-/contributions`;
/** Repositories with a topic. */
export const topicPath = (topic: string): string => withQuery("/explore/repos", { q: topic, topic: 1 });
export const repositoryPath = ({ ownerName, name }: RepositoryName): string => `/${encodeSegment(ownerName)}/${encodeSegment(name)}`;

const below = (repository: RepositoryName, part: string, { kind, rev }: RevName, path = ""): string =>
  `${repositoryPath(repository)}/${part}/${kind}/${encodePath(path === "" ? rev : `${rev}/${path}`)}`;

/** A file or directory; the root for an empty path. */
export const sourcePath = (repository: RepositoryName, at: RevName, path = ""): string => below(repository, "src", at, path);
export const rawPath = (repository: RepositoryName, at: RevName, path: string): string => below(repository, "raw", at, path);
/** The file, or the Git LFS object that it points to. */
export const mediaPath = (repository: RepositoryName, at: RevName, path: string): string => below(repository, "media", at, path);
/** An image in a notebook, by its index. */
export const notebookPicturePath = (repository: RepositoryName, oid: string, path: string, index: number): string =>
  `${repositoryPath(repository)}/notebook/${encodePath(`${oid}/${path}`)}?picture=${index}`;
/** The history of a file or directory; of the whole repository for an empty path. */
export const historyPath = (repository: RepositoryName, at: RevName, path = ""): string => below(repository, "commits", at, path);
/** The commit graph. */
export const graphPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/graph`;
export const contributorsPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/graphs/contributors`;
/** The blame of a file. */
export const blamePath = (repository: RepositoryName, at: RevName, path = ""): string => below(repository, "blame", at, path);
/** The form that edits, creates, uploads or deletes a file on a branch. */
export const editPath = (repository: RepositoryName, action: "edit" | "new" | "upload" | "delete", branch: string, path = ""): string =>
  `${repositoryPath(repository)}/_${action}/${encodePath(path === "" ? branch : `${branch}/${path}`)}`;
/** The page that finds files by their path. */
export const findFilePath = (repository: RepositoryName, at: RevName): string => below(repository, "find", at);
export const codeSearchPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/search`;
export const commitPath = (repository: RepositoryName, oid: string): string => `${repositoryPath(repository)}/commit/${oid}`;
/** The branches and tags that contain a commit. */
export const containingPath = (repository: RepositoryName, oid: string): string => `${repositoryPath(repository)}/branch_commits/${oid}`;
/** The form that cherry-picks or reverts a commit. */
export const pickPath = (repository: RepositoryName, oid: string): string => `${repositoryPath(repository)}/_cherrypick/${oid}`;
export const activityPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/activity`;
/** The list of branches, or a page below it. */
export const branchesPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/branches${below}`;
export const tagsPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/tags${below}`;
/** An issue or pull request; the address of a pull request redirects to its own page. */
export const issuePath = (repository: RepositoryName, number: number): string => `${repositoryPath(repository)}/issues/${number}`;
export const pullPath = (repository: RepositoryName, number: number): string => `${repositoryPath(repository)}/pulls/${number}`;
/** Leads to the comparison that proposes a branch: to the parent of a fork, if the reader can open pull requests there. */
export const pullsOfBranchPath = (repository: RepositoryName, branch: string): string => `${repositoryPath(repository)}/pulls/new/${encodePath(branch)}`;
/** A comparison `base...head`; the head can be `owner:branch`. */
export const comparePath = (repository: RepositoryName, basehead = ""): string =>
  `${repositoryPath(repository)}/compare${basehead === "" ? "" : `/${encodePath(basehead)}`}`;
/** A wiki page by its slug; the wiki itself for an empty slug. */
export const wikiPath = (repository: RepositoryName, slug = ""): string => `${repositoryPath(repository)}/wiki${slug === "" ? "" : `/${encodeSegment(slug)}`}`;
export const releasesPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/releases`;
export const releasePath = (repository: RepositoryName, tag: string): string => `${releasesPath(repository)}/tag/${encodePath(tag)}`;
/** The form that creates a release, or edits or deletes the release of a tag. */
export const releaseFormPath = (repository: RepositoryName, tag?: string, action: "edit" | "delete" = "edit"): string =>
  `${releasesPath(repository)}/${tag === undefined ? "new" : `${action}/${encodePath(tag)}`}`;
export const archivePath = (repository: RepositoryName, rev: string, ending: "zip" | "tar.gz"): string =>
  `${repositoryPath(repository)}/archive/${encodePath(rev)}.${ending}`;

/** Pages for members and owners of an organization. `accountPath` is its public page. */
export const organizationPath = (name: string, below = ""): string => `/org/${encodeSegment(name)}${below}`;
export const settingsPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/settings${below}`;

/** Adds query parameters; empty ones are left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== "") search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}
