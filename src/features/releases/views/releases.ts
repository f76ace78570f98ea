import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { encodePath } from "../../../core/urls.ts";
import { accountPath, archivePath, type RepositoryName, releasePath, releasesPath, sourcePath } from "../../../ui/addresses.ts";
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
  readonly now: number;
}

/** Releases below each other, the newest first. */
export function ReleasesView({ repository, releases, total, page, now }: ReleasesFacts): Html {
  const { releases: texts } = useTexts();
  return [
    releases.length === 0
      ? h(Empty, { icon: "archive", title: texts.none }, h("p", null, texts.firstOne))
      : releases.map((shown) => h(ReleaseBox, { repository, ...shown, now })),
    h(Pager, { path: releasesPath(repository), page, total }),
  ];
}

export interface ReleaseBoxFacts extends ShownRelease {
  readonly repository: RepositoryName;
  readonly now: number;
}

/** A release: its notes, its files, the source at its tag. A draft may have no tag yet. */
export function ReleaseBox({ repository, release, html, now }: ReleaseBoxFacts): Html {
  const { releases: texts, issues } = useTexts();
  const { author, tagName, title, isDraft, isPrerelease, publishedMs } = release;
  return h(
    "section",
    { class: "box" },
    h(
      "header",
      null,
      h("h2", null, h("a", { href: releasePath(repository, tagName) }, title || tagName)),
      isDraft && h("span", { class: "badge" }, texts.draft),
      isPrerelease && h("span", { class: "badge" }, texts.prerelease),
      h("span", null, h(Icon, { name: "tag" }), " ", isDraft ? tagName : h("a", { href: sourcePath(repository, { kind: "tag", rev: tagName }) }, tagName)),
      h(
        "span",
        { class: "end soft" },
        author === undefined ? issues.gone : h("a", { href: accountPath(author.name) }, author.name),
        isDraft ? null : texts.published,
        h(Ago, { ms: publishedMs, now }),
      ),
    ),
    h("div", { class: "within" }, html === "" ? h("p", { class: "soft" }, texts.noNote) : h(Rendered, { html })),
    h(Files, { repository, release }),
  );
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
