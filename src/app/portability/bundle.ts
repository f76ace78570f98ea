import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { ConfigError } from "../../config/config.ts";
import { isOid } from "../../git/run/commands.ts";
import { streamPack } from "../../git/send/send-pack.ts";
import type { GitStore } from "../../git/stores.ts";
import type { ObjectFormat, Oid } from "../../git/types.ts";

/** Bundles of git (gitformat-bundle): refs and a pack in one file, without prerequisites. */

export interface Bundle {
  readonly format: ObjectFormat;
  /** By full name; `HEAD` is not among them. */
  readonly refs: ReadonlyMap<string, Oid>;
  /** The branch whose commit HEAD has. */
  readonly headRef: string | undefined;
  /** Streams the pack. */
  pack(): AsyncIterable<Uint8Array>;
}

/** @param headRef the full name of the default branch */
export async function* writeBundle(
  store: GitStore,
  refs: readonly { readonly name: string; readonly oid: Oid }[],
  headRef: string,
): AsyncGenerator<Uint8Array> {
  const head = refs.find(({ name }) => name === headRef);
  const lines = [
    store.format === "sha256" ? "# v3 git bundle\n@object-format=sha256" : "# v2 git bundle",
    ...(head === undefined ? [] : [`${head.oid} HEAD`]),
    ...refs.map(({ name, oid }) => `${oid} ${name}`),
  ];
  yield Buffer.from(`${lines.join("\n")}\n\n`);
  yield* await streamPack(store, { wantOids: [...new Set(refs.map(({ oid }) => oid))], haveOids: [] });
}

const maxHeaderBytes = 64 * 1024 * 1024;

/** @throws ConfigError for anything else */
export async function readBundle(path: string, defaultBranch: string): Promise<Bundle> {
  const header = await readHeader(path);
  const [first, ...lines] = header.split("\n");
  const refuse = (reason: string): ConfigError => new ConfigError(`${path} is not a bundle that can be imported: ${reason}`);
  if (first !== "# v2 git bundle" && first !== "# v3 git bundle") throw refuse("it does not begin with the signature of a bundle");
  const format = lines.includes("@object-format=sha256") ? "sha256" : "sha1";
  const refs = new Map<string, Oid>();
  for (const line of lines.filter((one) => !one.startsWith("@"))) {
    const at = line.indexOf(" ");
    const [oid, name] = [line.slice(0, at), line.slice(at + 1)];
    if (!isOid(oid) || (format === "sha256") !== (oid.length === 64)) throw refuse("it has a line that is no ref");
    if (name !== "HEAD") refs.set(name, oid);
  }
  const headRef = `refs/heads/${defaultBranch}`;
  return { format, refs, headRef: refs.has(headRef) ? headRef : undefined, pack: () => createReadStream(path, { start: Buffer.byteLength(header) + 2 }) };
}

/** The lines before the empty one. */
async function readHeader(path: string): Promise<string> {
  const file = await open(path);
  try {
    let read = Buffer.alloc(0);
    while (read.length < maxHeaderBytes) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, read.length);
      const from = Math.max(0, read.length - 1);
      read = Buffer.concat([read, buffer.subarray(0, bytesRead)]);
      const end = read.indexOf("\n\n", from);
      if (end >= 0) return read.subarray(0, end).toString("utf8");
      if (bytesRead === 0) break;
    }
    throw new ConfigError(`${path} is not a bundle that can be imported: its list of refs has no end`);
  } finally {
    await file.close();
  }
}
