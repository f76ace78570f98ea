import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Oid } from "../../../git/types.ts";

/** URLs of a repository's git objects. Their common parts are built once, because lists contain hundreds of them. */
export interface GitUrls {
  commit(oid: Oid): string;
  /** The web page of a commit. */
  commitPage(oid: Oid): string;
  tree(oid: Oid): string;
  blob(oid: Oid): string;
  tag(oid: Oid): string;
}

export function createGitUrls({ ownerName, name }: Pick<RepositorySubject, "ownerName" | "name">, urls: Urls): GitUrls {
  const git = urls.api("repos", ownerName, name, "git");
  const pages = `${urls.web(ownerName, name)}/commit`;
  return {
    commit: (oid) => `${git}/commits/${oid}`,
    commitPage: (oid) => `${pages}/${oid}`,
    tree: (oid) => `${git}/trees/${oid}`,
    blob: (oid) => `${git}/blobs/${oid}`,
    tag: (oid) => `${git}/tags/${oid}`,
  };
}
