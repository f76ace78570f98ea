import { Readable } from "node:stream";
import { refused } from "../../core/errors.ts";
import { type GitStream, streamGit } from "../run/runner.ts";
import type { StoreWithRefs } from "../send/store-with-refs.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

export interface ArchiveRequest {
  /** A commit, whose date becomes the mtime of the files, or a tree. */
  readonly oid: Oid;
  readonly format: "zip" | "tar" | "tar.gz";
  /** Prefix of every path, `express/`; may be empty. */
  readonly prefix: string;
  /** Only these files and directories; all when undefined. */
  readonly paths?: readonly string[];
  readonly limits?: StreamLimits;
  readonly signal?: AbortSignal | undefined;
}

/** A stream that exceeds a limit fails, so a truncated file is never mistaken for a complete one. */
export interface StreamLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Longer prefixes are rejected. */
const maxPrefixLength = 1_000;

/** Whether {@link streamArchive} accepts the prefix. */
export const isArchivePrefix = (prefix: string): boolean => prefix.length <= maxPrefixLength && prefix.isWellFormed() && !/\p{Cc}/u.test(prefix);

export const defaultArchiveLimits: StreamLimits = { maxBytes: 4 * 1024 ** 3, timeoutMs: 10 * 60 * 1000 };

/**
 * Streams the files of a commit or tree as one archive. The `export-subst` attribute (gitattributes) can make git write ref names into
 * files, so the process sees the refs of a {@link StoreWithRefs}, and no refs for any other store.
 * @throws ForgeError `refused` for paths that cannot be passed to git; TypeError for a prefix with control characters
 */
export async function streamArchive(store: GitStore | StoreWithRefs, request: ArchiveRequest): Promise<GitStream> {
  if (!isArchivePrefix(request.prefix)) throw new TypeError("the archive prefix contains control characters or is too long");
  if (request.paths?.some((path) => path === "" || !path.isWellFormed())) throw refused("an archive cannot be limited to this path");
  const limits = request.limits ?? defaultArchiveLimits;
  return streamGit(
    store,
    {
      name: "archive",
      flags: { "--format": request.format, ...(request.prefix !== "" && { "--prefix": request.prefix }) },
      revisions: [request.oid],
      ...(request.paths === undefined ? {} : { paths: request.paths }),
    },
    { signal: request.signal, maxOutputBytes: limits.maxBytes, timeoutMs: limits.timeoutMs },
  );
}

export interface BundleRequest {
  /** The refs that the bundle offers: full names (`refs/heads/main`) and their targets. */
  readonly refs: ReadonlyMap<string, Oid>;
  readonly limits?: StreamLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams a bundle (gitformat-bundle) that can be cloned: everything reachable from the refs. The header is written here, because the refs
 * come from the caller and not from the disk.
 */
export async function streamBundle(store: GitStore, request: BundleRequest): Promise<GitStream> {
  const limits = request.limits ?? defaultArchiveLimits;
  const tips = [...new Set(request.refs.values())];
  const { stdout, done } = await streamGit(
    store,
    { name: "pack-objects", flags: { "--stdout": true, "--revs": true, "--delta-base-offset": true, "--quiet": true } },
    { stdin: `${tips.join("\n")}\n`, signal: request.signal, maxOutputBytes: limits.maxBytes, timeoutMs: limits.timeoutMs },
  );
  const head = store.format === "sha1" ? "# v2 git bundle\n" : "# v3 git bundle\n@object-format=sha256\n";
  const refs = [...request.refs].map(([name, oid]) => `${oid} ${name}\n`).join("");
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${head}${refs}\n`);
    yield* stdout;
  };
  const bundle = Readable.from(whole(), { objectMode: false });
  bundle.on("error", () => {});
  return { stdout: bundle, done };
}
