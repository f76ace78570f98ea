import { setImmediate } from "node:timers/promises";
import { type ForgeError, invalid } from "../../../core/errors.ts";

type Refuse = (message: string) => ForgeError;

/** Characters that are decoded in one turn of the event loop. */
const pieceLength = 1024 * 1024;

/**
 * Decodes standard base64 with padding (RFC 4648); line breaks are ignored. Long texts are decoded in several turns of the event loop.
 * @param refusal creates the error, which contains the offset of the first invalid byte or of the first incomplete group
 */
export async function decodeBase64(text: string, refusal: Refuse = invalid): Promise<Buffer> {
  if (text.length <= pieceLength) return decodeGroups(withoutBreaks(text), 0, refusal);
  const whole = Buffer.allocUnsafeSlow(Math.ceil((text.length / 4) * 3));
  let sizeBytes = 0;
  let decoded = 0;
  let rest = "";
  for (let at = 0; at < text.length; at += pieceLength) {
    const digits = rest + withoutBreaks(text.slice(at, at + pieceLength));
    const isLast = at + pieceLength >= text.length;
    // The last group has the padding, and line breaks may follow it.
    const length = isLast ? digits.length : Math.max(0, digits.length - 4 - (digits.length % 4));
    sizeBytes += decodeGroups(digits.slice(0, length), decoded, refusal, isLast).copy(whole, sizeBytes);
    decoded += length;
    rest = digits.slice(length);
    await setImmediate();
  }
  return whole.subarray(0, sizeBytes);
}

const withoutBreaks = (text: string): string => (text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]+/g, "") : text);

/** @param offset the number of digits before these */
function decodeGroups(digits: string, offset: number, refusal: Refuse, isLast = true): Buffer {
  const data = Buffer.from(digits, "base64");
  const padding = !isLast ? 0 : digits.endsWith("==") ? 2 : digits.endsWith("=") ? 1 : 0;
  if (isComplete(digits, data, padding)) return data;
  const foreign = digits.search(/[^A-Za-z0-9+/]/);
  const wrong = foreign !== -1 && foreign < digits.length - padding ? foreign : digits.length % 4 === 0 ? -1 : digits.length - (digits.length % 4);
  // @compat the message of Go's decoder (contents/helpers.test.ts)
  if (wrong !== -1) throw refusal(`illegal base64 data at input byte ${offset + wrong}`);
  return data;
}

/** Whether no character was skipped. This is much faster than a search for other characters, which tens of megabytes make noticeable. */
const isComplete = (digits: string, data: Buffer, padding: number): boolean =>
  // The decoder also accepts the alphabet for URLs.
  digits.length % 4 === 0 && data.length === (digits.length / 4) * 3 - padding && !digits.includes("-") && !digits.includes("_");
