/** Marks the reader as checked. */
const checked = Symbol("checked");

/**
 * Loads ldapts with a check that it lacks. Its reader returns null for a value that is longer than its message and stays where it is, so that
 * a malformed answer keeps its loops over values busy for as long as there is memory. With the check, such a message is an error.
 */
export async function loadLdapts(): Promise<typeof import("ldapts")> {
  const ldapts = await import("ldapts");
  const { BerReader, InvalidAsn1Error } = ldapts;
  const reader = BerReader.prototype as unknown as Record<string | symbol, unknown>;
  if (Object.hasOwn(reader, checked)) return ldapts;
  for (const name of ["readString", "readTag"]) {
    const read = reader[name] as (...given: unknown[]) => unknown;
    reader[name] = function (this: unknown, ...given: readonly unknown[]): unknown {
      const value = read.apply(this, [...given]);
      if (value === null) throw new InvalidAsn1Error("the message ends within a value");
      return value;
    };
  }
  reader[checked] = true;
  return ldapts;
}
