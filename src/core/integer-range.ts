/** A regular expression for the decimal integers between two bounds, with an optional sign and leading zeros. */
export function integerRange(a: bigint, b: bigint): string {
  const [least, most] = a <= b ? [a, b] : [b, a];
  const parts: string[] = [];
  if (least < 0n) parts.push(`-0*${magnitudes(most < 0n ? -most : 1n, -least)}`);
  if (most > 0n) parts.push(`\\+?0*${magnitudes(least > 0n ? least : 1n, most)}`);
  if (least <= 0n && most >= 0n) parts.push("[+-]?0+");
  return `(?:${parts.join("|")})`;
}

/** Positive integers without leading zeros. */
function magnitudes(least: bigint, most: bigint): string {
  const parts: string[] = [];
  for (let digits = String(least).length; digits <= String(most).length; digits += 1) {
    const smallest = 10n ** BigInt(digits - 1);
    const largest = smallest * 10n - 1n;
    parts.push(sameLength(String(least > smallest ? least : smallest), String(most < largest ? most : largest)));
  }
  return `(?:${parts.join("|")})`;
}

const any = (count: number): string => (count === 0 ? "" : `[0-9]{${count}}`);

/** Integers between two of the same number of digits. */
function sameLength(least: string, most: string): string {
  if (/^0*$/.test(least) && /^9*$/.test(most)) return any(least.length);
  const [low = "0", high = "0"] = [least[0], most[0]];
  const [lowRest, highRest] = [least.slice(1), most.slice(1)];
  if (low === high) return low + sameLength(lowRest, highRest);
  const rest = lowRest.length;
  const [isLowFull, isHighFull] = [/^0*$/.test(lowRest), /^9*$/.test(highRest)];
  const [from, to] = [Number(low) + (isLowFull ? 0 : 1), Number(high) - (isHighFull ? 0 : 1)];
  const parts = [
    isLowFull ? "" : low + sameLength(lowRest, "9".repeat(rest)),
    from <= to ? `[${from}-${to}]${any(rest)}` : "",
    isHighFull ? "" : high + sameLength("0".repeat(rest), highRest),
  ].filter((part) => part !== "");
  return `(?:${parts.join("|")})`;
}
