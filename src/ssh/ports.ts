import type { DeployKeyActor, UserActor } from "../access/actor.ts";

/** The functions of the features that the SSH server needs. The composition root provides them. */
export interface SshIdentities {
  /** Finds a key that may authenticate, by the bytes of the key or of its certificate; undefined for an unknown key. */
  findKey(blob: Buffer, address: string): Promise<KnownKey | undefined>;
  /** Whether a signature in SSH format (RFC 4253 6.6) was made with that key over these bytes. */
  isSignedBy(blob: Buffer, signature: Buffer, signed: Buffer): boolean;
  /**
   * The user or repository of a key. Called for each session, because permissions and accounts change while a connection is open.
   * @returns undefined when the key has been deleted
   * @throws ForgeError `forbidden` for accounts that may not sign in, and after the end of a certificate
   */
  holderOf(key: KnownKey, address: string): Promise<KeyHolder | undefined>;
}

export interface KnownKey {
  /** Of a certificate, the id of its principal. */
  readonly id: number;
  /** The key whose signature proves the client's identity. */
  readonly blob: Buffer;
  /** The end of a certificate. */
  readonly validUntilMs?: number;
}

export interface KeyHolder {
  readonly keyId: number;
  /** The title of the key, chosen by its owner. */
  readonly title: string;
  readonly actor: UserActor | DeployKeyActor;
}

/** One command of an authenticated client. */
export interface SshSession {
  readonly holder: KeyHolder;
  /** Undefined when a shell was requested. */
  readonly command: string | undefined;
  /** `version=0`, `version=1` or `version=2`, if the client has sent one in GIT_PROTOCOL. Other environment variables are dropped. */
  readonly gitProtocol: string | undefined;
  readonly input: SshInput;
  /** Resolves when the client is ready for more. @throws ForgeError `unavailable` after the client has disconnected */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Writes to the user's terminal. */
  report(text: string): void;
  /** Aborted when the client disconnects, or the server stops. */
  readonly signal: AbortSignal;
}

/** The bytes sent by a client. A reader continues after the bytes that the previous reader has consumed. */
export interface SshInput extends AsyncIterable<Uint8Array> {
  /** Sets how long the client may send nothing while the server waits for it. */
  setPatience(ms: number): void;
}

/** Runs the command of a session. @returns the exit code @throws ForgeError shown to the user, with the exit code 1 */
export type SshHandler = (session: SshSession) => Promise<number>;
