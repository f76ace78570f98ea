import type { Page } from "../../../../core/paging.ts";
import { encodePath } from "../../../../core/urls.ts";
import {
  accountPath,
  archivePath,
  comparePath,
  type RepositoryName,
  releaseFormPath,
  releasePath,
  releasesPath,
  sourcePath,
} from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Rendered } from "../../../../ui/rendered.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { AttachmentView } from "../../../collaboration/issues/model.ts";
import { issueTexts } from "../../../collaboration/issues/texts/texts.ts";
import { codeTexts } from "../../contents/texts/texts.ts";
import type { ReleaseView } from "../model.ts";
import { releaseTexts } from "../texts/texts.ts";

/** A release with its notes rendered. */
export interface ShownRelease {
  readonly release: ReleaseView;
  readonly html: string;
}

export interface ReleasesProps {
  readonly repository: RepositoryName;
  readonly releases: readonly ShownRelease[];
  readonly total: number;
  readonly page: Page;
  readonly place: ReleaseLocation;
}

/** The repository of the releases, and the reader's permissions. */
export interface ReleaseLocation {
  /** The latest release that is neither a draft nor a pre-release. */
  readonly latestId: number | undefined;
  /** Whether the reader can create and edit releases. */
  readonly canWrite: boolean;
  /** The default branch, for comparisons; undefined for readers without access to code. */
  readonly branch: string | undefined;
  readonly now: number;
}

export function NewRelease({ repository }: Pick<ReleasesProps, "repository">): Html {
  const code = useTexts(codeTexts);
  return (
    <a class="button primary" href={releaseFormPath(repository)} data-key="c">
      <Icon name="plus" />
      {code.newRelease}
    </a>
  );
}

/** The list of releases, newest first. */
export function ReleasesView({ repository, releases, total, page, place }: ReleasesProps): Html {
  const texts = useTexts(releaseTexts);
  const { canWrite } = place;
  return (
    <>
      {total === 0 && (
        <Empty icon="archive" title={texts.none}>
          <p>{canWrite ? texts.noneForWriters : texts.firstOne}</p>
          {canWrite && (
            <p>
              <NewRelease repository={repository} />
            </p>
          )}
        </Empty>
      )}
      {releases.map((shown) => (
        <ReleaseBox repository={repository} {...shown} place={place} />
      ))}
      <Pager path={releasesPath(repository)} page={page} total={total} />
    </>
  );
}

export interface ReleaseBoxProps extends ShownRelease {
  readonly repository: RepositoryName;
  readonly place: ReleaseLocation;
  /** It is the only release on the page. */
  readonly isAlone?: boolean;
}

/** A release with notes, attachments and source archives. A draft may have no tag yet. */
export function ReleaseBox({ repository, release, html, place, isAlone = false }: ReleaseBoxProps): Html {
  const texts = useTexts(releaseTexts);
  const issues = useTexts(issueTexts);
  const { author, tagName, isDraft, isPrerelease, publishedMs } = release;
  const title = release.title === "" ? tagName : release.title;
  return (
    <section class="box">
      <header>
        <h2>
          <a href={releasePath(repository, tagName)} dir="auto">
            {title}
          </a>
        </h2>
        {place.latestId === release.id && <span class="badge good">{texts.latest}</span>}
        {isDraft && <span class="badge">{texts.draft}</span>}
        {isPrerelease && <span class="badge">{texts.prerelease}</span>}
        <span>
          <Icon name="tag" /> {isDraft ? tagName : <a href={sourcePath(repository, { kind: "tag", rev: tagName })}>{tagName}</a>}
        </span>
        {!isDraft && place.branch !== undefined && (
          <a href={comparePath(repository, `${tagName}...${place.branch}`)}>
            <Icon name="git-compare" /> {texts.since(place.branch)}
          </a>
        )}
        <span class="end soft">
          {author === undefined ? (
            issues.gone
          ) : (
            <a class="face" href={accountPath(author.name)}>
              <Avatar account={author} size={20} />
              {author.name}
            </a>
          )}
          <span>{fill<Html>(isDraft ? "{when}" : texts.published, { when: <Ago ms={publishedMs} now={place.now} /> })}</span>
        </span>
        {place.canWrite && <Changing repository={repository} tagName={tagName} title={title} isAlone={isAlone} />}
      </header>
      <div class="within">{html === "" ? <p class="soft">{texts.noNote}</p> : <Rendered html={html} />}</div>
      <Files repository={repository} release={release} />
    </section>
  );
}

interface ChangingProps {
  readonly repository: RepositoryName;
  readonly tagName: string;
  readonly title: string;
  readonly isAlone: boolean;
}

/** The links for editing and deleting. */
function Changing({ repository, tagName, title, isAlone }: ChangingProps): Html {
  const texts = useTexts(releaseTexts);
  const path = releaseFormPath(repository, tagName);
  return (
    <>
      <a href={path} aria-label={texts.editOf(title)} {...(isAlone && { "data-key": "e" })}>
        {texts.edit}
      </a>
      <a href={`${path}#delete`} aria-label={`${texts.delete}: ${title}`}>
        {texts.delete}
      </a>
    </>
  );
}

function Files({ repository, release }: Pick<ReleaseBoxProps, "repository" | "release">): Html {
  const texts = useTexts(releaseTexts);
  const { tagName, assets, isDraft } = release;
  if (assets.length === 0 && isDraft) return null;
  return (
    <div class="within below">
      <h3>{texts.files}</h3>
      <ul class="plain-list">
        {assets.map((asset) => (
          <li>
            <Asset repository={repository} tagName={tagName} asset={asset} />
          </li>
        ))}
        {isDraft
          ? null
          : (["zip", "tar.gz"] as const).map((ending) => (
              <li>
                <Icon name="download" /> <a href={archivePath(repository, tagName, ending)}>{texts.source(ending)}</a>
              </li>
            ))}
      </ul>
    </div>
  );
}

interface AssetProps {
  readonly repository: RepositoryName;
  readonly tagName: string;
  readonly asset: AttachmentView;
}

function Asset({ repository, tagName, asset }: AssetProps): Html {
  const language = useLanguage();
  const texts = useTexts(releaseTexts);
  const href = `${releasesPath(repository)}/download/${encodePath(`${tagName}/${asset.name}`)}`;
  const props = [sizeText(asset.sizeBytes, language), texts.downloads(asset.downloadCount)].join(" · ");
  return (
    <>
      <Icon name="file-binary" /> <a href={href}>{asset.name}</a> <span class="soft">{props}</span>
    </>
  );
}
