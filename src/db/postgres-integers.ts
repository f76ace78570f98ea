import { types } from "pg";

const int8 = 20;
const numeric = 1700;

/** Parsers of values: integers of 64 bits are numbers. */
export const integerTypes = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === int8 || oid === numeric ? toNumber : types.getTypeParser(oid, format as "text")) as typeof types.getTypeParser,
};

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the database returned ${text}, which is not a safe integer`);
  return value;
}
