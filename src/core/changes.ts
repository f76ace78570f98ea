type Value = string | number | boolean;

/** The members in which two records of one kind differ, each with what it was and what it is now. */
export function changesBetween<R extends { readonly [Name in keyof R]: Value }>(
  before: R,
  after: R,
): Readonly<Record<string, readonly [from: Value, to: Value]>> {
  const changed: Record<string, readonly [Value, Value]> = {};
  for (const name in before) if (before[name] !== after[name]) changed[name] = [before[name], after[name]];
  return changed;
}
