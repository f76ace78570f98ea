import { setImmediate } from "node:timers/promises";
import { type LongString, parseAround } from "./long-strings.ts";

/** JSON from users and other servers is refused before it is parsed if parsing could block the event loop. */

/**
 * The default limit of the cost of a JSON text. A unit is about 50 ns of `JSON.parse` in the worst case: 60,000 members of one object or
 * 200,000 empty lists reach the limit. A commit of 10,000 files has 530,000 units.
 */
export const maxJsonCost = 600_000;

/** Smaller texts cannot reach {@link maxJsonCost}: no JSON has more than 4 units for a byte. */
const uncheckedBytes = 128 * 1024;
/** The scan yields to the event loop after this size, and longer texts are decoded and parsed in turns of their own. */
const pieceBytes = 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/** Units by byte. A member of an object costs most, because each new name creates a new shape or a dictionary entry. */
const costs = new Uint8Array(256);
costs[0x2c] = 1; // ,
costs[0x5b] = 2; // [
costs[0x7b] = 3; // {
costs[0x3a] = 9; // :

/** Thrown for a JSON text above the limit. */
export class JsonCostError extends Error {
  constructor() {
    super("the JSON has too many values");
    this.name = "JsonCostError";
  }
}

/**
 * Parses JSON of bounded cost. Long texts are scanned, decoded and parsed in several turns of the event loop.
 * @throws JsonCostError, SyntaxError
 */
export async function parseBoundedJson(bytes: Buffer, maxCost = maxJsonCost): Promise<unknown> {
  const longStrings = bytes.length > Math.min(uncheckedBytes, maxCost / 4) ? await checkCost(bytes, maxCost) : [];
  if (longStrings.length > 0) return parseAround(bytes, longStrings);
  const text = bytes.toString("utf8");
  if (bytes.length > pieceBytes) await setImmediate();
  return JSON.parse(text);
}

/** @returns the long strings */
async function checkCost(bytes: Buffer, maxCost: number): Promise<readonly LongString[]> {
  const scan = startScan();
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (start > 0) await setImmediate();
    scan.read(bytes.subarray(start, start + pieceBytes));
    if (scan.cost() > maxCost) throw new JsonCostError();
  }
  return scan.longStrings();
}

/** Like {@link parseBoundedJson} in one turn, for texts of a few megabytes at most. @throws JsonCostError, SyntaxError */
export function parseSmallJson(bytes: Buffer, maxCost = maxJsonCost): unknown {
  const scan = startScan();
  scan.read(bytes);
  if (scan.cost() > maxCost) throw new JsonCostError();
  return JSON.parse(bytes.toString("utf8"));
}

/** Sums the costs of all characters outside of strings. Invalid JSON has a cost too; the parser rejects it. */
function startScan() {
  let cost = 0;
  let isString = false;
  let isEscaped = false;
  const longStrings: LongString[] = [];
  /** Bytes of the earlier pieces, the start of the current string, and whether it has only printable ASCII characters and no escape. */
  let before = 0;
  let start = 0;
  let isPlain = false;
  return {
    cost: () => cost,
    longStrings: (): readonly LongString[] => longStrings,
    read(bytes: Buffer): void {
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if (!isString) {
          if (byte === quote) {
            isString = true;
            isPlain = true;
            start = before + at + 1;
          } else cost += costs[byte] as number;
        } else if (isEscaped) isEscaped = false;
        else if (byte === quote) {
          isString = false;
          if (isPlain && before + at - start >= pieceBytes) longStrings.push({ start, end: before + at });
        } else if (byte < 0x20 || byte > 0x7e || byte === backslash) {
          isPlain = false;
          isEscaped = byte === backslash;
        }
      }
      before += bytes.length;
    },
  };
}
