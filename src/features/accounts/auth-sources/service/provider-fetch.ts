import type { CustomFetch } from "openid-client";
import { unavailable } from "../../../../core/errors.ts";
import { type HostRules, parseHostRules } from "../../../../core/host-rules.ts";
import { createOutgoingClient, OutgoingError, readAtMost } from "../../../../outgoing/client.ts";

/** Larger than any metadata, key set or token response. Parsing this much takes at most 25 ms. */
const maxBytes = 512 * 1024;

const everywhere: HostRules = { allows: () => true };
const publicOnly = parseHostRules(["external"]) ?? { allows: () => false };

const own = createOutgoingClient({ rules: everywhere });
const others = createOutgoingClient({ rules: publicOnly });

/**
 * Requests to a provider. The administrator chose the issuer, so it may be in a private network. Its metadata can name any other address: these
 * have to be public. Redirects are not followed.
 * The promise of a request rejects with a ForgeError `unavailable` for a blocked or unreachable host.
 */
export const createProviderFetch =
  (issuer: URL, timeoutMs: number): CustomFetch =>
  async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    const client = url.origin === issuer.origin ? own : others;
    const content = body === undefined || body === null ? {} : { body: bodyOf(body) };
    try {
      const answer = await client.send({ method, url, headers, ...content, ...(signal !== undefined && { signal }), timeoutMs });
      const { bytes, isWhole } = await readAtMost(answer, maxBytes);
      if (!isWhole) throw unavailable(`${url.hostname}: the response is longer than ${maxBytes} bytes`);
      const pairs = Object.entries(answer.headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
      // Responses of these kinds cannot have a body.
      const isEmpty = [204, 205, 304].includes(answer.status);
      return new Response(isEmpty ? null : new Uint8Array(bytes), { status: answer.status, headers: new Headers(pairs) });
    } catch (error) {
      throw error instanceof OutgoingError ? unavailable(error.message, { cause: error }) : error;
    }
  };

function bodyOf(body: unknown): string | Uint8Array {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("a request to a provider has an unexpected body");
}
