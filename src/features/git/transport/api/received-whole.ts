import type { IncomingMessage } from "node:http";
import { readBody } from "../../../../http/read-body.ts";
import { fellSilent, gathered, patienceMs } from "../streams.ts";

/**
 * Reads a usually short request body in one piece. Most of it arrives with the headers, which avoids an iterator turn.
 * @throws ForgeError as `received`, and `too_large`
 */
export async function receivedWhole(request: IncomingMessage, maxBytes: number, silenceMs: number = patienceMs): Promise<Buffer> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return gathered(request, encoding, maxBytes, silenceMs);
  const silence = setTimeout(() => request.destroy(fellSilent()), silenceMs);
  request.on("data", () => silence.refresh());
  try {
    return await readBody(request, maxBytes);
  } finally {
    clearTimeout(silence);
  }
}
