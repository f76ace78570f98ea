import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { encodePath } from "../../../core/urls.ts";
import { accountPath, archivePath, type RepositoryName, releaseFormPath, releasePath, releasesPath, sourcePath } from "../../../ui/addresses.ts";
import { Empty, Pager, Rendered } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { sizeText } from "../../contents/views/file.ts";
import type { AttachmentView } from "../../issues/view.ts";
import type { ReleaseView } from "../view.ts";

/** A release with its notes rendered. */
export interface ShownRelease {
  readonly release: ReleaseView;
  readonly html: string;
}

export interface ReleasesFacts {
  readonly repository: RepositoryName;
  readonly releases: readonly ShownRelease[];
  readonly total: number;
  readonly page: Page;
  readonly place: ReleasePlace;
}

/** Where releases are looked at, and by whom. */
export interface ReleasePlace {
  /** The newest that is neither a draft nor a pre-release. */
  readonly latestId: number | undefined;
  /** The reader makes and changes releases here. */
  readonly canWrite: boolean;
  readonly now: number;
}

/** Releases below each other, the newest first. */
export function ReleasesView({ repository, releases, total, page, place }: ReleasesFacts): Html {
  const { releases: texts } = useTexts();
  const { canWrite } = place;
  const toNew = h("a", { class: "button", href: releaseFormPath(repository), "data-key": "c" }, h(Icon, { name: "plus" }), texts.new);
  return [
    total === 0
      ? h(Empty, { icon: "archive", title: texts.none }, h("p", null, canWrite ? texts.noneForWriters : texts.firstOne), canWrite && h("p", null, toNew))
      : canWrite && h("p", null, toNew),
    releases.map((shown) => h(ReleaseBox, { repository, ...shown, place })),
    h(Pager, { path: releasesPath(repository), page, total }),
  ];
}

export interface ReleaseBoxFacts extends ShownRelease {
  readonly repository: RepositoryName;
  readonly place: ReleasePlace;
  /** It is all that the page is about. */
  readonly isAlone?: boolean;
}

/** A release: its notes, its files, the source at its tag. A draft may have no tag yet. */
export function ReleaseBox({ repository, release, html, place, isAlone = false }: ReleaseBoxFacts): Html {
  const { releases: texts, issues } = useTexts();
  const { author, tagName, isDraft, isPrerelease, publishedMs } = release;
  const title = release.title === "" ? tagName : release.title;
  return h(
    "section",
    { class: "box" },
    h(
      "header",
      null,
      h("h2", null, h("a", { href: releasePath(repository, tagName), dir: "auto" }, title)),
      place.latestId === release.id && h("span", { class: "badge good" }, texts.latest),
      isDraft && h("span", { class: "badge" }, texts.draft),
      isPrerelease && h("span", { class: "badge" }, texts.prerelease),
      h("span", null, h(Icon, { name: "tag" }), " ", isDraft ? tagName : h("a", { href: sourcePath(repository, { kind: "tag", rev: tagName }) }, tagName)),
      h(
        "span",
        { class: "end soft" },
        author === undefined ? issues.gone : h("a", { href: accountPath(author.name) }, author.name),
        isDraft ? null : texts.published,
        h(Ago, { ms: publishedMs, now: place.now }),
      ),
      place.canWrite && h(Changing, { repository, tagName, title, isAlone }),
    ),
    h("div", { class: "within" }, html === "" ? h("p", { class: "soft" }, texts.noNote) : h(Rendered, { html })),
    h(Files, { repository, release }),
  );
}

interface ChangingFacts {
  readonly repository: RepositoryName;
  readonly tagName: string;
  readonly title: string;
  readonly isAlone: boolean;
}

/** Where it is changed and deleted. */
function Changing({ repository, tagName, title, isAlone }: ChangingFacts): Html {
  const { releases: texts } = useTexts();
  const path = releaseFormPath(repository, tagName);
  return [
    h("a", { href: path, "aria-label": texts.editOf(title), ...(isAlone && { "data-key": "e" }) }, texts.edit),
    h("a", { href: `${path}#delete`, "aria-label": `${texts.delete}: ${title}` }, texts.delete),
  ];
}

function Files({ repository, release }: Pick<ReleaseBoxFacts, "repository" | "release">): Html {
  const { releases: texts } = useTexts();
  const { tagName, assets, isDraft } = release;
  if (assets.length === 0 && isDraft) return null;
  return h(
    "div",
    { class: "within below" },
    h("h3", null, texts.files),
    h(
      "ul",
      { class: "plain-list" },
      assets.map((asset) => h("li", null, h(Asset, { repository, tagName, asset }))),
      isDraft
        ? null
        : (["zip", "tar.gz"] as const).map((ending) =>
            h("li", null, h(Icon, { name: "download" }), " ", h("a", { href: archivePath(repository, tagName, ending) }, texts.source(ending))),
          ),
    ),
  );
}

interface AssetFacts {
  readonly repository: RepositoryName;
  readonly tagName: string;
  readonly asset: AttachmentView;
}

function Asset({ repository, tagName, asset }: AssetFacts): Html {
  const { releases: texts, language } = useTexts();
  const href = `${releasesPath(repository)}/download/${encodePath(`${tagName}/${asset.name}`)}`;
  const facts = [sizeText(asset.sizeBytes, language), texts.downloads(asset.downloadCount)].join(" · ");
  return [h(Icon, { name: "file-binary" }), " ", h("a", { href }, asset.name), " ", h("span", { class: "soft" }, facts)];
}
