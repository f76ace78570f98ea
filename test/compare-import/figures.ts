import type { Difference } from "./differences.ts";

/** A difference, with the row that documents it. */
export interface Assigned extends Difference {
  readonly row: string | undefined;
}

/** A request that both servers answered. */
export interface Compared {
  readonly differences: readonly Assigned[];
  /** Number of values that both answers could have in common. */
  readonly values: number;
}

/** Equal parts of a whole. */
export interface Share {
  readonly same: number;
  readonly of: number;
}

export interface Figures {
  readonly status: Share;
  /** An answer with another status has another shape, too. */
  readonly shape: Share;
  readonly values: Share;
}

/** The figures of all answers. */
export function countAll(compared: readonly Compared[]): Figures {
  const hasNone = (isOf: (one: Difference) => boolean): Share => ({ same: compared.filter((one) => !one.differences.some(isOf)).length, of: compared.length });
  const values = sum(compared.map((one) => one.values));
  return {
    status: hasNone(ofStatus),
    shape: hasNone(ofShape),
    values: { same: values - sum(compared.map((one) => one.differences.filter(ofValue).length)), of: values },
  };
}

/**
 * The figures without the answers whose status or shape differs as documented, and without the values that do. The others are all equal if
 * each difference has a row.
 */
export function countWithoutDocumented(compared: readonly Compared[]): Figures {
  const isDocumented = ({ row }: Assigned): boolean => row !== undefined;
  const others = (isOf: (one: Difference) => boolean): readonly Compared[] =>
    compared.filter(({ differences }) => !differences.some((one) => isOf(one) && isDocumented(one)));
  return {
    status: countAll(others(ofStatus)).status,
    shape: countAll(others(ofShape)).shape,
    values: countAll(
      compared.map(({ differences, values }) => {
        const open = differences.filter((one) => !isDocumented(one));
        return { differences: open, values: values - differences.filter((one) => ofValue(one) && isDocumented(one)).length };
      }),
    ).values,
  };
}

export function showFigures({ status, shape, values }: Figures): string {
  return `status ${showShare(status)}, shape ${showShare(shape)}, values ${showShare(values)}`;
}

/** Never rounds up to 100 %. */
const showShare = ({ same, of }: Share): string => `${(Math.floor((10_000 * same) / Math.max(1, of)) / 100).toFixed(2)} % of ${of}`;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const ofStatus = ({ aspect }: Difference): boolean => aspect === "status";
const ofShape = ({ aspect }: Difference): boolean => aspect !== "value";
const ofValue = ({ aspect }: Difference): boolean => aspect === "value";
