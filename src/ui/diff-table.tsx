import type { Html } from "./html.ts";
import { Icon } from "./icons.tsx";
import { ListInTurns } from "./render-in-turns.tsx";
import { Revealed, revealedHtml } from "./revealed.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export type Side = "old" | "new";

export interface ShownDiffLine {
  readonly kind: "context" | "added" | "removed";
  /** Line numbers before and after the change; undefined on the side that lacks the line. */
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
  /** The highlighted text. */
  readonly html?: string | undefined;
  /** The line is the last one of its file, and has no line break. Otherwise both sides of its change can look the same. */
  readonly isUnended?: true;
}

export interface ShownHunk {
  readonly heading: string;
  readonly lines: readonly ShownDiffLine[];
  /** The expandable gap above the hunk. */
  readonly gapAbove?: number | undefined;
}

export interface DiffTableProps {
  /** Path of the file. */
  readonly path: string;
  readonly hunks: readonly ShownHunk[];
  /** Side by side instead of in one column. */
  readonly isSplit?: boolean;
  /** Address of the comment form of a line; undefined if lines cannot be commented on. */
  readonly talkAddress?: ((side: Side, line: number) => string) | undefined;
  /** Content below a line, such as a conversation. */
  readonly below?: ((side: Side, line: number) => Html | undefined) | undefined;
  /** Address of the page with the lines of a gap. */
  readonly gapAddress?: ((gap: number) => string) | undefined;
  /** The expandable gap below the last hunk. */
  readonly gapBelow?: number | undefined;
}

const columns = 4;
const signs = { context: " ", added: "+", removed: "-" } as const;

/** The lines of a change with their numbers. */
export function DiffTable(props: DiffTableProps): Html {
  const { hunks, gapBelow, isSplit } = props;
  return (
    <table class={isSplit ? "diff split" : "diff"}>
      {isSplit && (
        <colgroup>
          <col class="number" />
          <col />
          <col class="number" />
          <col />
        </colgroup>
      )}
      <Head {...props} />
      <ListInTurns
        items={hunks}
        costOf={({ lines }) => lines.length}
        view={(hunk) => (
          <tbody>
            <GapRow {...props} gap={hunk.gapAbove} heading={hunk.heading} />
            {isSplit ? (
              <ListInTurns items={pairs(hunk.lines)} view={(pair) => splitRow(props, pair)} />
            ) : (
              <ListInTurns items={hunk.lines} view={(line) => row(props, line)} />
            )}
          </tbody>
        )}
      />
      {gapBelow !== undefined && (
        <tbody>
          <GapRow {...props} gap={gapBelow} heading="" />
        </tbody>
      )}
    </table>
  );
}

function Head({ path, isSplit }: DiffTableProps): Html {
  const texts = useTexts(sharedTexts).diff;
  const column = (text: string): Html => <th scope="col">{text}</th>;
  const cells = isSplit
    ? [column(texts.oldLine), column(texts.before), column(texts.newLine), column(texts.after)]
    : [column(texts.oldLine), column(texts.newLine), <td />, column(path)];
  return (
    <thead class="hidden">
      <tr>{cells}</tr>
    </thead>
  );
}

interface GapProps extends DiffTableProps {
  readonly gap: number | undefined;
  readonly heading: string;
}

function GapRow({ path, gap, heading, gapAddress }: GapProps): Html {
  const texts = useTexts(sharedTexts).diff;
  if (gap === undefined && heading === "") return null;
  const address = gap === undefined ? undefined : gapAddress?.(gap);
  const way =
    address === undefined ? (
      "⋯ "
    ) : (
      <a class="gap" href={address}>
        <Icon name="chevron-down" label={`${texts.moreLines}: ${path}`} />
      </a>
    );
  return (
    <tr class="hunk">
      <td colSpan={columns}>
        {way}
        {heading}
      </td>
    </tr>
  );
}

/** The icon has no text, so that a copied line is the line of the file. */
function Unended(): Html {
  const { unended } = useTexts(sharedTexts).diff;
  return (
    <span class="soft" title={unended}>
      <Icon name="no-entry" label={unended} />
    </span>
  );
}

