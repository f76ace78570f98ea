import { malformed } from "../../core/errors.ts";
import { encodePkt, maxPktPayloadBytes } from "./pkt-line.ts";

/** Side-band multiplexing (gitprotocol-pack): data, progress for the user's terminal, and a fatal error. */

export const sideBand = { data: 1, progress: 2, fatal: 3 } as const;
export type SideBand = (typeof sideBand)[keyof typeof sideBand];

/** `side-band-64k` fills whole packets; the older `side-band` is limited to 1000 bytes including framing. */
export type SideBandMode = "side-band-64k" | "side-band";

const payloadBytes: Record<SideBandMode, number> = { "side-band-64k": maxPktPayloadBytes - 1, "side-band": 1000 - 5 };

/** Splits data into packets of one band, as few as the mode allows; empty data yields no packet. */
export function* encodeSideBand(band: SideBand, data: string | Uint8Array, mode: SideBandMode = "side-band-64k"): Generator<Buffer, void, undefined> {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  for (let offset = 0; offset < bytes.length; offset += payloadBytes[mode]) {
    const part = bytes.subarray(offset, offset + payloadBytes[mode]);
    const payload = Buffer.allocUnsafe(part.length + 1);
    payload[0] = band;
    payload.set(part, 1);
    yield encodePkt(payload);
  }
}

/**
 * Removes control characters other than newline and tab from terminal output, so that a name chosen by another user can neither move the
 * cursor nor hide a line.
 */
export function terminalText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** @throws ForgeError `malformed` if the packet has no valid band */
export function decodeSideBand(payload: Buffer): { band: SideBand; data: Buffer } {
  const band = payload[0];
  if (band !== 1 && band !== 2 && band !== 3) throw malformed("a packet has no valid side band");
  return { band, data: payload.subarray(1) };
}
