import type { AuthContext, PublicKeyAuthContext, utils } from "ssh2";
import type { Log } from "../core/log.ts";
import type { KnownKey, SshIdentities } from "./ports.ts";

/** The one name that signs in: the key says who it is. */
export const loginName = "git";

/** An agent offers its keys one by one; more than this is no person with an agent. */
const maxAttempts = 20;

export interface AuthenticationDeps {
  readonly identities: SshIdentities;
  readonly log: Log;
  readonly parseKey: typeof utils.parseKey;
}

/**
 * Answers the attempts of one connection to sign in. Keys are all that is taken.
 * @param onAccepted called right before the client is told that it is in
 * @param onExhausted called when the client has tried too often
 */
export function createAuthentication(deps: AuthenticationDeps, onAccepted: (key: KnownKey) => void, onExhausted: () => void): (attempt: AuthContext) => void {
  let attempts = 0;

  async function judge(attempt: PublicKeyAuthContext): Promise<void> {
    const key = attempt.username === loginName ? await deps.identities.findKey(attempt.key.data) : undefined;
    if (key === undefined) return attempt.reject(["publickey"]);
    // Without a signature the client only asks whether signing is worth its while.
    if (attempt.signature !== undefined) {
      if (!isSigned(deps, key, attempt)) return attempt.reject(["publickey"]);
      onAccepted(key);
    }
    attempt.accept();
  }

  return (attempt) => {
    attempts += 1;
    if (attempts > maxAttempts) return onExhausted();
    if (attempt.method !== "publickey") return attempt.reject(["publickey"]);
    judge(attempt).catch((error: unknown) => {
      deps.log.warn({ err: error }, "a key could not be looked up");
      attempt.reject(["publickey"]);
    });
  };
}

function isSigned({ parseKey }: AuthenticationDeps, known: KnownKey, { key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const parsed = parseKey(known.content);
  if (parsed instanceof Error || parsed.type !== key.algo || blob === undefined || signature === undefined) return false;
  // An RSA signature without a name of its own digest is one over SHA-1.
  if (parsed.type === "ssh-rsa" && hashAlgo === undefined) return false;
  return parsed.verify(blob, signature, hashAlgo) === true;
}
