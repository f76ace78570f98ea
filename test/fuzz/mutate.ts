import type { seededRandom } from "../kit/random.ts";

export type Random = ReturnType<typeof seededRandom>;

/** Values at the limits of lengths, counts and ids. */
const numbers = ["0", "-1", "1", "255", "256", "65535", "65536", "2147483647", "4294967296", "9007199254740993", "1e309", "00", "NaN"];

/** Bytes that formats give a meaning. */
const bytes = [0, 1, 4, 0x0a, 0x0d, 0x20, 0x22, 0x27, 0x2d, 0x2f, 0x30, 0x3a, 0x3c, 0x3e, 0x5b, 0x5c, 0x60, 0x7b, 0x7f, 0x80, 0xc0, 0xed, 0xf4, 0xfe, 0xff];

const longest = 64 * 1024;

/** Changes an input in one to six places. @param pool other inputs, of which parts may be inserted */
export function mutate(input: Buffer, pool: readonly Buffer[], random: Random): Buffer {
  let changed = input;
  for (let left = 1 + random(6); left > 0; left -= 1) changed = changeOnce(changed, pool, random).subarray(0, longest);
  return changed;
}

function changeOnce(input: Buffer, pool: readonly Buffer[], random: Random): Buffer {
  const at = random(input.length + 1);
  const length = 1 + random(random(4) === 0 ? Math.max(input.length, 1) : 8);
  const [before, part, after] = [input.subarray(0, at), input.subarray(at, at + length), input.subarray(at + length)];
  const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
  switch (random(10)) {
    case 0:
      return flipBit(input, at, random);
    case 1:
      return join(before, Buffer.from([bytes[random(bytes.length)] ?? 0]), input.subarray(at + 1));
    case 2:
      return join(before, Buffer.from(Array.from({ length }, () => random(256))), input.subarray(at));
    case 3:
      return join(before, after);
    case 4:
      return join(before, ...Array.from({ length: 2 + random(random(8) === 0 ? 200 : 4) }, () => part), after);
    case 5:
      return join(before, after.subarray(0, length), part, after.subarray(length));
    case 6: {
      const other = pool[random(pool.length)] ?? input;
      const from = random(other.length + 1);
      return join(before, other.subarray(from, from + 1 + random(64)), input.subarray(at));
    }
    case 7:
      return replaceNumber(input, random);
    case 8:
      return before;
    default:
      return join(before, Buffer.from([bytes[random(bytes.length)] ?? 0]), input.subarray(at));
  }
}

function flipBit(input: Buffer, at: number, random: Random): Buffer {
  const changed = Buffer.from(input);
  const byte = changed[at];
  if (byte !== undefined) changed[at] = byte ^ (1 << random(8));
  return changed;
}

function replaceNumber(input: Buffer, random: Random): Buffer {
  const text = input.toString("latin1");
  const found = [...text.matchAll(/\d+/g)];
  const chosen = found[random(Math.max(found.length, 1))];
  if (chosen === undefined) return input;
  const number = numbers[random(numbers.length)] ?? "";
  return Buffer.from(text.slice(0, chosen.index) + number + text.slice(chosen.index + chosen[0].length), "latin1");
}
