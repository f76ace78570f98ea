/**
 * Refs sorted by name, in slices of bounded length. A slice never changes: an update replaces the slices of the moved refs, so results that
 * were computed from the others can be reused ({@link perSlice}).
 */
export type RefSlices<R extends Named> = readonly (readonly R[])[];

interface Named {
  /** Full name. */
  readonly name: string;
}

const surrogate = /[\ud800-\udfff]/;

/** Byte order. UTF-16 order is ten times as fast, and the same if there are no surrogates. */
function compareRefNames({ name }: Named, { name: other }: Named): number {
  if (surrogate.test(name) || surrogate.test(other)) return Buffer.compare(Buffer.from(name), Buffer.from(other));
  return name < other ? -1 : name > other ? 1 : 0;
}

const sliceLength = 512;

/** @param refs sorted by name in the order of bytes, as the database returns them */
export function sliceRefs<R extends Named>(refs: readonly R[]): RefSlices<R> {
  const slices: R[][] = [];
  for (let start = 0; start < refs.length; start += sliceLength) slices.push(refs.slice(start, start + sliceLength));
  return slices;
}

/** For refs in any order. */
export const sortRefs = <R extends Named>(refs: readonly R[]): RefSlices<R> => sliceRefs([...refs].sort(compareRefNames));

export const countSliced = (slices: RefSlices<Named>): number => slices.reduce((count, { length }) => count + length, 0);

/** Index of the slice that has the name, or would have it. */
function sliceOf(slices: RefSlices<Named>, name: string): number {
  let low = 0;
  let high = slices.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const first = slices[middle]?.[0];
    if (first !== undefined && compareRefNames(first, { name }) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

export const findSliced = <R extends Named>(slices: RefSlices<R>, name: string): R | undefined =>
  slices[sliceOf(slices, name)]?.find((ref) => ref.name === name);

/** The refs whose full names begin with `prefix`. Slices that have no others are not copied. */
export function slicesBelow<R extends Named>(slices: RefSlices<R>, prefix: string): RefSlices<R> {
  const found: (readonly R[])[] = [];
  // In the order of bytes, names with the same prefix are neighbours. The first of them can be in the slice after that of the prefix.
  const start = sliceOf(slices, prefix);
  for (const [at, slice] of slices.slice(start).entries()) {
    const [begins, ends] = [slice[0], slice.at(-1)].map((ref) => ref?.name.startsWith(prefix) === true);
    const refs = begins && ends ? slice : slice.filter(({ name }) => name.startsWith(prefix));
    if (refs.length > 0) found.push(refs);
    else if (at > 0) break;
  }
  return found;
}

/** @param moved by full name: the ref, or null if it was deleted */
export function updateSlices<R extends Named>(slices: RefSlices<R>, moved: ReadonlyMap<string, R | null>): RefSlices<R> {
  if (slices.length === 0) return sortRefs([...moved.values()].filter((ref) => ref !== null));
  const bySlice = Map.groupBy(moved, ([name]) => sliceOf(slices, name));
  return slices.flatMap((slice, index) => {
    const changes = bySlice.get(index);
    if (changes === undefined) return [slice];
    const open = new Map(changes);
    const refs: R[] = [];
    for (const ref of slice) {
      const change = open.get(ref.name);
      if (change === undefined) refs.push(ref);
      else {
        if (change !== null) refs.push(change);
        open.delete(ref.name);
      }
    }
    const made = [...open.values()].filter((ref) => ref !== null);
    // Moves keep the order.
    if (made.length > 0) {
      refs.push(...made);
      refs.sort(compareRefNames);
    }
    return refs.length <= 2 * sliceLength ? (refs.length === 0 ? [] : [refs]) : sliceRefs(refs);
  });
}

/** A function of a slice that computes each result at most once. */
export interface PerSlice<R extends Named, T> {
  (slice: readonly R[]): T;
  /** Whether the result is known, so that a call costs nothing. */
  knows(slice: readonly R[]): boolean;
}

export function perSlice<R extends Named, T>(make: (slice: readonly R[]) => T): PerSlice<R, T> {
  const results = new WeakMap<readonly R[], { readonly result: T }>();
  const read = (slice: readonly R[]): T => {
    const known = results.get(slice);
    if (known !== undefined) return known.result;
    const result = make(slice);
    results.set(slice, { result });
    return result;
  };
  return Object.assign(read, { knows: (slice: readonly R[]) => results.has(slice) });
}
