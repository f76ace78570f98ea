import type { Watching } from "../core/watching.ts";
import { accountPath, type RepositoryName, releasesPath, repositoryPath, wikiPath } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { FormToken, type PageProps, type PageViewer, type RenderedPage, renderPage } from "./page.tsx";
import { Do } from "./rows.tsx";
import { countText } from "./texts/numbers.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useLanguage, useTexts } from "./texts/texts.ts";
import { WatchMenu } from "./watch-menu.tsx";

export type RepositoryTab = "code" | "issues" | "pulls" | "actions" | "releases" | "wiki" | "insights" | "settings";

/** Data that every page of a repository shows. */
export interface RepositoryHeader extends RepositoryName {
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isTemplate: boolean;
  readonly isMirror: boolean;
  readonly isEmpty: boolean;
  /** The parent of a fork, if the reader can see it. */
  readonly parent: RepositoryName | undefined;
  /** Whether the reader has access to issues. */
  readonly showsIssues: boolean;
  readonly openIssuesCount: number;
  readonly showsPulls: boolean;
  readonly openPullsCount: number;
  readonly showsActions: boolean;
  readonly showsReleases: boolean;
  readonly releasesCount: number;
  readonly showsWiki: boolean;
  readonly starsCount: number;
  readonly forksCount: number;
  readonly watchersCount: number;
  /** By the reader. */
  readonly isStarred: boolean;
  readonly watching: Watching;
  /** The receiver of a pending transfer. */
  readonly offeredTo: string | undefined;
  /** Whether the reader is an administrator of the repository. */
  readonly showsSettings: boolean;
}

export interface RepositoryPageProps extends Omit<PageProps, "banner" | "title"> {
  readonly repository: RepositoryHeader;
  readonly tab: RepositoryTab;
  /** Precedes the repository's name in the title; only that name if empty. */
  readonly title: string;
}

/** A page of a repository, with its name, badges and tabs above the content. */
export function renderRepositoryPage({ repository, tab, title, ...props }: RepositoryPageProps, ...content: readonly Html[]): RenderedPage {
  const fullName = `${repository.ownerName}/${repository.name}`;
  const path = repositoryPath(repository);
  const feed = { rss: `${path}.rss`, atom: `${path}.atom` };
  return renderPage(
    {
      feed,
      ...props,
      title: title === "" ? fullName : `${title} - ${fullName}`,
      banner: <RepositoryBanner repository={repository} tab={tab} viewer={props.viewer} />,
      place: { path, showsIssues: repository.showsIssues, showsPulls: repository.showsPulls },
    },
    ...content,
  );
}

interface BannerProps {
  readonly repository: RepositoryHeader;
  readonly tab: RepositoryTab;
  readonly viewer: PageViewer | undefined;
}

function RepositoryBanner({ repository, tab, viewer }: BannerProps): Html {
  const { repository: texts } = useTexts(sharedTexts);
  const { ownerName, name, parent } = repository;
  return (
    <section class="repository" aria-label={texts.title}>
      <div class="title">
        <Icon name={repository.isPrivate ? "lock" : parent === undefined ? "repo" : "repo-forked"} />
        <p class="name">
          <a href={accountPath(ownerName)}>{ownerName}</a>
          {" / "}
          <a href={repositoryPath(repository)}>
            <strong>{name}</strong>
          </a>
        </p>
        <Badges {...repository} />
        <Marks repository={repository} viewer={viewer} />
      </div>
      {parent !== undefined && (
        <p class="soft origin">
          {texts.forkedFrom} <a href={repositoryPath(parent)}>{`${parent.ownerName}/${parent.name}`}</a>
        </p>
      )}
      {repository.offeredTo !== undefined && <Transfer repository={repository} recipient={repository.offeredTo} viewer={viewer} />}
      <Tabs repository={repository} tab={tab} />
    </section>
  );
}

/** A pending transfer: its recipient can answer here, others see to whom it is offered. */
function Transfer({ repository, recipient, viewer }: Omit<BannerProps, "tab"> & { readonly recipient: string }): Html {
  const texts = useTexts(sharedTexts).repository;
  const path = `${repositoryPath(repository)}/transfer`;
  if (viewer?.name !== recipient)
    return (
      <p class="soft origin">
        <a href={path}>{texts.transferOffered(recipient)}</a>
      </p>
    );
  const name = `${repository.ownerName}/${repository.name}`;
  return (
    <div class="notice transfer">
      {texts.transferQuestion(repository.ownerName)}
      <Do action={`${path}/accept`} formToken={viewer.formToken} label={texts.acceptTransfer} of={name} />
      <Do action={`${path}/reject`} formToken={viewer.formToken} label={texts.declineTransfer} of={name} />
    </div>
  );
}

