import { failWith } from "./problem.ts";

export type Combination = Readonly<Record<string, unknown>>;

/** As on GitHub. */
export const maxCombinations = 256;

const isMap = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);

/** Compares values as GitHub does: by their content. */
const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * The combinations of an evaluated matrix: the product of its axes without the excluded ones, and the included ones. One empty combination
 * without a matrix.
 * @throws WorkflowError for an invalid matrix, and one with more than {@link maxCombinations} combinations
 */
export function expandMatrix(matrix: unknown): readonly Combination[] {
  if (matrix === undefined || matrix === null || matrix === "") return [{}];
  if (!isMap(matrix)) return failWith("matrix_not_map");
  const { include, exclude, ...axes } = matrix;
  const excluded = listOf("exclude", exclude);
  const product = productOf(axes).filter((one) => !excluded.some((pattern) => Object.entries(pattern).every(([name, value]) => same(one[name], value))));
  const all = withIncluded(product, Object.keys(axes), listOf("include", include));
  if (all.length > maxCombinations) return tooMany(all.length);
  if (all.length === 0) return failWith("matrix_empty");
  return all;
}

const tooMany = (count: number): never => failWith("matrix_too_large", { count, max: maxCombinations });

function productOf(axes: Readonly<Record<string, unknown>>): readonly Combination[] {
  const lists = Object.entries(axes).map(([name, values]) => {
    if (!Array.isArray(values)) return failWith("matrix_not_list", { axis: name });
    return [name, values] as const;
  });
  if (lists.length === 0) return [];
  // Counted before the product is built.
  const count = lists.reduce((size, [, values]) => size * values.length, 1);
  if (count > maxCombinations * 4) tooMany(count);
  return lists.reduce<readonly Combination[]>((found, [name, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))), [{}]);
}

function listOf(name: string, value: unknown): readonly Combination[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isMap)) return failWith("matrix_not_maps", { axis: name });
  return value;
}

/** Each included map extends the combinations that it does not contradict in an axis; one that extends none is a combination of its own. */
function withIncluded(product: readonly Combination[], axes: readonly string[], included: readonly Combination[]): readonly Combination[] {
  const extended: Record<string, unknown>[] = product.map((one) => ({ ...one }));
  const further: Combination[] = [];
  for (const addition of included) {
    const shared = axes.filter((axis) => Object.hasOwn(addition, axis));
    const matching = extended.filter((_, at) => shared.every((axis) => same(product[at]?.[axis], addition[axis])));
    if (matching.length === 0) further.push(addition);
    else for (const one of matching) Object.assign(one, addition);
  }
  return [...extended, ...further];
}
