import type { Oid } from "../../git/types.ts";

/** A commit's row of the picture: where it stands, and the lines that go through its row. */
export interface GraphRow {
  readonly oid: Oid;
  readonly lane: number;
  readonly colour: number;
  readonly isMerge: boolean;
  readonly lines: readonly GraphLine[];
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

/**
 * Lays out a history, children before parents. A branch keeps its lane and colour along first parents, down to where it meets another one; lanes
 * that end are used again, the left ones first, so the picture is as wide as there are branches beside each other and not as there have ever been.
 */
export function layOutGraph(commits: readonly { readonly oid: Oid; readonly parentOids: readonly Oid[] }[]): GraphRow[] {
  const lanes: (Lane | undefined)[] = [];
  let colours = 0;
  const freeLane = (): number => {
    const at = lanes.indexOf(undefined);
    return at === -1 ? lanes.length : at;
  };
  return commits.map(({ oid, parentOids }) => {
    const known = lanes.findIndex((lane) => lane?.oid === oid);
    const lane = known === -1 ? freeLane() : known;
    const colour = lanes[lane]?.colour ?? colours++;
    const lines: GraphLine[] = [];
    for (const [from, one] of lanes.entries()) {
      if (one === undefined) continue;
      lines.push({ from, to: one.oid === oid ? undefined : from, colour: one.colour });
      if (one.oid === oid) lanes[from] = undefined;
    }
    for (const [at, parentOid] of parentOids.entries()) {
      const expected = at === 0 ? -1 : lanes.findIndex((one) => one?.oid === parentOid);
      const to = expected !== -1 ? expected : at === 0 ? lane : freeLane();
      const next = lanes[to] ?? { oid: parentOid, colour: at === 0 ? colour : colours++ };
      lanes[to] = next;
      lines.push({ from: undefined, to, colour: next.colour });
    }
    while (lanes.length > 0 && lanes.at(-1) === undefined) lanes.pop();
    return { oid, lane, colour, isMerge: parentOids.length > 1, lines };
  });
}
