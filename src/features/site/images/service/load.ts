import { LRUCache } from "lru-cache";
import { notFound, unavailable } from "../../../../core/errors.ts";
import { createSingleFlight } from "../../../../core/single-flight.ts";
import { type OutgoingClient, OutgoingError, readAtMost } from "../../../../outgoing/client.ts";
import { redirectOf } from "../../../../outgoing/redirects.ts";
import { type ImageType, imageTypeOf } from "../../../repositories/contents/image-type.ts";

export interface LoadedImage {
  readonly type: ImageType;
  readonly content: Buffer;
}

export interface ImageLoader {
  /** @throws ForgeError `not_found` if the address is no image or its host does not answer, `unavailable` while too many images are loaded */
  load(url: URL, signal: AbortSignal): Promise<LoadedImage>;
}

export interface ImageLoaderOptions {
  readonly maxBytes: number;
  /** For all requests of an image together. */
  readonly timeoutMs: number;
  /** Maximum number of images that are loaded at the same time. */
  readonly maxLoading: number;
}

const defaults: ImageLoaderOptions = { maxBytes: 5 * 1024 * 1024, timeoutMs: 10_000, maxLoading: 32 };
const maxRedirects = 4;
/** Small images, such as badges, are kept in memory; browsers keep all. */
const cacheBytes = 8 * 1024 * 1024;
const maxKeptBytes = 256 * 1024;
export const keptSeconds = 600;
/** For addresses without an image, so that a host is not called for each reader. */
const missingSeconds = 60;
/** Size of a cache entry besides its content. */
const entryBytes = 500;

/** Loads images of other hosts, without any data of the reader. */
export function createImageLoader({ client }: { readonly client: OutgoingClient }, given: Partial<ImageLoaderOptions> = {}): ImageLoader {
  const options = { ...defaults, ...given };
  const kept = new LRUCache<string, LoadedImage | "missing">({
    maxSize: cacheBytes,
    sizeCalculation: (image) => entryBytes + (image === "missing" ? 0 : image.content.length),
  });
  const flights = createSingleFlight();
  let loading = 0;

  async function loadFresh(url: URL, signal: AbortSignal): Promise<LoadedImage | "missing"> {
    if (loading >= options.maxLoading) throw unavailable("too many images are loaded at the same time");
    loading += 1;
    try {
      const image = (await fetchImage(client, url, AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]), options)) ?? "missing";
      if (image === "missing") kept.set(url.href, image, { ttl: missingSeconds * 1_000 });
      else if (image.content.length <= maxKeptBytes) kept.set(url.href, image, { ttl: keptSeconds * 1_000 });
      return image;
    } finally {
      loading -= 1;
    }
  }

  return {
    async load(url, signal) {
      const image = kept.get(url.href) ?? (await flights.run(url.href, signal, (shared) => loadFresh(url, shared)));
      if (image === "missing") throw notFound();
      return image;
    },
  };
}

/** @returns undefined for anything but an image within the limits */
async function fetchImage(
  client: OutgoingClient,
  url: URL,
  signal: AbortSignal,
  { maxBytes, timeoutMs }: ImageLoaderOptions,
): Promise<LoadedImage | undefined> {
  const headers = { accept: "image/*", "user-agent": "Hearth" };
  try {
    for (let hops = 0, at = url; ; hops += 1) {
      const answer = await client.send({ method: "GET", url: at, headers, timeoutMs, signal });
      const mediaType = answer.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
      if (answer.status === 200 && mediaType.startsWith("image/")) {
        const { bytes, isWhole } = await readAtMost(answer, maxBytes);
        const type = isWhole ? imageTypeOf(mediaType === "image/svg+xml" ? "image.svg" : "", bytes) : undefined;
        return type && { type, content: bytes };
      }
      answer.body.destroy();
      const next = hops < maxRedirects ? redirectOf(answer, at) : undefined;
      if (next === undefined) return undefined;
      at = next;
    }
  } catch (error) {
    if (error instanceof OutgoingError || (error as Error).name === "AbortError") return undefined;
    throw error;
  }
}
