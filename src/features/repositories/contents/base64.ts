import { type ForgeError, invalid } from "../../../core/errors.ts";

/**
 * Decodes standard base64 with padding (RFC 4648); line breaks are ignored.
 * @param refusal creates the error, which contains the offset of the first invalid byte or of the first incomplete group
 */
export function decodeBase64(text: string, refusal: (message: string) => ForgeError = invalid): Buffer {
  const digits = text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]+/g, "") : text;
  const data = Buffer.from(digits, "base64");
  if (isComplete(digits, data)) return data;
  const length = digits.endsWith("==") ? digits.length - 2 : digits.endsWith("=") ? digits.length - 1 : digits.length;
  const foreign = digits.search(/[^A-Za-z0-9+/]/);
  const wrong = foreign !== -1 && foreign < length ? foreign : digits.length % 4 === 0 ? -1 : digits.length - (digits.length % 4);
  // @compat the message of Go's decoder (contents/helpers.test.ts)
  if (wrong !== -1) throw refusal(`illegal base64 data at input byte ${wrong}`);
  return data;
}

/** Whether no character was skipped. This is much faster than a search for other characters, which tens of megabytes make noticeable. */
function isComplete(digits: string, data: Buffer): boolean {
  const padding = digits.endsWith("==") ? 2 : digits.endsWith("=") ? 1 : 0;
  // The decoder also accepts the alphabet for URLs.
  return digits.length % 4 === 0 && data.length === (digits.length / 4) * 3 - padding && !digits.includes("-") && !digits.includes("_");
}
