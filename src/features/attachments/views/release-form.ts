import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { type RepositoryName, releaseFormPath } from "../../../ui/addresses.ts";
import { CheckBox, Field, FileField, Form, OptionalField, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { sizeText } from "../../contents/views/file.ts";
import type { AttachmentView } from "../../issues/view.ts";
import type { ReleaseView } from "../../releases/view.ts";

/** What is typed into the form of a release, its files aside. */
export interface ReleaseTyped {
  readonly tag_name: string;
  readonly target: string;
  readonly tag_message: string;
  readonly title: string;
  readonly note: string;
  readonly prerelease: boolean;
}

export interface ReleaseFormFacts {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly typed: ReleaseTyped;
  /** Undefined for a release that is to be made. */
  readonly release: ReleaseView | undefined;
  /** The version of it that its editor has seen, with this page. */
  readonly seen: string;
  /** The names of its files as they were typed, by their ids, and those that shall go. */
  readonly names: ReadonlyMap<number, string>;
  readonly removed: ReadonlySet<number>;
  /** Came with the form before it was refused. */
  readonly came: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** By which they are named when the form is sent again. */
  readonly cameSeal: string;
  readonly maxBytes: number;
  readonly formToken: string;
  readonly problem: FormProblem | undefined;
  /** Somebody else has changed it meanwhile. */
  readonly isStale: boolean;
}

/** Where a release is written; with what it says now below it, where somebody else has changed it. */
export function ReleaseForm(facts: ReleaseFormFacts): Html {
  const { repository, typed, release, seen, cameSeal, formToken, problem, isStale } = facts;
  const { releases: texts, branches } = useTexts();
  const hidden = { seen, came: cameSeal, ...(release !== undefined && { id: String(release.id) }) };
  return [
    h(
      Form,
      { action: releaseFormPath(repository, release?.tagName), formToken, hidden, problem, hasFiles: true },
      h(
        "div",
        { class: "beside" },
        h(Field, { name: "tag_name", label: texts.tag, value: typed.tag_name, autocomplete: "off", hint: texts.tagHint, hasFocus: typed.tag_name === "" }),
        h(OptionalField, { name: "target", label: texts.target, value: typed.target, hint: branches.fromHint(repository.defaultBranch) }),
      ),
      h(OptionalField, { name: "title", label: texts.releaseTitle, value: typed.title, hint: texts.titleHint }),
      h(
        "div",
        { class: "editor" },
        // A browser drops the first line end of a text area.
        h(TextArea, { name: "note", label: texts.note, value: typed.note.startsWith("\n") ? `\n${typed.note}` : typed.note, rows: 14, isMarkdown: true }),
      ),
      h(Files, facts),
      h(CheckBox, { name: "prerelease", label: texts.isPrerelease, isChecked: typed.prerelease }),
      h(
        "details",
        { class: "more", open: typed.tag_message !== "" },
        h("summary", null, texts.annotate),
        h(TextArea, { name: "tag_message", label: texts.tagMessage, value: typed.tag_message, rows: 3, hint: branches.messageHint }),
      ),
      h(Buttons, { release }),
    ),
    isStale && release !== undefined && h(Theirs, { release }),
    release !== undefined && h(Removal, { repository, release, formToken }),
  ];
}

function Buttons({ release }: Pick<ReleaseFormFacts, "release">): Html {
  const { releases: texts } = useTexts();
  const isPublished = release?.isDraft === false;
  return [
    h(
      "div",
      { class: "bar" },
      h("button", { class: "primary", type: "submit", name: "action", value: "publish" }, isPublished ? texts.save : texts.publish),
      h("button", { type: "submit", name: "action", value: "draft", "aria-describedby": "draft-how" }, isPublished ? texts.withdraw : texts.saveDraft),
      release === undefined && h("button", { type: "submit", name: "action", value: "tag" }, texts.onlyTag),
    ),
    h("p", { class: "hint", id: "draft-how" }, texts.draftHow),
  ];
}

/** Those that it has, each to be renamed or removed; those that have come already, and where more are chosen. */
function Files({ release, names, removed, came, maxBytes }: ReleaseFormFacts): Html {
  const { releases: texts, language } = useTexts();
  const assets = release?.assets ?? [];
  return [
    assets.length > 0 &&
      h(
        "ul",
        { class: "rows", "aria-label": texts.files },
        assets.map((asset) => h(FileRow, { asset, name: names.get(asset.id) ?? asset.name, isRemoved: removed.has(asset.id) })),
      ),
    came.length > 0 &&
      h(
        "div",
        { class: "notice" },
        h("h2", null, texts.came),
        h(
          "ul",
          null,
          came.map(({ name, sizeBytes }) => h("li", null, h("bdi", null, name), " ", h("span", { class: "soft" }, sizeText(sizeBytes, language)))),
        ),
      ),
    h(FileField, {
      name: "files",
      label: texts.addFiles,
      hint: texts.addFilesHint(sizeText(maxBytes, language)),
      isMultiple: true,
      isOptional: true,
      maxBytesEach: maxBytes,
    }),
  ];
}

interface FileRowFacts {
  readonly asset: AttachmentView;
  readonly name: string;
  readonly isRemoved: boolean;
}

function FileRow({ asset, name, isRemoved }: FileRowFacts): Html {
  const { releases: texts, language } = useTexts();
  return h(
    "li",
    null,
    h("div", null, h(Field, { name: `name_${asset.id}`, label: texts.nameOf(asset.name), value: name, autocomplete: "off" })),
    h("span", { class: "soft" }, sizeText(asset.sizeBytes, language), " · ", texts.downloads(asset.downloadCount)),
    h(CheckBox, { name: `remove_${asset.id}`, label: texts.remove(asset.name), isChecked: isRemoved }),
  );
}

function Theirs({ release }: { readonly release: ReleaseView }): Html {
  const { releases: texts } = useTexts();
  const { tagName, title, note, isDraft, isPrerelease } = release;
  return h(
    "section",
    { class: "box" },
    h(
      "header",
      null,
      h("h2", null, texts.now),
      isDraft && h("span", { class: "badge" }, texts.draft),
      isPrerelease && h("span", { class: "badge" }, texts.prerelease),
    ),
    h("p", { class: "within" }, h("bdi", null, title === "" ? tagName : title)),
    h("pre", { class: "theirs", dir: "auto", tabIndex: 0 }, note),
  );
}

/** Behind a click of its own, so that nobody deletes by one. */
function Removal({ repository, release, formToken }: Pick<ReleaseFormFacts, "repository" | "formToken"> & { readonly release: ReleaseView }): Html {
  const { releases: texts } = useTexts();
  return h(
    "details",
    { class: "more removal" },
    h("summary", null, texts.deleteThis),
    // Browsers open what holds the place that a link leads to.
    h("p", { class: "soft", id: "delete" }, texts.deleteHow),
    h(
      Form,
      { action: releaseFormPath(repository, release.tagName, "delete"), formToken },
      h("div", null, h("button", { class: "danger", type: "submit" }, texts.deleteThis)),
    ),
  );
}