const contentOf = ({ text, html, isUnended }: ShownDiffLine): Html => (
  <>
    {html === undefined ? <Revealed text={text} /> : <span dangerouslySetInnerHTML={{ __html: revealedHtml(html) }} />}
    {isUnended && <Unended />}
  </>
);

const textOf = (line: ShownDiffLine): Html =>
  line.html === undefined || line.isUnended ? <td>{contentOf(line)}</td> : <td dangerouslySetInnerHTML={{ __html: revealedHtml(line.html) }} />;

/** A line number; a link to the comment form if there is one. */
function NumberCell({
  number,
  side,
  talkAddress,
  kind,
}: { readonly number: number | undefined; readonly side: Side; readonly kind?: string | undefined } & Pick<DiffTableProps, "talkAddress">): Html {
  const texts = useTexts(sharedTexts).diff;
  const name = kind === undefined ? "number" : `number ${kind}`;
  if (number === undefined || talkAddress === undefined) return <td class={name} data-line={number} />;
  return (
    <td class={name}>
      {/* biome-ignore lint/a11y/useAnchorContent: the style sheet draws the plus sign, and the label names the link. */}
      <a href={talkAddress(side, number)} data-line={number} aria-label={texts.talkAbout(number)} />
    </td>
  );
}

/** Rows below a line, for the conversations of both sides. */
function talkRows({ below }: DiffTableProps, { before, after }: Pick<ShownDiffLine, "before" | "after">): Html {
  if (below === undefined) return null;
  const threads = [before !== undefined && below("old", before), after !== undefined && below("new", after)].filter(
    (one) => one !== undefined && one !== false,
  );
  return threads.map((one) => (
    <tr class="talk">
      <td colSpan={columns}>{one}</td>
    </tr>
  ));
}

function row(props: DiffTableProps, line: ShownDiffLine): Html {
  const { kind, before, after } = line;
  const isOld = kind === "removed";
  return [
    <tr {...(kind === "context" ? null : { class: kind })}>
      <NumberCell number={before} side="old" talkAddress={isOld ? props.talkAddress : undefined} />
      <NumberCell number={after} side="new" talkAddress={props.talkAddress} />
      <td class="sign">{signs[kind]}</td>
      {textOf(line)}
    </tr>,
    talkRows(props, line),
  ];
}

interface SplitRow {
  readonly old: ShownDiffLine | undefined;
  readonly now: ShownDiffLine | undefined;
}

/** Pairs removed lines with the added lines that replace them. */
function pairs(lines: readonly ShownDiffLine[]): SplitRow[] {
  const paired: SplitRow[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line?.kind === "context") {
      paired.push({ old: line, now: line });
      at += 1;
      continue;
    }
    const endOf = (from: number, kind: string): number => {
      let end = from;
      while (lines[end]?.kind === kind) end += 1;
      return end;
    };
    const middle = endOf(at, "removed");
    const end = endOf(middle, "added");
    const [removed, added] = [lines.slice(at, middle), lines.slice(middle, end)];
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) paired.push({ old: removed[index], now: added[index] });
    at = end;
  }
  return paired;
}

function splitRow(props: DiffTableProps, { old, now }: SplitRow): Html {
  const half = (line: ShownDiffLine | undefined, side: Side): Html => {
    if (line === undefined)
      return (
        <>
          <td class="number none" />
          <td class="none" />
        </>
      );
    const kind = line.kind === "context" ? undefined : line.kind;
    const number = side === "old" ? line.before : line.after;
    const html = line.isUnended ? undefined : line.html;
    return (
      <>
        <NumberCell number={number} side={side} kind={kind} talkAddress={props.talkAddress} />
        <td {...(kind && { class: kind })} {...(html !== undefined && { dangerouslySetInnerHTML: { __html: revealedHtml(html) } })}>
          {html === undefined ? contentOf(line) : undefined}
        </td>
      </>
    );
  };
  return [
    <tr>
      {half(old, "old")}
      {half(now, "new")}
    </tr>,
    talkRows(props, { ...(old?.before !== undefined && { before: old.before }), ...(now?.after !== undefined && { after: now.after }) }),
  ];
}
