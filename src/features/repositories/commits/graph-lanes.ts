import type { Oid } from "../../../git/types.ts";

/** The row of a commit in the graph: its place, and the lines that cross the row. */
export interface GraphRow {
  readonly oid: Oid;
  readonly lane: number;
  readonly colour: number;
  readonly isMerge: boolean;
  readonly lines: readonly GraphLine[];
  /** Parents to which no line leads: there was no lane left for them. */
  readonly hiddenParents: number;
}

/** A line from the row's upper edge to its lower one; it begins or ends at the commit where there is no such edge. */
export interface GraphLine {
  /** Undefined: it begins at the commit. */
  readonly from: number | undefined;
  /** Undefined: it ends at the commit. */
  readonly to: number | undefined;
  readonly colour: number;
}

/** A lane that leads to a commit which is still to come. */
interface Lane {
  readonly oid: Oid;
  readonly colour: number;
}

/** Lanes beside each other. A row has at most twice as many lines. */
export const maxLanes = 24;

interface PlacedCommit {
  readonly oid: Oid;
  readonly parentOids: readonly Oid[];
  /** Also those that `parentOids` leaves out. */
  readonly parentCount: number;
}

/**
 * Lays out a history, children before parents. A branch keeps its lane and colour along first parents, until it meets another branch. Lanes that
 * end are used again, the left ones first, so the graph is as wide as the number of branches beside each other. When all lanes are taken, further
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
    // A commit that has to share the last lane with another line has a colour of its own.
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
