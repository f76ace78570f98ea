/**
 * How a text is interpreted. `document`: a file of a repository or a release's text. `comment`: an issue or comment; line breaks are
 * kept. `wiki`: a wiki page. `raw`: plain Markdown without references, heading ids or resolved addresses.
 */
export type RenderKind = "raw" | "document" | "comment" | "wiki";

/** The context of a text, to which relative addresses and references refer. */
export interface RenderContext {
  readonly kind: RenderKind;
  /** Root address, without a trailing slash. */
  readonly origin: string;
  readonly repository: RepositoryName | undefined;
  /** `branch/main`, `tag/v1`, `commit/<oid>`: the ref of a document; empty if unknown. */
  readonly ref: string;
  /** Folder of the document in its tree; empty for the root. */
  readonly folder: string;
  /** The text is shown on a page of this server. The API's HTML follows Gitea's where pages differ. */
  readonly isPage?: true;
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** A cache key of the parts of a context that affect the result. */
export const contextKey = ({ kind, origin, repository, ref, folder, isPage }: RenderContext): string =>
  JSON.stringify([kind, origin, repository?.owner, repository?.name, ref, folder, isPage]);

const nameOf = /^[A-Za-z0-9_.-]{1,100}$/;
const isName = (text: string | undefined): text is string => text !== undefined && nameOf.test(text) && text !== "." && text !== "..";

/** The location in a path: `owner/repo`, or `/owner/repo/src/branch/main/docs`, or the same as an address of this server. */
export interface Place {
  readonly repository: RepositoryName | undefined;
  readonly ref: string;
  readonly folder: string;
}

/** Parses a location. @param filePath of a file in the tree, if known: it determines where the ref name ends */
export function readPlace(path: string, origin: string, filePath = ""): Place {
  const below = path.startsWith(`${origin}/`) ? path.slice(origin.length) : path;
  const [owner, name, view, refKind, ...rest] = below.split("/").filter((segment) => segment !== "");
  const folder = filePath
    .split("/")
    .slice(0, -1)
    .filter((segment) => segment !== "")
    .join("/");
  if (!isName(owner) || !isName(name)) return { repository: undefined, ref: "", folder };
  const repository = { owner, name };
  if (view !== "src" || refKind === undefined || !["branch", "tag", "commit"].includes(refKind) || rest.length === 0) return { repository, ref: "", folder };
  if (filePath === "") return { repository, ref: `${refKind}/${rest[0]}`, folder: rest.slice(1).join("/") };
  const refAndFolder = rest.join("/");
  const ref = folder !== "" && refAndFolder.endsWith(`/${folder}`) ? refAndFolder.slice(0, -folder.length - 1) : refAndFolder;
  return { repository, ref: `${refKind}/${ref}`, folder };
}
