import { Counts, Styles } from "../../../../ui/diff.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { ListInTurns } from "../../../../ui/render-in-turns.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { type FilesPiece, maxListed, type ShownChange } from "../file-piece.ts";
import { changedFilesTexts, commitTexts } from "../texts/texts.ts";
import { FileBox, type FileBoxCommon } from "./file-box.tsx";
import { FileTree, type TreeMark } from "./file-tree.tsx";
import { anchorOf, type DiffAddress, type DiffState } from "./looking.ts";

export interface ChangesProps {
  readonly piece: FilesPiece;
  readonly state: DiffState;
  /** URL of the page. */
  readonly address: DiffAddress;
  /** URL of the complete diff as text. */
  readonly textAddress: string;
  /** Further links beside that to the text. */
  readonly otherTexts?: Html;
  /** The mark of a file in the tree, by its index. */
  readonly markOf?: (index: number) => TreeMark;
  readonly boxOf: (change: ShownChange) => Html;
}

/** A piece of a diff: the tree of all files, the changes of some of them, and navigation. */
export function Changes(props: ChangesProps): Html {
  const commit = useTexts(commitTexts);
  const texts = useTexts(changedFilesTexts);
  const { piece, state, address, textAddress, boxOf } = props;
  return (
    <div class="changes">
      <Tree {...props} />
      <div>
        {piece.isAlone && (
          <p>
            <a href={address({ ...state, part: 1 })}>{texts.allFiles}</a>
          </p>
        )}
        <ListInTurns items={piece.shown} costOf={costOf} view={boxOf} />
        {piece.isAlone ? (
          <Parts {...props} />
        ) : (
          <>
            <Pieces {...props} />
            <Lists {...props} />
          </>
        )}
        <p>
          {piece.isCut && [commit.tooLarge, " "]}
          <a href={textAddress}>{commit.asText}</a>
          {props.otherTexts}
        </p>
      </div>
    </div>
  );
}

/** A heading costs about as much as twenty lines. */
const costOf = ({ diff }: ShownChange): number => 20 + (diff?.hunks.reduce((sum, { lines }) => sum + lines.length, 0) ?? 0);

function Tree({ piece, state, address, markOf = () => ({}) }: ChangesProps): Html {
  const pieceOf = (index: number): number => piece.starts.findLastIndex((start) => start <= index) + 1;
  return (
    <FileTree
      files={piece.files.map(({ path }, index) => {
        const isHere = !piece.isAlone && pieceOf(index) === piece.piece;
        return { path, href: `${isHere ? "" : address({ ...state, part: 1, piece: pieceOf(index) })}#${anchorOf(index)}`, ...markOf(index) };
      })}
    />
  );
}

function Pieces({ piece, state, address }: ChangesProps): Html {
  const texts = useTexts(changedFilesTexts);
  const { pages } = useTexts(sharedTexts);
  const last = piece.starts.length;
  if (last === 1) return null;
  return (
    <nav class="pager" aria-label={texts.pieces}>
      {piece.piece > 1 && (
        <a href={address({ ...state, piece: piece.piece - 1 })} rel="prev">
          {pages.previousPage}
        </a>
      )}
      <span class="soft">{`${piece.piece} / ${last}`}</span>
      {piece.piece < last && (
        <a href={address({ ...state, piece: piece.piece + 1 })} rel="next">
          {pages.nextPage}
        </a>
      )}
    </nav>
  );
}

/** Links to the previous and next part of the file list. */
function Lists({ piece: { list, hasNextList, files }, state, address }: ChangesProps): Html {
  const texts = useTexts(changedFilesTexts);
  if (list === 1 && !hasNextList) return null;
  const first = (list - 1) * maxListed;
  const to = (other: number): string => address({ ...state, list: other, piece: 1, part: 1 });
  return (
    <nav class="pager" aria-label={texts.lists}>
      {list > 1 && <a href={to(list - 1)}>{texts.filesBefore}</a>}
      {files.length > 0 && <span class="soft">{texts.listed(first + 1, first + files.length)}</span>}
      {hasNextList && <a href={to(list + 1)}>{texts.filesBehind}</a>}
    </nav>
  );
}

/** Links to the previous and next lines of a long file. */
function Parts({ piece: { part, hasNextPart, shown }, state, address }: ChangesProps): Html {
  const texts = useTexts(changedFilesTexts);
  const { pages } = useTexts(sharedTexts);
  const file = shown[0]?.index;
  if (part === 1 && !hasNextPart) return null;
  const to = (other: number): string => address({ ...state, part: other }, { file });
  return (
    <nav class="pager" aria-label={texts.parts}>
      {part > 1 && (
        <a href={to(part - 1)} rel="prev">
          {pages.previousPage}
        </a>
      )}
      <span class="soft">{part}</span>
      {hasNextPart && (
        <a href={to(part + 1)} rel="next">
          {pages.nextPage}
        </a>
      )}
    </nav>
  );
}

export interface DiffBarProps extends Pick<ChangesProps, "piece" | "state" | "address"> {
  readonly isSplit: boolean;
  /** The bar stays visible while the page scrolls. */
  readonly isSticky?: boolean;
  /** Content at the start and at the end of the bar. */
  readonly before?: Html;
  readonly after?: Html;
  /** Additional information about the files. */
  readonly progress?: Html;
  /** Replaces the links for unified and split view. */
  readonly styles?: Html;
}

/** The diff statistics and view options. */
export function DiffBar({ piece, state, address, isSplit, isSticky, before, after, progress, styles }: DiffBarProps): Html {
  const texts = useTexts(changedFilesTexts);
  const commit = useTexts(commitTexts);
  const file = piece.isAlone ? piece.shown[0]?.index : undefined;
  const hidesSpace = state.whitespace !== "show-all";
  return (
    <div class={isSticky ? "bar diff-bar" : "bar"}>
      {before}
      <strong>{commit.changed(piece.fileCount)}</strong>
      <span>
        <Counts {...piece} />
      </span>
      {progress}
      <span class="end">
        {piece.shown.length > 1 && <Folds state={state} address={address} />}
        <span class="switch">
          <a href={address({ ...state, part: 1, whitespace: hidesSpace ? "show-all" : "ignore-all" }, { file })}>
            {hidesSpace ? texts.allChanges : texts.withoutSpace}
          </a>
        </span>
        {styles ?? <Styles isSplit={isSplit} styleAddress={(style) => address({ ...state, style }, { file })} />}
        {after}
      </span>
    </div>
  );
}

/** Links that collapse and expand all files. A script does it in place. */
function Folds({ state, address }: Pick<DiffBarProps, "state" | "address">): Html {
  const texts = useTexts(changedFilesTexts);
  const link = (folded: "true" | "false", icon: IconName, label: string): Html => (
    <a href={address({ ...state, folded })} data-folds={folded} title={label}>
      <Icon name={icon} label={label} />
    </a>
  );
  return (
    <span class="switch">
      {link("true", "fold", texts.foldFiles)}
      {link("false", "unfold", texts.unfoldFiles)}
    </span>
  );
}

/** A diff without review functions. */
export const ReadOnlyChanges = (props: Omit<ChangesProps, "markOf" | "boxOf"> & FileBoxCommon): Html => (
  <>
    <DiffBar {...props} />
    <Changes {...props} boxOf={(change) => <FileBox {...props} between={props.piece} change={change} />} />
  </>
);
