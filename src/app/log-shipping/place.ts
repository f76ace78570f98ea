import { buffer } from "node:stream/consumers";
import { type Config, ConfigError } from "../../config/config.ts";
import { parseStorageUrl } from "../../config/storage-url.ts";
import { openS3Client, type S3Client } from "../../storage/s3-client.ts";

/**
 * The objects of the log in a bucket:
 * - `head`: which generation the server writes, and how far it is
 * - `bases/GENERATION`: a copy of the database, as a list of chunks, and a list of files
 * - `segments/GENERATION/NUMBER`: the changes since the base, in order
 * - `chunks/DIGEST`: parts of databases, by their content
 * - `content/NAME`: files that rows refer to; they never change
 */
export interface LogPlace {
  readonly client: S3Client;
  readonly keys: {
    readonly head: string;
    readonly bases: string;
    readonly segments: string;
    readonly chunks: string;
    readonly content: string;
    base(generation: string): string;
    segmentsOf(generation: string): string;
    segment(generation: string, number: number): string;
    chunk(digest: string): string;
    file(path: string): string;
  };
  read(key: string): Promise<Buffer | undefined>;
  /** Keys with a prefix, without it, in order. */
  names(prefix: string): AsyncGenerator<{ readonly name: string; readonly writtenMs: number }>;
}

export interface Head {
  /** The server that writes the log. */
  readonly writer: string;
  readonly generation: string;
  /** The last segment. */
  readonly number: number;
  readonly timeMs: number;
  /** The server has stopped in order. */
  readonly isStopped: boolean;
}

const numberDigits = 10;

/** @throws ConfigError without a key or for an invalid address */
export function openLogPlace(url: string, { log_shipping, storage }: Pick<Config, "log_shipping" | "storage">): LogPlace {
  const location = parseStorageUrl(url);
  if (location === undefined) throw new ConfigError(`${url} must have the form s3://host/bucket/prefix?region=eu-central-1`);
  const accessKey = log_shipping.access_key || storage.access_key;
  const secretKey = log_shipping.secret_key || storage.secret_key;
  if (accessKey === "" || secretKey === "")
    throw new ConfigError("the bucket of the log requires a key: set HEARTH_LOG_SHIPPING_ACCESS_KEY and HEARTH_LOG_SHIPPING_SECRET_KEY");
  const client = openS3Client(location, { accessKey, secretKey });
  const prefix = location.prefix;
  const segmentsOf = (generation: string): string => `${prefix}segments/${generation}/`;
  return {
    client,
    keys: {
      head: `${prefix}head`,
      bases: `${prefix}bases/`,
      segments: `${prefix}segments/`,
      chunks: `${prefix}chunks/`,
      content: `${prefix}content/`,
      base: (generation) => `${prefix}bases/${generation}`,
      segmentsOf,
      segment: (generation, number) => `${segmentsOf(generation)}${String(number).padStart(numberDigits, "0")}`,
      chunk: (digest) => `${prefix}chunks/${digest}`,
      file: (path) => `${prefix}content/${contentName(path)}`,
    },
    async read(key) {
      const found = await client.get(key);
      return found && (await buffer(found.content));
    },
    async *names(of) {
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const { objects, next } = await client.list(of, after);
        for (const { key, writtenMs } of objects) yield { name: key.slice(of.length), writtenMs };
        after = next;
      }
    },
  };
}

/** Packs and objects are named by their content, so forks share them. Uploaded files have unique names. */
function contentName(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? "";
  if (parts[0] !== "repositories") return `${parts[0]}-${last}`;
  return last.startsWith("pack-") ? last : `object-${parts.at(-2)}${last}`;
}

export async function readHead({ keys, read }: LogPlace): Promise<Head | undefined> {
  const found = await read(keys.head);
  try {
    return found && (JSON.parse(found.toString("utf8")) as Head);
  } catch {
    return undefined;
  }
}
