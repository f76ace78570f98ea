/** The contents of a Git LFS pointer file. */
export interface LfsPointer {
  /** SHA-256 of the content, in hex. */
  readonly oid: string;
  readonly sizeBytes: number;
}

/** Pointer files are smaller than this (git-lfs, docs/spec.md). */
export const maxPointerBytes = 1024;

/** Reads a pointer; undefined for any other content. */
export function readLfsPointer(data: Buffer): LfsPointer | undefined {
  if (data.length === 0 || data.length >= maxPointerBytes || !data.subarray(0, 8).equals(versionKey)) return undefined;
  const text = data.toString("utf8");
  const lines = new Map(text.split("\n").map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]));
  const oid = /^sha256:([0-9a-f]{64})$/.exec(lines.get("oid") ?? "")?.[1];
  const size = /^(?:0|[1-9][0-9]{0,15})$/.exec(lines.get("size") ?? "")?.[0];
  if (!/^https:\/\/git-lfs\.github\.com\/spec\/v1$|^https:\/\/hawser\.github\.com\/spec\/v1$/.test(lines.get("version") ?? "")) return undefined;
  return oid === undefined || size === undefined || !Number.isSafeInteger(Number(size)) ? undefined : { oid, sizeBytes: Number(size) };
}

const versionKey = Buffer.from("version ");
