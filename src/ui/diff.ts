import { h } from "preact";
import { DiffTable, type ShownDiffLine } from "./diff-table.ts";
import type { Html } from "./html.ts";
import { Icon } from "./icons.ts";
import { Revealed } from "./revealed.ts";
import { useTexts } from "./texts/texts.ts";

export interface ShownFileDiff {
  readonly status: "added" | "removed" | "renamed" | "modified";
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly isBinary: boolean;
  /** Of git, before and after the change, as far as git tells them. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  readonly hunks: readonly { readonly heading: string; readonly lines: readonly ShownDiffLine[] }[];
  readonly additions: number;
  readonly deletions: number;
}

export type DiffStyle = "unified" | "split";

export interface DiffFacts {
  readonly files: readonly ShownFileDiff[];
  /** Both sides in one column, or beside each other; and where the page shows it the one way or the other. */
  readonly isSplit: boolean;
  readonly styleAddress: (style: DiffStyle) => string;
  /** Where a file is after the change; undefined where it is not any more. */
  readonly addressOf: (file: ShownFileDiff) => string | undefined;
}

/** How somebody looks at changes: as the page's address says it, else as his account has it. */
export const showsSplit = (style: string | undefined, account: { readonly diffStyle: string } | undefined): boolean =>
  (style || account?.diffStyle) === "split";

/** Changed files below each other. */
export const Diff = ({ files, isSplit, styleAddress, addressOf }: DiffFacts): Html => [
  h(Contents, { files }),
  h("div", { class: "bar" }, h("span", { class: "end" }, h(Styles, { isSplit, styleAddress }))),
  files.map((file, index) => h(FileBox, { file, isSplit, address: addressOf(file), id: anchorOf(index) })),
];

/** The way from one column to two, and back. */
export function Styles({ isSplit, styleAddress }: Pick<DiffFacts, "isSplit" | "styleAddress">): Html {
  const { reviewing: texts } = useTexts();
  const link = (style: DiffStyle, word: string): Html =>
    h("a", { href: styleAddress(style), ...(isSplit === (style === "split") && { "aria-current": "page" }) }, word);
  return h("nav", { class: "switch", "aria-label": texts.showing }, link("unified", texts.unified), link("split", texts.split));
}

const anchorOf = (index: number): string => `file-${index + 1}`;

/** Which files, with a way to each. */
function Contents({ files }: { readonly files: readonly ShownFileDiff[] }): Html {
  const { commit: texts } = useTexts();
  return h(
    "details",
    { class: "box within-diff", open: files.length <= 20 },
    h("summary", null, texts.changed(files.length), " ", h(Counts, sumOf(files))),
    h(
      "ol",
      null,
      files.map((file, index) => h("li", null, h("a", { href: `#${anchorOf(index)}` }, h(Revealed, { text: file.path })), " ", h(Counts, file))),
    ),
  );
}

const sumOf = (files: readonly ShownFileDiff[]) => ({
  additions: files.reduce((sum, file) => sum + file.additions, 0),
  deletions: files.reduce((sum, file) => sum + file.deletions, 0),
});

/** How many lines came and went. */
export const Counts = ({ additions, deletions }: { readonly additions: number; readonly deletions: number }): Html => [
  h("span", { class: "plus" }, `+${additions}`),
  " ",
  h("span", { class: "minus" }, `−${deletions}`),
];

interface FileBoxFacts {
  readonly file: ShownFileDiff;
  readonly isSplit: boolean;
  readonly address: string | undefined;
  readonly id: string;
}

function FileBox({ file, isSplit, address, id }: FileBoxFacts): Html {
  const { commit: texts } = useTexts();
  const name = h(Revealed, { text: file.oldPath === undefined ? file.path : `${file.oldPath} → ${file.path}` });
  return h(
    "section",
    { class: "box", id },
    h(
      "header",
      null,
      h(Icon, { name: "file" }),
      h("h2", null, address === undefined ? name : h("a", { href: address }, name)),
      h("span", { class: "badge" }, texts[file.status]),
      h(Modes, { file }),
      h("span", { class: "end" }, h(Counts, file)),
    ),
    file.isBinary
      ? h("p", { class: "soft" }, texts.binary)
      : file.hunks.length === 0
        ? h("p", { class: "soft" }, texts.nothing)
        : h(DiffTable, { ...file, isSplit }),
  );
}

/** What a file is where it is no plain one, and what it has become where that changes. */
export function Modes({ file: { oldMode, newMode } }: { readonly file: ShownFileDiff }): Html {
  const { commit: texts } = useTexts();
  const kinds: Readonly<Record<string, string>> = { "120000": texts.symbolicLink, "160000": texts.submodule, "100755": texts.executable };
  const nameOf = (mode: string): string => kinds[mode] ?? texts.plainFile;
  const changes = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  const mode = newMode ?? oldMode;
  if (changes) return h("span", { class: "badge" }, `${nameOf(oldMode)} → ${nameOf(newMode)}`);
  return mode !== undefined && kinds[mode] !== undefined && h("span", { class: "badge" }, kinds[mode]);
}

/** Lines of a difference as git writes them, below each other. */
export const HunkLines = ({ hunk }: { readonly hunk: string }): Html => h("pre", { class: "hunk-lines" }, h("code", null, h(Revealed, { text: hunk })));
