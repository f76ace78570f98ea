import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Oid } from "../../../git/types.ts";

/** Addresses of a repository's git objects. Lists have hundreds of them, so what they share is made once. */
export interface GitUrls {
  commit(oid: Oid): string;
  /** Where people read a commit. */
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
