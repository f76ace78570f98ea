import { h } from "preact";
import type { Html } from "./html.ts";
import { Icon } from "./icons.ts";
import { Revealed, revealedHtml } from "./revealed.ts";
import { useTexts } from "./texts/texts.ts";

export type Side = "old" | "new";

export interface ShownDiffLine {
  readonly kind: "context" | "added" | "removed";
  /** Its number before and after the change, where it is there. */
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
  /** The text as the highlighter coloured it. */
  readonly html?: string | undefined;
}

export interface ShownHunk {
  readonly heading: string;
  readonly lines: readonly ShownDiffLine[];
  /** The gap above it that can be opened. */
  readonly gapAbove?: number | undefined;
}

export interface DiffTableFacts {
  /** What the lines are of. */
  readonly path: string;
  readonly hunks: readonly ShownHunk[];
  /** Both sides in one column, or beside each other. */
  readonly isSplit?: boolean;
  /** Where a line is talked about; not given: nowhere. */
  readonly talkAddress?: ((side: Side, line: number) => string) | undefined;
  /** What stands below a line. */
  readonly below?: ((side: Side, line: number) => Html | undefined) | undefined;
  /** Where the lines of a gap are shown. */
  readonly gapAddress?: ((gap: number) => string) | undefined;
  /** The gap below the last hunk that can be opened. */
  readonly gapBelow?: number | undefined;
}

const columns = 4;
const signs = { context: " ", added: "+", removed: "-" } as const;

/** The lines of a change with their numbers. */
export function DiffTable(facts: DiffTableFacts): Html {
  const { hunks, gapBelow, isSplit } = facts;
  return h(
    "table",
    { class: isSplit ? "diff split" : "diff" },
    isSplit && h("colgroup", null, h("col", { class: "number" }), h("col", null), h("col", { class: "number" }), h("col", null)),
    h(Head, facts),
    hunks.map((hunk) =>
      h("tbody", null, h(GapRow, { ...facts, gap: hunk.gapAbove, heading: hunk.heading }), isSplit ? splitRows(facts, hunk) : rows(facts, hunk)),
    ),
    gapBelow !== undefined && h("tbody", null, h(GapRow, { ...facts, gap: gapBelow, heading: "" })),
  );
}

function Head({ path, isSplit }: DiffTableFacts): Html {
  const { commit: texts } = useTexts();
  const column = (text: string): Html => h("th", { scope: "col" }, text);
  const cells = isSplit
    ? [column(texts.oldLine), column(texts.before), column(texts.newLine), column(texts.after)]
    : [column(texts.oldLine), column(texts.newLine), h("td", null), column(path)];
  return h("thead", { class: "hidden" }, h("tr", null, cells));
}

interface GapFacts extends DiffTableFacts {
  readonly gap: number | undefined;
  readonly heading: string;
}

function GapRow({ path, gap, heading, gapAddress }: GapFacts): Html {
  const { commit: texts } = useTexts();
  if (gap === undefined && heading === "") return null;
  const address = gap === undefined ? undefined : gapAddress?.(gap);
  const way = address === undefined ? "⋯ " : h("a", { class: "gap", href: address }, h(Icon, { name: "chevron-down", label: `${texts.moreLines}: ${path}` }));
  return h("tr", { class: "hunk" }, h("td", { colSpan: columns }, way, heading));
}

const textOf = ({ text, html }: ShownDiffLine): Html =>
  html === undefined ? h("td", null, h(Revealed, { text })) : h("td", { dangerouslySetInnerHTML: { __html: revealedHtml(html) } });

/** The number of a line; a way to talk about the line where it is given. */
function NumberCell({
  number,
  side,
  talkAddress,
  kind,
}: { readonly number: number | undefined; readonly side: Side; readonly kind?: string | undefined } & Pick<DiffTableFacts, "talkAddress">): Html {
  const { commit: texts } = useTexts();
  const name = kind === undefined ? "number" : `number ${kind}`;
  if (number === undefined || talkAddress === undefined) return h("td", { class: name, "data-line": number });
  return h("td", { class: name }, h("a", { href: talkAddress(side, number), "data-line": number, "aria-label": texts.talkAbout(number) }));
}

/** The rows below a line: it is talked about on both sides. */
function talkRows({ below }: DiffTableFacts, { before, after }: Pick<ShownDiffLine, "before" | "after">): Html {
  if (below === undefined) return null;
  const told = [before !== undefined && below("old", before), after !== undefined && below("new", after)].filter((one) => one !== undefined && one !== false);
  return told.map((one) => h("tr", { class: "talk" }, h("td", { colSpan: columns }, one)));
}

const rows = (facts: DiffTableFacts, hunk: ShownHunk): Html =>
  hunk.lines.map((line) => {
    const { kind, before, after } = line;
    const isOld = kind === "removed";
    return [
      h(
        "tr",
        kind === "context" ? null : { class: kind },
        h(NumberCell, { number: before, side: "old", talkAddress: isOld ? facts.talkAddress : undefined }),
        h(NumberCell, { number: after, side: "new", talkAddress: facts.talkAddress }),
        h("td", { class: "sign" }, signs[kind]),
        textOf(line),
      ),
      talkRows(facts, line),
    ];
  });

interface SplitRow {
  readonly old: ShownDiffLine | undefined;
  readonly now: ShownDiffLine | undefined;
}

/** Lines that went and lines that came in their place stand beside each other. */
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

const splitRows = (facts: DiffTableFacts, hunk: ShownHunk): Html =>
  pairs(hunk.lines).map(({ old, now }) => {
    const half = (line: ShownDiffLine | undefined, side: Side): Html => {
      if (line === undefined) return [h("td", { class: "number none" }), h("td", { class: "none" })];
      const kind = line.kind === "context" ? undefined : line.kind;
      const number = side === "old" ? line.before : line.after;
      const content = line.html === undefined ? h(Revealed, { text: line.text }) : undefined;
      return [
        h(NumberCell, { number, side, kind, talkAddress: facts.talkAddress }),
        h("td", { ...(kind && { class: kind }), ...(line.html !== undefined && { dangerouslySetInnerHTML: { __html: revealedHtml(line.html) } }) }, content),
      ];
    };
    return [
      h("tr", null, half(old, "old"), half(now, "new")),
      talkRows(facts, { ...(old?.before !== undefined && { before: old.before }), ...(now?.after !== undefined && { after: now.after }) }),
    ];
  });
