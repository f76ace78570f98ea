import { h } from "preact";
import { blamePath, editPath, mediaPath, type RepositoryName, rawPath, sourcePath } from "../../../ui/addresses.ts";
import { CodeLines, lineCount, Rendered } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { EntryView, ShownFile, Viewpoint } from "../view.ts";
import { NotebookView } from "./notebook.ts";

export interface FileFacts {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  readonly file: EntryView;
  readonly shown: ShownFile;
  readonly canEdit: boolean;
}

/** A file: rendered or as code, with what is known of it above. */
export function FileView({ repository, at, file, shown, canEdit }: FileFacts): Html {
  const { code: texts, language } = useTexts();
  return h(
    "section",
    { class: "box" },
    h(
      "header",
      null,
      h("h2", null, nameOf(file)),
      shown.kind === "code" && h("span", null, texts.lines(lineCount(shown.text))),
      h("span", { class: "soft" }, sizeText("sizeBytes" in shown ? shown.sizeBytes : file.sizeBytes, language)),
      "isHere" in shown && h("span", { class: "badge" }, "Git LFS"),
      h(
        "span",
        { class: "end" },
        h(OtherForm, { repository, at, file, shown }),
        "isHere" in shown && shown.isHere && h("a", { href: mediaPath(repository, at, file.path), download: nameOf(file) }, texts.download),
        h("a", { href: rawPath(repository, at, file.path) }, "isHere" in shown ? texts.pointer : texts.raw),
        h(Ways, { repository, at, file, shown, canEdit }),
      ),
    ),
    h(Shown, { repository, at, file, shown }),
  );
}

const nameOf = ({ path }: EntryView): string | undefined => path.split("/").at(-1);

/** To who wrote it, to where it stays as it is, and to where it is changed. */
function Ways({ repository, at, file, shown, canEdit }: FileFacts): Html {
  const { search, editing } = useTexts();
  const isText = shown.kind === "code" || shown.kind === "rendered" || shown.kind === "notebook" || (shown.kind === "image" && shown.isText);
  const edits = canEdit && at.kind === "branch";
  return [
    isText && h("a", { href: blamePath(repository, at, file.path) }, search.blame),
    at.kind !== "commit" && h("a", { href: sourcePath(repository, { kind: "commit", rev: at.commit.oid }, file.path), "data-key": "y" }, search.permalink),
    edits &&
      file.mode.startsWith("100") &&
      h("a", { href: editPath(repository, "edit", at.rev, file.path), "data-key": "e" }, isText ? editing.edit : editing.move),
    edits && h("a", { href: editPath(repository, "delete", at.rev, file.path) }, editing.delete),
  ];
}

/** To the source of what is rendered, and back. */
function OtherForm({ repository, at, file, shown }: Omit<FileFacts, "canEdit">): Html {
  const { code: texts } = useTexts();
  const address = sourcePath(repository, at, file.path);
  const isOtherForm = shown.kind === "rendered" || shown.kind === "notebook" || (shown.kind === "image" && shown.isText);
  if (isOtherForm) return h("a", { href: `${address}?display=source` }, texts.source);
  return shown.kind === "code" && shown.canRender && h("a", { href: address }, texts.rendered);
}

function Shown({ repository, at, file, shown }: Omit<FileFacts, "canEdit">): Html {
  const { code: texts } = useTexts();
  const commit = { kind: "commit", rev: at.commit.oid } as const;
  switch (shown.kind) {
    case "rendered":
      return h("div", { class: "within" }, h(Rendered, { html: shown.html }));
    case "code":
      return shown.text === "" ? h("p", { class: "soft" }, texts.empty) : h(CodeLines, { text: shown.text, html: shown.html });
    case "image":
      // By the commit: what a browser has kept of the branch may be older.
      return h("div", { class: "picture" }, h("img", { src: rawPath(repository, commit, file.path), alt: nameOf(file) }));
    case "large image":
      return h("div", { class: "picture" }, h("img", { src: mediaPath(repository, commit, file.path), alt: nameOf(file) }));
    case "notebook":
      return h(NotebookView, { repository, oid: at.commit.oid, path: file.path, cells: shown.cells, isCut: shown.isCut });
    case "link":
      return h("p", null, texts.link, " ", h("code", null, shown.target));
    case "large":
      return h("p", null, shown.isHere ? texts.lfs : texts.lfsMissing);
    case "binary":
      return h("p", null, texts.binary);
    case "too large":
      return h("p", null, texts.tooLarge);
  }
}

const units = ["B", "KiB", "MiB", "GiB"] as const;

/** Bytes as people read them: `3.4 KiB`. */
export function sizeText(bytes: number, language: string): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toLocaleString(language, { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`;
}
