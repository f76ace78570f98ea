import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { FetchRequest } from "./fetch-request.ts";

/**
 * Remembers large fetch requests: clones of a repository with many refs send the same megabytes of `want` lines. A digest of the bytes is much cheaper
 * than parsing them.
 */
export interface FetchRequests {
  /** The request of a body, parsed by `parse` unless an equal one was parsed before. */
  read(body: Buffer, version: 0 | 1 | 2, parse: () => Promise<FetchRequest>): Promise<FetchRequest>;
  readonly counters: Readonly<{ /** Large requests that were parsed. */ parsed: number }>;
}

/** Smaller requests are parsed in less than a millisecond. */
const leastBytes = 64 * 1024;
const maxKept = 256;
/** A request with more terms, such as a long list of shallow commits, is not kept. */
const maxTerms = 50;
const maxTermLength = 200;
/** Bytes that are hashed in about two milliseconds. */
const hashedTogether = 1024 * 1024;

export function createFetchRequests(): FetchRequests {
  const kept = new LRUCache<string, Omit<FetchRequest, "body">>({ max: maxKept });
  const counters = { parsed: 0 };
  return {
    counters,
    async read(body, version, parse) {
      if (body.length < leastBytes) return parse();
      const key = await digestOf(body, version);
      const known = kept.get(key);
      if (known !== undefined) return { ...known, body };
      counters.parsed += 1;
      const { body: _body, ...request } = await parse();
      if (request.terms.length <= maxTerms && request.terms.every(({ length }) => length <= maxTermLength)) kept.set(key, request);
      return { ...request, body };
    },
  };
}

async function digestOf(body: Buffer, version: number): Promise<string> {
  const hash = createHash("sha256").update(`${version}\n`);
  for (let start = 0; start < body.length; start += hashedTogether) {
    if (start > 0) await setImmediate();
    hash.update(body.subarray(start, start + hashedTogether));
  }
  return hash.digest("hex");
}
