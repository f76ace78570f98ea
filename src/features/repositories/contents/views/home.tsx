import {
  activityPath,
  archivePath,
  contributorsPath,
  editPath,
  type RepositoryName,
  releaseFormPath,
  releasePath,
  releasesPath,
  repositoryPath,
} from "../../../../ui/addresses.ts";
import { Empty, Topics } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { countText } from "../../../../ui/texts/numbers.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { historyTexts } from "../../commits/texts/texts.ts";
import { exploreTexts } from "../../repos/texts/texts.ts";
import { codeTexts, editTexts } from "../texts/texts.ts";
import { type LanguageSize, Languages } from "./languages.tsx";

export interface CloneAddresses {
  readonly http: string;
  readonly ssh: string | undefined;
}

export interface AboutProps {
  readonly repository: {
    readonly ownerName: string;
    readonly name: string;
    readonly description: string;
    readonly website: string;
    readonly topics: readonly string[];
    readonly licenses: readonly string[];
    readonly releasesCount: number;
    readonly updatedMs: number;
    readonly sizeBytes: number;
    readonly starsCount: number;
    readonly watchersCount: number;
    readonly defaultBranch: string;
  };
  /** Largest first. */
  readonly languages: readonly LanguageSize[];
  readonly latestRelease: LatestRelease | undefined;
  /** Whether the reader can create releases. */
  readonly canRelease: boolean;
  readonly now: number;
}

export interface LatestRelease {
  readonly tagName: string;
  readonly title: string;
  readonly publishedMs: number;
}

/** The sidebar: description, languages and latest release. */
export function About({ repository, languages, latestRelease, canRelease, now }: AboutProps): Html {
  const texts = useTexts(codeTexts);
  const explore = useTexts(exploreTexts);
  const { releases } = useTexts(sharedTexts).repository;
  const history = useTexts(historyTexts);
  const language = useLanguage();
  const { description, website, topics, licenses, updatedMs, sizeBytes, starsCount, watchersCount } = repository;
  const path = repositoryPath(repository);
  return (
    <aside>
      <h2>{texts.about}</h2>
      <p dir="auto">{description === "" ? <span class="soft">{texts.noDescription}</span> : description}</p>
      {topics.length > 0 && <Topics topics={topics} />}
      <ul class="facts">
        {website !== "" && (
          <li>
            <Icon name="link" />
            <a href={website} rel="nofollow noopener">
              {website}
            </a>
          </li>
        )}
        {licenses.length > 0 && (
          <li>
            <Icon name="law" />
            {licenses.join(", ")}
          </li>
        )}
        <li>
          <Icon name="pulse" />
          <a href={activityPath(repository)}>{texts.activity}</a>
        </li>
        <li>
          <Icon name="people" />
          <a href={contributorsPath(repository)}>{history.contributors}</a>
        </li>
        <li>
          <Icon name="clock" />
          {explore.updated} <Ago ms={updatedMs} now={now} />
        </li>
        <li>
          <Icon name="star" />
          <a href={`${path}/stars`}>{texts.starsCount(countText(starsCount, language), starsCount)}</a>
        </li>
        <li>
          <Icon name="eye" />
          <a href={`${path}/watchers`}>{texts.watchersCount(countText(watchersCount, language), watchersCount)}</a>
        </li>
        <li>
          <Icon name="archive" />
          {sizeText(sizeBytes, language)}
        </li>
      </ul>
      {latestRelease !== undefined && <Release repository={repository} release={latestRelease} now={now} />}
      {canRelease && repository.releasesCount === 0 && (
        <>
          <h2>{releases}</h2>
          <p>
            <a href={releaseFormPath(repository)}>{texts.newRelease}</a>
          </p>
        </>
      )}
      {languages.length > 0 && <Languages languages={languages} />}
    </aside>
  );
}

interface ReleaseProps {
  readonly repository: AboutProps["repository"];
  readonly release: LatestRelease;
  readonly now: number;
}

/** The latest release, and the number of releases. */
function Release({ repository, release, now }: ReleaseProps): Html {
  const texts = useTexts(sharedTexts).repository;
  const code = useTexts(codeTexts);
  const { tagName, title, publishedMs } = release;
  return (
    <>
      <h2>
        <a class="row-title" href={releasesPath(repository)}>
          {texts.releases}
        </a>{" "}
        <span class="badge">{repository.releasesCount}</span>
      </h2>
      <p>
        <Icon name="tag" /> <a href={releasePath(repository, tagName)}>{title === "" ? tagName : title}</a> <span class="badge good">{code.latest}</span>
        <br />
        <span class="soft">
          <Ago ms={publishedMs} now={now} />
        </span>
      </p>
    </>
  );
}

export interface CloneMenuProps {
  readonly repository: RepositoryName;
  readonly clone: CloneAddresses;
  /** The branch, tag or commit to download. */
  readonly rev: string;
}

/** The addresses to clone the repository from, and its archives. */
export function CloneMenu({ repository, clone, rev }: CloneMenuProps): Html {
  const texts = useTexts(codeTexts);
  return (
    <details class="menu clone">
      <summary class="button primary">
        <Icon name="code" />
        {texts.code}
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <div class="stack">
          <Address id="clone-http" label={texts.overHttp} value={clone.http} />
          {clone.ssh !== undefined && <Address id="clone-ssh" label={texts.overSsh} value={clone.ssh} />}
        </div>
        <hr />
        {(["zip", "tar.gz"] as const).map((format) => (
          <a href={archivePath(repository, rev, format)}>
            <Icon name="download" />
            {texts.downloadAs(format)}
          </a>
        ))}
      </div>
    </details>
  );
}

const Address = ({ id, label, value }: { readonly id: string; readonly label: string; readonly value: string }): Html => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} value={value} readOnly />
  </div>
);

export interface EmptyRepositoryProps {
  readonly repository: RepositoryName;
  readonly clone: CloneAddresses;
  readonly branch: string;
  readonly canEdit: boolean;
}

/** Instructions for the first push to an empty repository. */
export function EmptyRepository({ repository, clone, branch, canEdit }: EmptyRepositoryProps): Html {
  const texts = useTexts(codeTexts);
  const editing = useTexts(editTexts);
  return (
    <Empty icon="repo" title={texts.noCommits} isWholePage>
      <p>{texts.pushFirst}</p>
      {canEdit && (
        <p>
          <a class="button" href={editPath(repository, "new", branch)}>
            <Icon name="plus" />
            {editing.newFile}
          </a>{" "}
          <a class="button" href={editPath(repository, "upload", branch)}>
            <Icon name="upload" />
            {editing.upload}
          </a>
        </p>
      )}
      <Address id="clone-http" label={texts.overHttp} value={clone.http} />
      {clone.ssh !== undefined && <Address id="clone-ssh" label={texts.overSsh} value={clone.ssh} />}
      <h2>{texts.fromNew}</h2>
      <pre
        tabIndex={0}
      >{`echo "# ${repository.name}" > README.md\ngit init -b ${branch}\ngit add README.md\ngit commit -m "First commit"\ngit remote add origin ${clone.http}\ngit push -u origin ${branch}`}</pre>
      <h2>{texts.fromExisting}</h2>
      <pre tabIndex={0}>{`git remote add origin ${clone.http}\ngit push -u origin --all`}</pre>
    </Empty>
  );
}
