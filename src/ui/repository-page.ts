import { h } from "preact";
import { accountPath, type RepositoryName, releasesPath, repositoryPath, wikiPath } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.ts";
import { type PageFacts, type RenderedPage, renderPage } from "./page.ts";
import { useTexts } from "./texts/texts.ts";

export type RepositoryTab = "code" | "issues" | "pulls" | "commits" | "branches" | "tags" | "releases" | "wiki" | "settings";

/** What every page of a repository says of it. */
export interface RepositoryHeader extends RepositoryName {
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isTemplate: boolean;
  readonly isMirror: boolean;
  readonly isEmpty: boolean;
  /** Where it comes from, as far as the reader may know. */
  readonly parent: RepositoryName | undefined;
  /** Whether the reader sees issues here. */
  readonly showsIssues: boolean;
  readonly openIssuesCount: number;
  readonly showsPulls: boolean;
  readonly openPullsCount: number;
  readonly showsReleases: boolean;
  readonly releasesCount: number;
  readonly showsWiki: boolean;
  readonly starsCount: number;
  readonly forksCount: number;
  /** To whom it is offered; undefined where it is offered to nobody. */
  readonly offeredTo: string | undefined;
  /** Whether the reader administers it. */
  readonly showsSettings: boolean;
}

export interface RepositoryPageFacts extends Omit<PageFacts, "banner" | "title"> {
  readonly repository: RepositoryHeader;
  readonly tab: RepositoryTab;
  /** Before the repository's name; that name alone where it is empty. */
  readonly title: string;
}

/** A page within a repository: its name, what it is, and its parts above the content. */
export function renderRepositoryPage({ repository, tab, title, ...facts }: RepositoryPageFacts, ...content: readonly Html[]): RenderedPage {
  const fullName = `${repository.ownerName}/${repository.name}`;
  const path = repositoryPath(repository);
  const feed = { rss: `${path}.rss`, atom: `${path}.atom` };
  return renderPage(
    { feed, ...facts, title: title === "" ? fullName : `${title} - ${fullName}`, banner: h(RepositoryBanner, { repository, tab }) },
    ...content,
  );
}

function RepositoryBanner({ repository, tab }: { readonly repository: RepositoryHeader; readonly tab: RepositoryTab }): Html {
  const { repository: texts, settings } = useTexts();
  const { ownerName, name, parent } = repository;
  return h(
    "section",
    { class: "repository", "aria-label": texts.title },
    h(
      "div",
      { class: "title" },
      h(Icon, { name: repository.isPrivate ? "lock" : parent === undefined ? "repo" : "repo-forked" }),
      h(
        "p",
        { class: "name" },
        h("a", { href: accountPath(ownerName) }, ownerName),
        " / ",
        h("a", { href: repositoryPath(repository) }, h("strong", null, name)),
      ),
      h(Badges, repository),
      h(
        "span",
        { class: "soft counts" },
        h("a", { href: `${repositoryPath(repository)}/stars` }, texts.stars(repository.starsCount)),
        " · ",
        h("a", { href: `${repositoryPath(repository)}/forks` }, texts.forks(repository.forksCount)),
      ),
    ),
    parent !== undefined &&
      h("p", { class: "soft origin" }, texts.forkedFrom, " ", h("a", { href: repositoryPath(parent) }, `${parent.ownerName}/${parent.name}`)),
    repository.offeredTo !== undefined &&
      h("p", { class: "soft origin" }, h("a", { href: `${repositoryPath(repository)}/transfer` }, settings.transfer.offered(repository.offeredTo))),
    h(Tabs, { repository, tab }),
  );
}

type BadgeFacts = Pick<RepositoryHeader, "isPrivate" | "isArchived" | "isTemplate" | "isMirror">;

/** What kind of repository it is, in a word each. */
export function Badges({ isPrivate, isArchived, isTemplate, isMirror }: BadgeFacts): Html {
  const { repository: texts } = useTexts();
  const words = [isPrivate ? texts.private : texts.public, isArchived && texts.archived, isTemplate && texts.template, isMirror && texts.mirror];
  return words.filter((word) => word !== false).map((word) => h("span", { class: "badge" }, word));
}

function Tabs({ repository, tab }: { readonly repository: RepositoryHeader; readonly tab: RepositoryTab }): Html {
  const { repository: texts, language } = useTexts();
  const path = repositoryPath(repository);
  const tabs: readonly (readonly [RepositoryTab, IconName, string, number?])[] = [
    ["code", "code", path],
    ...(repository.showsIssues ? ([["issues", "issue-opened", `${path}/issues`, repository.openIssuesCount]] as const) : []),
    ...(repository.showsPulls ? ([["pulls", "git-pull-request", `${path}/pulls`, repository.openPullsCount]] as const) : []),
    ["commits", "history", `${path}/commits`],
    ["branches", "git-branch", `${path}/branches`],
    ["tags", "tag", `${path}/tags`],
    ...(repository.showsReleases ? ([["releases", "archive", releasesPath(repository), repository.releasesCount]] as const) : []),
    ...(repository.showsWiki ? ([["wiki", "book", wikiPath(repository)]] as const) : []),
    ...(repository.showsSettings ? ([["settings", "gear", `${path}/settings`]] as const) : []),
  ];
  return h(
    "nav",
    { class: "tabs", "aria-label": texts.tabs },
    tabs.map(([name, icon, href, count = 0]) =>
      h(
        "a",
        { href, ...(name === tab && { "aria-current": "page" }) },
        h(Icon, { name: icon }),
        texts[name],
        count > 0 && h("span", { class: "badge" }, count.toLocaleString(language)),
      ),
    ),
  );
}
