import type { AuthContext, PublicKeyAuthContext } from "ssh2";
import type { Log } from "../core/log.ts";
import type { KnownKey, SshIdentities } from "./ports.ts";
import { signatureOf } from "./signature.ts";

/** The only accepted user name: the key identifies the user. */
export const loginName = "git";

/** An agent offers its keys one by one. No ordinary agent has more keys than this. */
const maxAttempts = 20;

export interface AuthenticationDeps {
  readonly identities: SshIdentities;
  readonly log: Log;
}

export interface AuthenticatingClient {
  readonly address: string;
  /** Called right before the client is notified of its success. */
  onAccepted(key: KnownKey): void;
  /** Called when the client has made too many attempts. */
  onExhausted(): void;
}

/** Handles the authentication attempts of one connection. Only public keys and their certificates are accepted. */
export function createAuthentication(deps: AuthenticationDeps, { address, onAccepted, onExhausted }: AuthenticatingClient): (attempt: AuthContext) => void {
  let attempts = 0;

  async function authenticate(attempt: PublicKeyAuthContext): Promise<void> {
    const key = attempt.username === loginName ? await deps.identities.findKey(attempt.key.data, address) : undefined;
    if (key === undefined) return attempt.reject(["publickey"]);
    // Without a signature the client only asks whether the key is acceptable.
    if (attempt.signature !== undefined) {
      if (!isProved(deps.identities, key, attempt)) return attempt.reject(["publickey"]);
      onAccepted(key);
    }
    attempt.accept();
  }

  return (attempt) => {
    attempts += 1;
    if (attempts > maxAttempts) return onExhausted();
    if (attempt.method !== "publickey") return attempt.reject(["publickey"]);
    authenticate(attempt).catch((error: unknown) => {
      deps.log.warn({ err: error }, "an SSH key could not be looked up");
      attempt.reject(["publickey"]);
    });
  };
}

function isProved(identities: SshIdentities, key: KnownKey, attempt: PublicKeyAuthContext): boolean {
  const signature = signatureOf(attempt);
  return signature !== undefined && attempt.blob !== undefined && identities.isSignedBy(key.blob, signature, attempt.blob);
}
