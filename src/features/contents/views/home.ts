import { h } from "preact";
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
} from "../../../ui/addresses.ts";
import { Empty, Topics } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon, type IconName } from "../../../ui/icons.ts";
import { FormToken } from "../../../ui/page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { type LanguageSize, Languages } from "./languages.ts";

export interface CloneAddresses {
  readonly http: string;
  readonly ssh: string | undefined;
}

export interface AboutFacts {
  readonly repository: {
    readonly ownerName: string;
    readonly name: string;
    readonly description: string;
    readonly website: string;
    readonly topics: readonly string[];
    readonly licenses: readonly string[];
    readonly releasesCount: number;
    readonly updatedMs: number;
    readonly defaultBranch: string;
  };
  /** The largest first. */
  readonly languages: readonly LanguageSize[];
  readonly latestRelease: LatestRelease | undefined;
  /** The reader makes releases here. */
  readonly canRelease: boolean;
  readonly clone: CloneAddresses;
  /** What the reader has marked; undefined where nobody has signed in with this browser. */
  readonly marks: RepositoryMarks | undefined;
  readonly now: number;
}

export interface LatestRelease {
  readonly tagName: string;
  readonly title: string;
  readonly publishedMs: number;
}

export interface RepositoryMarks {
  readonly isStarred: boolean;
  readonly isWatched: boolean;
  readonly canFork: boolean;
  readonly formToken: string;
}

/** Beside the files: what the repository is, and how one gets it. */
export function About({ repository, languages, latestRelease, canRelease, clone, marks, now }: AboutFacts): Html {
  const { repository: texts, activity, history, releases } = useTexts();
  const { description, website, topics, licenses, updatedMs } = repository;
  return h(
    "aside",
    null,
    marks !== undefined && h(MarkButtons, { repository, ...marks }),
    h("h2", null, texts.about),
    h("p", { dir: "auto" }, description === "" ? h("span", { class: "soft" }, texts.noDescription) : description),
    topics.length > 0 && h(Topics, { topics }),
    h(
      "ul",
      { class: "facts" },
      website !== "" && h("li", null, h(Icon, { name: "link" }), h("a", { href: website, rel: "nofollow noopener" }, website)),
      licenses.length > 0 && h("li", null, h(Icon, { name: "law" }), licenses.join(", ")),
      h("li", null, h(Icon, { name: "pulse" }), h("a", { href: activityPath(repository) }, activity.title)),
      h("li", null, h(Icon, { name: "people" }), h("a", { href: contributorsPath(repository) }, history.contributors)),
      h("li", null, h(Icon, { name: "clock" }), texts.updated, " ", h(Ago, { ms: updatedMs, now })),
    ),
    h(CloneBox, { repository, clone }),
    latestRelease !== undefined && h(Release, { repository, release: latestRelease, now }),
    canRelease && repository.releasesCount === 0 && [h("h2", null, texts.releases), h("p", null, h("a", { href: releaseFormPath(repository) }, releases.new))],
    languages.length > 0 && h(Languages, { languages }),
  );
}

interface ReleaseFacts {
  readonly repository: AboutFacts["repository"];
  readonly release: LatestRelease;
  readonly now: number;
}

/** The newest release, and how many there are. */
function Release({ repository, release, now }: ReleaseFacts): Html {
  const { repository: texts } = useTexts();
  const { tagName, title, publishedMs } = release;
  return [
    h("h2", null, h("a", { class: "row-title", href: releasesPath(repository) }, texts.releases), " ", h("span", { class: "badge" }, repository.releasesCount)),
    h(
      "p",
      null,
      h(Icon, { name: "tag" }),
      " ",
      h("a", { href: releasePath(repository, tagName) }, title === "" ? tagName : title),
      " ",
      h("span", { class: "badge good" }, texts.latest),
      h("br", null),
      h("span", { class: "soft" }, h(Ago, { ms: publishedMs, now })),
    ),
  ];
}

function MarkButtons({ repository, isStarred, isWatched, canFork, formToken }: RepositoryMarks & { readonly repository: RepositoryName }): Html {
  const { audience: texts } = useTexts();
  const action = (does: "star" | "unstar" | "watch" | "unwatch" | "fork", icon: IconName): Html =>
    h(
      "form",
      { method: "post", action: `${repositoryPath(repository)}/${does}` },
      h(FormToken, { value: formToken }),
      h("button", { class: "small", type: "submit" }, h(Icon, { name: icon }), " ", texts[does]),
    );
  return h(
    "div",
    { class: "marks" },
    action(isStarred ? "unstar" : "star", isStarred ? "star-fill" : "star"),
    action(isWatched ? "unwatch" : "watch", "eye"),
    canFork && action("fork", "repo-forked"),
  );
}

function CloneBox({ repository, clone }: Pick<AboutFacts, "repository" | "clone">): Html {
  const { code: texts } = useTexts();
  return [
    h("h2", null, texts.clone),
    h(Address, { id: "clone-http", label: texts.overHttp, value: clone.http }),
    clone.ssh !== undefined && h(Address, { id: "clone-ssh", label: texts.overSsh, value: clone.ssh }),
    h(
      "p",
      null,
      texts.download,
      ": ",
      h("a", { href: archivePath(repository, repository.defaultBranch, "zip") }, "zip"),
      ", ",
      h("a", { href: archivePath(repository, repository.defaultBranch, "tar.gz") }, "tar.gz"),
    ),
  ];
}

const Address = ({ id, label, value }: { readonly id: string; readonly label: string; readonly value: string }): Html =>
  h("div", { class: "field" }, h("label", { for: id }, label), h("input", { id, value, readOnly: true }));

export interface EmptyRepositoryFacts {
  readonly repository: RepositoryName;
  readonly clone: CloneAddresses;
  readonly branch: string;
  readonly canEdit: boolean;
}

/** A repository without a commit: how to bring the first. */
export function EmptyRepository({ repository, clone, branch, canEdit }: EmptyRepositoryFacts): Html {
  const { code: texts, editing } = useTexts();
  return h(
    Empty,
    { icon: "repo", title: texts.noCommits, isWholePage: true },
    h("p", null, texts.pushFirst),
    canEdit &&
      h(
        "p",
        null,
        h("a", { class: "button", href: editPath(repository, "new", branch) }, h(Icon, { name: "plus" }), editing.newFile),
        " ",
        h("a", { class: "button", href: editPath(repository, "upload", branch) }, h(Icon, { name: "upload" }), editing.upload),
      ),
    h("h2", null, texts.fromNew),
    h("pre", null, `git init -b ${branch}\ngit add .\ngit commit -m "First commit"\ngit remote add origin ${clone.http}\ngit push -u origin ${branch}`),
    h("h2", null, texts.fromExisting),
    h("pre", null, `git remote add origin ${clone.http}\ngit push -u origin --all`),
  );
}
