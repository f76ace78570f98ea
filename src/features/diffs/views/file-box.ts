import { h } from "preact";
import { type RepositoryName, sourcePath } from "../../../ui/addresses.ts";
import { Counts, Modes } from "../../../ui/diff.ts";
import { DiffTable, type DiffTableFacts } from "../../../ui/diff-table.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Revealed } from "../../../ui/revealed.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { FilesPiece, ShownChange } from "../file-piece.ts";
import { anchorOf, type DiffAddress, type DiffState } from "./looking.ts";
import { hasPictures, LargeSizes, Pictures } from "./pictures.ts";

/** What the boxes of all files of a difference have alike. */
export interface FileBoxCommon {
  readonly repository: RepositoryName;
  readonly state: DiffState;
  /** Where the page is. */
  readonly address: DiffAddress;
  readonly isSplit: boolean;
  /** Gaps that are open. */
  readonly gaps: ReadonlySet<number>;
}

export interface FileBoxFacts extends FileBoxCommon, Pick<DiffTableFacts, "talkAddress" | "below"> {
  readonly between: Pick<FilesPiece, "fromOid" | "toOid">;
  readonly change: ShownChange;
  readonly isClosed?: boolean;
  /** At the end of the heading. */
  readonly mark?: Html;
  /** Below the lines. */
  readonly others?: Html;
}

/** What changed in a file. */
export function FileBox(facts: FileBoxFacts): Html {
  const { change, isClosed = false, others } = facts;
  return h(
    "section",
    { class: "box change", id: anchorOf(change.index), "data-file": change.file.path },
    h(Heading, facts),
    h("details", { open: !isClosed }, h("summary", null, h(Size, facts)), h(Content, facts), others),
  );
}

/** How much of it changed, in lines where it has any. */
function Size({ change: { file } }: FileBoxFacts): Html {
  const { commit: texts } = useTexts();
  return file.binary ? h("span", { class: "soft" }, texts.binaryFile) : h(Counts, file);
}

function Heading({ repository, between, change: { file, large }, mark }: FileBoxFacts): Html {
  const { commit: texts } = useTexts();
  const { path, oldPath, status, newMode } = file;
  const name = h(Revealed, { text: oldPath === undefined ? path : `${oldPath} → ${path}` });
  const isHere = status !== "removed" && newMode !== "160000";
  const address = isHere ? sourcePath(repository, { kind: "commit", rev: between.toOid }, path) : undefined;
  const word = status === "copied" || status === "type_changed" ? "modified" : status;
  return h(
    "header",
    null,
    h(Icon, { name: "file" }),
    h("h2", null, address === undefined ? name : h("a", { href: address }, name)),
    h("span", { class: "badge" }, texts[word]),
    h(Modes, { file }),
    large !== undefined && h(LargeSizes, { large }),
    mark,
  );
}

function Content(facts: FileBoxFacts): Html {
  return [hasPictures(facts.change) && h(Pictures, facts), h(Lines, facts)];
}

function Lines(facts: FileBoxFacts): Html {
  const { commit, reviewing: texts } = useTexts();
  const { state, address, change, isSplit, gaps, talkAddress, below } = facts;
  const { file, diff, index, isLong } = change;
  const alone = (more: Readonly<Record<string, string>> = {}): string => address(state, { file: index, ...more });
  if (isLong) return h("p", { class: "soft" }, texts.long, " ", h("a", { href: `${alone()}#${anchorOf(index)}` }, texts.showLong));
  if (diff?.isBinary || file.binary) return !hasPictures(change) && h("p", { class: "soft" }, commit.binary);
  if (diff === undefined || diff.hunks.length === 0) return h("p", { class: "soft" }, file.additions + file.deletions === 0 ? texts.onlyMode : commit.nothing);
  return h(DiffTable, {
    path: file.path,
    hunks: diff.hunks,
    isSplit,
    gapBelow: diff.gapBelow,
    gapAddress: (gap) => `${alone({ gap: [...gaps, gap].join(",") })}#${anchorOf(index)}`,
    talkAddress,
    below,
  });
}
