import { type OutgoingClient, OutgoingError } from "../../../../outgoing/client.ts";
import { redirectOf } from "../../../../outgoing/redirects.ts";
import type { FileStore, ReceivedFile } from "../../../../storage/files.ts";

export interface Download {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const downloadMs = 6 * 3_600_000;
/** Forges redirect to their file storage. */
const maxRedirects = 4;

/**
 * Streams a file from another server to the file store. No row references it yet.
 * @returns undefined if the download fails or exceeds the size limit
 */
export async function download(remotes: OutgoingClient, files: FileStore, { url, headers, maxBytes, signal }: Download): Promise<ReceivedFile | undefined> {
  try {
    for (let hops = 0, at = url; ; hops += 1) {
      // Credentials are not sent to redirect targets on other hosts.
      const answer = await remotes.send({ method: "GET", url: at, headers: at.origin === url.origin ? headers : {}, timeoutMs: downloadMs, signal });
      if (answer.status === 200) return await files.receive(answer.body, { maxBytes });
      answer.body.destroy();
      const next = hops < maxRedirects ? redirectOf(answer, at) : undefined;
      if (next === undefined) return undefined;
      at = next;
    }
  } catch (error) {
    if (signal.aborted || !isRemoteFault(error)) throw error;
    return undefined;
  }
}

/** The server was unreachable, broke off, or sent more than announced. */
const isRemoteFault = (error: unknown): boolean =>
  error instanceof OutgoingError || (error as NodeJS.ErrnoException).code === "ECONNRESET" || (error as { code?: string }).code === "too_large";
