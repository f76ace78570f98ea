import { FormatProblem } from "./bytes.ts";

/** ASCII armor (RFC 9580 6.2). The checksum at the end is ignored: the signatures inside are a stronger check. */
export type ArmorKind = "PGP PUBLIC KEY BLOCK" | "PGP SIGNATURE" | "PGP MESSAGE" | "SSH SIGNATURE";

const lineLength = 64;

/** The bytes of the first block of a kind. @throws FormatProblem if there is none or it is not base64 */
export function readArmor(text: string, kinds: readonly ArmorKind[]): Buffer {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const beginnings = new Set(kinds.map((kind) => `-----BEGIN ${kind}-----`));
  const start = lines.findIndex((line) => beginnings.has(line));
  if (start === -1) throw new FormatProblem("it contains no armored block");
  const end = lines.indexOf((lines[start] as string).replace("BEGIN", "END"), start);
  if (end === -1) throw new FormatProblem("the armored block has no end");
  let first = start + 1;
  // Headers such as `Comment: ...` end at an empty line. Without one there are no headers.
  while (first < end && /^[A-Za-z][A-Za-z-]*: /.test(lines[first] as string)) first += 1;
  const body = lines.slice(first, end).filter((line) => line !== "");
  if (/^=[A-Za-z0-9+/]{4}$/.test(body.at(-1) ?? "")) body.pop();
  const encoded = body.join("");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) throw new FormatProblem("the armored block is not base64");
  return Buffer.from(encoded, "base64");
}

/** @param comment written to a header of the block */
export function writeArmor(bytes: Buffer, kind: ArmorKind, comment?: string): string {
  const lines = bytes.toString("base64").match(new RegExp(`.{1,${lineLength}}`, "g")) ?? [];
  // SSH signatures have neither headers nor the empty line after them.
  const headers = kind === "SSH SIGNATURE" ? [] : [...(comment === undefined ? [] : [`Comment: ${comment}`]), ""];
  return [`-----BEGIN ${kind}-----`, ...headers, ...lines, `-----END ${kind}-----`, ""].join("\n");
}
