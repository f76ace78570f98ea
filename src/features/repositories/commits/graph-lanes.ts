import type { Oid } from "../../../git/types.ts";

/** A commit's row in the graph: its lane, and the lines that cross the row. */
export interface GraphRow {
  readonly oid: Oid;
  readonly lane: number;
  readonly colour: number;
  readonly isMerge: boolean;
  readonly lines: readonly GraphLine[];
  /** Number of parents without a line, because no lane was free. */
  readonly hiddenParents: number;
}

/** A line from the upper edge of a row to its lower edge, or from or to the commit. */
export interface GraphLine {
  /** Undefined if the line starts at the commit. */
  readonly from: number | undefined;
  /** Undefined if the line ends at the commit. */
  readonly to: number | undefined;
  readonly colour: number;
}

/** A lane that leads to a commit of a later row. */
interface Lane {
  readonly oid: Oid;
  readonly colour: number;
}

/** Maximum number of parallel lanes. A row has at most twice as many lines. */
export const maxLanes = 24;

interface PlacedCommit {
  readonly oid: Oid;
  readonly parentOids: readonly Oid[];
  /** Includes parents that `parentOids` omits. */
  readonly parentCount: number;
}

/**
 * Lays out a history, children before parents. A branch keeps its lane and colour along first parents, until it meets another branch. Free
 * lanes are reused from the left, so the graph is as wide as the number of parallel branches. When all lanes are taken, further
 * parents get no line, and a commit without a lane is drawn in the last one.
 */
export function layOutGraph(commits: readonly PlacedCommit[]): GraphRow[] {
  const lanes: (Lane | undefined)[] = [];
  let colours = 0;
  const freeLane = (): number => {
    const at = lanes.indexOf(undefined);
    return at === -1 ? lanes.length : at;
  };
  return commits.map(({ oid, parentOids, parentCount }) => {
    const known = lanes.findIndex((lane) => lane?.oid === oid);
    const lane = known === -1 ? Math.min(freeLane(), maxLanes - 1) : known;
    // A commit that shares the last lane with another line gets its own colour.
    const colour = known === -1 ? colours++ : (lanes[known]?.colour ?? 0);
    const lines: GraphLine[] = [];
    for (const [from, one] of lanes.entries()) {
      if (one === undefined) continue;
      lines.push({ from, to: one.oid === oid ? undefined : from, colour: one.colour });
      if (one.oid === oid) lanes[from] = undefined;
    }
    const drawn = new Set<number>();
    for (const [at, parentOid] of parentOids.entries()) {
      // The first parent continues the lane of its child, unless another branch has that lane.
      const expected = at === 0 && lanes[lane] === undefined ? -1 : lanes.findIndex((one) => one?.oid === parentOid);
      const to = expected !== -1 ? expected : at === 0 && lanes[lane] === undefined ? lane : freeLane();
      if (to >= maxLanes || drawn.has(to)) continue;
      drawn.add(to);
      const next = lanes[to] ?? { oid: parentOid, colour: at === 0 ? colour : colours++ };
      lanes[to] = next;
      lines.push({ from: undefined, to, colour: next.colour });
    }
    while (lanes.length > 0 && lanes.at(-1) === undefined) lanes.pop();
    return { oid, lane, colour, isMerge: parentCount > 1, lines, hiddenParents: parentCount - drawn.size };
  });
}
