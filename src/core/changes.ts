type Value = string | number | boolean;

/** The members in which two records of one type differ, each with its old and new value. */
export function changesBetween<R extends { readonly [Name in keyof R]: Value }>(
  before: R,
  after: R,
): Readonly<Record<string, readonly [from: Value, to: Value]>> {
  const changed: Record<string, readonly [Value, Value]> = {};
  for (const name in before) if (before[name] !== after[name]) changed[name] = [before[name], after[name]];
  return changed;
}
