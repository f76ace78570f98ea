import type { DeployKeyActor, UserActor } from "../access/actor.ts";

/** What the SSH server needs of the features. The composition root brings them together. */
export interface SshIdentities {
  /** A key that may sign in, by its bytes; undefined for one that nobody has given. */
  findKey(blob: Buffer): Promise<KnownKey | undefined>;
  /** Whether a signature, written as SSH does (RFC 4253 6.6), is that key's over these bytes. */
  isSignedBy(blob: Buffer, signature: Buffer, signed: Buffer): boolean;
  /**
   * Whom a key acts for. Asked at each session, because rights and accounts change while a connection stays; undefined once the key is gone.
   * @throws ForgeError `forbidden` for accounts that may not sign in
   */
  holderOf(keyId: number, address: string): Promise<KeyHolder | undefined>;
}

export interface KnownKey {
  readonly id: number;
}

export interface KeyHolder {
  readonly keyId: number;
  /** The name that its owner gave the key. */
  readonly title: string;
  readonly actor: UserActor | DeployKeyActor;
}

/** One command of a client who has proved who he is. */
export interface SshSession {
  readonly holder: KeyHolder;
  /** Undefined when a shell was asked for. */
  readonly command: string | undefined;
  /** `version=0`, `version=1` or `version=2`, where the client has sent one in GIT_PROTOCOL. Nothing else of its environment is kept. */
  readonly gitProtocol: string | undefined;
  readonly input: SshInput;
  /** Resolves when the client may be sent more. @throws ForgeError `unavailable` once it is gone */
  write(bytes: Uint8Array | string): Promise<void>;
  /** For the person at the terminal. */
  tell(text: string): void;
  /** Aborted when the client is gone, or the server stops. */
  readonly signal: AbortSignal;
}

/** What a client sends, as it comes. What one reader has taken the next one does not see. */
export interface SshInput extends AsyncIterable<Uint8Array> {
  /** How long the client may send nothing while it is waited for. */
  setPatience(ms: number): void;
}

/**
 * Does what a session asks for.
 * @returns the exit code
 * @throws ForgeError told to the person at the terminal; the exit code is 1 then
 */
export type SshHandler = (session: SshSession) => Promise<number>;