/** The menu to watch and the buttons to star and fork, each with the number that links to the list; visitors see the numbers. */
function Marks({ repository, viewer }: Omit<BannerProps, "tab">): Html {
  const texts = useTexts(sharedTexts).repository;
  const language = useLanguage();
  const { isStarred } = repository;
  const path = repositoryPath(repository);
  const marks: readonly (readonly [does: "star" | "unstar" | "watch" | "fork", IconName, list: string, name: string, count: number])[] = [
    ["watch", "eye", "watchers", texts.watchers, repository.watchersCount],
    [isStarred ? "unstar" : "star", isStarred ? "star-fill" : "star", "stars", texts.stars, repository.starsCount],
    ["fork", "repo-forked", "forks", texts.forks, repository.forksCount],
  ];
  return (
    <div class="marks">
      {marks.map(([does, icon, list, name, count]) => (
        <div class="button-group">
          {viewer !== undefined && does === "fork" && !repository.isEmpty ? (
            <a class="button" href={`${path}/fork`}>
              <Icon name={icon} />
              <span class="text">{texts.fork}</span>
            </a>
          ) : viewer !== undefined && does === "watch" ? (
            <WatchMenu repository={repository} formToken={viewer.formToken} />
          ) : viewer !== undefined && (does === "star" || does === "unstar") ? (
            <form method="post" action={`${path}/${does}`}>
              <FormToken value={viewer.formToken} />
              <button type="submit">
                <Icon name={icon} />
                <span class="text">{texts[does]}</span>
              </button>
            </form>
          ) : (
            <span class="button">
              <Icon name={icon} />
              <span class="text">{name}</span>
            </span>
          )}
          <a class="button count" href={`${path}/${list}`} aria-label={`${name}: ${count}`}>
            {countText(count, language)}
          </a>
        </div>
      ))}
    </div>
  );
}

type BadgeProps = Pick<RepositoryHeader, "isPrivate" | "isArchived" | "isTemplate" | "isMirror">;

/** The kinds of a repository as badges. */
export function Badges({ isPrivate, isArchived, isTemplate, isMirror }: BadgeProps): Html {
  const texts = useTexts(sharedTexts).repository;
  const words = [isPrivate ? texts.private : texts.public, isArchived && texts.archived, isTemplate && texts.template, isMirror && texts.mirror];
  return words.filter((word) => word !== false).map((word) => <span class="badge">{word}</span>);
}

function Tabs({ repository, tab }: { readonly repository: RepositoryHeader; readonly tab: RepositoryTab }): Html {
  const language = useLanguage();
  const texts = useTexts(sharedTexts).repository;
  const path = repositoryPath(repository);
  const tabs: readonly (readonly [RepositoryTab, IconName, string, number?])[] = [
    ["code", "code", path],
    ...(repository.showsIssues ? ([["issues", "issue-opened", `${path}/issues`, repository.openIssuesCount]] as const) : []),
    ...(repository.showsPulls ? ([["pulls", "git-pull-request", `${path}/pulls`, repository.openPullsCount]] as const) : []),
    ...(repository.showsActions ? ([["actions", "play", `${path}/actions`]] as const) : []),
    ...(repository.showsReleases ? ([["releases", "tag", releasesPath(repository), repository.releasesCount]] as const) : []),
    ...(repository.showsWiki ? ([["wiki", "book", wikiPath(repository)]] as const) : []),
    ["insights", "graph", `${path}/activity`],
    ...(repository.showsSettings ? ([["settings", "gear", `${path}/settings`]] as const) : []),
  ];
  return (
    <nav class="tabs" aria-label={texts.tabs}>
      {tabs.map(([name, icon, href, count = 0]) => (
        <a href={href} {...(name === tab && { "aria-current": "page" })}>
          <Icon name={icon} />
          {texts[name]}
          {count > 0 && <span class="counter">{countText(count, language)}</span>}
        </a>
      ))}
    </nav>
  );
}
