import { blamePath, historyPath, type RepositoryName, sourcePath } from "../../../../ui/addresses.ts";
import { CountsWithBar, Modes } from "../../../../ui/diff.tsx";
import { DiffTable, type DiffTableProps } from "../../../../ui/diff-table.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Revealed } from "../../../../ui/revealed.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { FilesPiece, ShownChange } from "../file-piece.ts";
import { changedFilesTexts, commitTexts } from "../texts/texts.ts";
import { anchorOf, type DiffAddress, type DiffState, opensAll } from "./looking.ts";
import { hasPictures, LargeSizes, Pictures } from "./pictures.tsx";

/** Props shared by the boxes of all files of a diff. */
export interface FileBoxCommon {
  readonly repository: RepositoryName;
  readonly state: DiffState;
  /** URL of the page. */
  readonly address: DiffAddress;
  readonly isSplit: boolean;
  /** The opened gaps. */
  readonly gaps: ReadonlySet<number>;
}

export interface FileBoxProps extends FileBoxCommon, Pick<DiffTableProps, "talkAddress" | "below"> {
  readonly between: Pick<FilesPiece, "fromOid" | "toOid">;
  readonly change: ShownChange;
  readonly isClosed?: boolean;
  /** Content at the end of the heading. */
  readonly mark?: Html;
  /** Content above the lines. */
  readonly above?: Html;
  /** Content below the lines. */
  readonly others?: Html;
}

/** The changes of one file. */
export function FileBox(props: FileBoxProps): Html {
  const texts = useTexts(changedFilesTexts);
  const { change, state, above, others } = props;
  const isClosed = state.folded === "" ? props.isClosed : state.folded === "true";
  return (
    <section class="box change" id={anchorOf(change.index)} data-file={change.file.path}>
      <Heading {...props} />
      <details open={!isClosed}>
        <summary aria-label={texts.changesOf(change.file.path)}>
          <span class="fold">
            <Icon name="chevron-down" />
          </span>
        </summary>
        {above}
        <Content {...props} />
        {others}
      </details>
    </section>
  );
}

/** The number of changed lines, if the file has lines. */
function Size({ file }: { readonly file: ShownChange["file"] }): Html {
  const texts = useTexts(commitTexts);
  return file.binary ? <span class="soft">{texts.binaryFile}</span> : <CountsWithBar {...file} />;
}

function Heading(props: FileBoxProps): Html {
  const texts = useTexts(commitTexts);
  const { repository, between, change, mark } = props;
  const { file, large } = change;
  const { path, oldPath, status, newMode } = file;
  const name = <Revealed text={oldPath === undefined ? path : `${oldPath} → ${path}`} />;
  const isHere = status !== "removed" && newMode !== "160000";
  const address = isHere ? sourcePath(repository, { kind: "commit", rev: between.toOid }, path) : undefined;
  const word = status === "copied" || status === "type_changed" ? "modified" : status;
  return (
    <header>
      <h2>{address === undefined ? name : <a href={address}>{name}</a>}</h2>
      <span class="badge">{texts[word]}</span>
      <Size file={file} />
      <Modes file={file} />
      {large !== undefined && <LargeSizes large={large} />}
      <div class="end">
        {mark}
        {isHere && (
          <FileMenu repository={repository} oid={between.toOid} path={path}>
            <Unfold {...props} />
          </FileMenu>
        )}
      </div>
    </header>
  );
}

interface FileMenuProps {
  readonly repository: RepositoryName;
  readonly oid: string;
  readonly path: string;
  readonly children?: Html;
}

/** Shows all lines of a file, or the changed ones again. */
function Unfold({ state, address, gaps, change: { index, diff } }: FileBoxProps): Html {
  const texts = useTexts(changedFilesTexts);
  const isUnfolded = opensAll(gaps);
  const hasGaps = diff !== undefined && (diff.gapBelow !== undefined || diff.hunks.some(({ gapAbove }) => gapAbove !== undefined));
  if (!hasGaps && !isUnfolded) return null;
  return (
    <a class="unfold" href={`${address(state, { file: index, gap: isUnfolded ? undefined : "all" })}#${anchorOf(index)}`}>
      {isUnfolded ? texts.foldLines : texts.unfoldLines}
    </a>
  );
}

/** The pages of a changed file. */
function FileMenu({ repository, oid, path, children }: FileMenuProps): Html {
  const texts = useTexts(changedFilesTexts);
  const at = { kind: "commit", rev: oid } as const;
  return (
    <details class="menu">
      <summary aria-label={texts.menuOf(path)}>
        <Icon name="kebab-horizontal" />
      </summary>
      <div class="sheet">
        {children}
        <a href={sourcePath(repository, at, path)}>{texts.viewFile}</a>
        <a href={historyPath(repository, at, path)}>{texts.fileHistory}</a>
        <a href={blamePath(repository, at, path)}>{texts.fileBlame}</a>
      </div>
    </details>
  );
}

function Content(props: FileBoxProps): Html {
  return (
    <>
      {hasPictures(props.change) && <Pictures {...props} />}
      <Lines {...props} />
    </>
  );
}

function Lines(props: FileBoxProps): Html {
  const commit = useTexts(commitTexts);
  const texts = useTexts(changedFilesTexts);
  const { state, address, change, isSplit, gaps, talkAddress, below } = props;
  const { file, diff, index, isLong } = change;
  const alone = (more: Readonly<Record<string, string>> = {}): string => address(state, { file: index, ...more });
  if (isLong)
    return (
      <p class="soft">
        {texts.long} <a href={`${alone()}#${anchorOf(index)}`}>{texts.showLong}</a>
      </p>
    );
  if (diff?.isBinary || file.binary) return !hasPictures(change) && <p class="soft">{commit.binary}</p>;
  if (diff === undefined || diff.hunks.length === 0) return <p class="soft">{file.additions + file.deletions === 0 ? texts.onlyMode : commit.nothing}</p>;
  return (
    <DiffTable
      path={file.path}
      hunks={diff.hunks}
      isSplit={isSplit}
      gapBelow={diff.gapBelow}
      gapAddress={(gap) => `${alone({ gap: [...(opensAll(gaps) ? [] : gaps), gap].join(",") })}#${anchorOf(index)}`}
      talkAddress={talkAddress}
      below={below}
    />
  );
}
