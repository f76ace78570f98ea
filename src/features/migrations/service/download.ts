import { type OutgoingClient, OutgoingError } from "../../../outgoing/client.ts";
import type { FileStore, ReceivedFile } from "../../../storage/files.ts";

export interface Download {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const downloadMs = 6 * 3_600_000;

/**
 * Streams a file of another server to where files are kept. No row names it yet.
 * @returns undefined where it did not come, or is larger than it may be
 */
export async function download(remotes: OutgoingClient, files: FileStore, { url, headers, maxBytes, signal }: Download): Promise<ReceivedFile | undefined> {
  try {
    const answer = await remotes.send({ method: "GET", url, headers, timeoutMs: downloadMs, signal });
    if (answer.status === 200) return await files.receive(answer.body, { maxBytes });
    answer.body.destroy();
    return undefined;
  } catch (error) {
    if (signal.aborted || !isRemoteFault(error)) throw error;
    return undefined;
  }
}

/** The server could not be called, broke off, or sent more than it said. */
const isRemoteFault = (error: unknown): boolean =>
  error instanceof OutgoingError || (error as NodeJS.ErrnoException).code === "ECONNRESET" || (error as { code?: string }).code === "too_large";
