import type { Urls } from "../../../core/urls.ts";
import type { Commit } from "../../../git/types.ts";
import type { WikiCommit, WikiCommitList, WikiPage, WikiPageMetaData } from "../../../wire/wiki.ts";
import { presentCommitUser } from "../branches/present.ts";
import type { WikiPageDetails, WikiPageView } from "./model.ts";

/** The repository in a wiki's URLs. */
export interface WikiLocation {
  readonly urls: Pick<Urls, "web">;
  readonly repository: { readonly ownerName: string; readonly name: string };
}

const presentWikiCommit = (commit: Commit): WikiCommit => ({
  sha: commit.oid,
  author: presentCommitUser(commit.author),
  commiter: presentCommitUser(commit.committer),
  message: commit.message,
});

export const presentPageSummary = ({ title, slug, commit }: WikiPageView, { urls, repository }: WikiLocation): WikiPageMetaData => ({
  title,
  // The slug is already encoded.
  html_url: `${urls.web(repository.ownerName, repository.name, "wiki")}/${slug}`,
  sub_url: slug,
  last_commit: presentWikiCommit(commit),
});

export const presentPage = (page: WikiPageDetails, place: WikiLocation): WikiPage => ({
  ...presentPageSummary(page, place),
  content_base64: page.content.toString("base64"),
  commit_count: page.commitCount,
  sidebar: page.sidebar.toString("base64"),
  footer: page.footer.toString("base64"),
});

export const presentRevisions = (commits: readonly Commit[], total: number): WikiCommitList => ({ commits: commits.map(presentWikiCommit), count: total });
