import { createHash, timingSafeEqual } from "node:crypto";
import { type Fault, fault } from "./errors.ts";

export type ChallengeMethod = "" | "plain" | "S256";

/** 43 to 128 characters that need no encoding (RFC 7636, 4.1 and 4.2). */
const form = /^[\w.~-]{43,128}$/;

const isMethod = (text: string): text is "plain" | "S256" => text === "plain" || text === "S256";

/** Validates the challenge of a request (RFC 7636). Applications without a secret must use S256 (RFC 8252, 8.1). */
export function readChallenge(challenge: string, method: string, isConfidential: boolean): { readonly method: ChallengeMethod } | { readonly fault: Fault } {
  if (challenge === "" && method === "") {
    return isConfidential ? { method: "" } : { fault: fault("invalid_request", "PKCE is required for public clients") };
  }
  const named = method === "" ? "plain" : method;
  if (!isMethod(named)) return { fault: fault("invalid_request", "unsupported code challenge method") };
  if (!isConfidential && named !== "S256") return { fault: fault("invalid_request", "public clients must use the code challenge method S256") };
  return form.test(challenge) ? { method: named } : { fault: fault("invalid_request", "the code challenge must have 43 to 128 unreserved characters") };
}

/** Whether the client that has the code is the one that requested it. */
export function meetsChallenge(verifier: string, challenge: string, method: ChallengeMethod): boolean {
  // A verifier for a code requested without a challenge may belong to an injected code (RFC 9700, 2.1.1).
  if (method === "") return verifier === "";
  if (!form.test(verifier)) return false;
  const shown = Buffer.from(method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url"));
  const expected = Buffer.from(challenge);
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}
