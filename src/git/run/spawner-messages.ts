import { tmpdir } from "node:os";
import { join } from "node:path";

/** Messages between the server and the process that starts git for it (`spawner.ts`, `spawner-process.ts`). */

/** Bytes with which a connection names its stream: nothing else can connect as one of git's pipes. */
export const tokenBytes = 16;

export interface StartMessage {
  readonly id: number;
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Nice value of the process. */
  readonly nice: number;
  /** Tokens of its streams, in hex. Without one for standard input, that is empty. */
  readonly stdin: string | undefined;
  readonly stdout: string;
}

export type SpawnerReply =
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "failed"; readonly id: number; readonly message: string }
  | ({ readonly kind: "exited"; readonly id: number } & Exit);

export interface Exit {
  /** Null if it was ended by a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The first {@link stderrBytes} of standard error. */
  readonly stderr: string;
  /** User and system time of the process and of the children that it waited for; 0 where the system does not report it. */
  readonly cpuMs: number;
}

export const stderrBytes = 16 * 1024;

/** Address of a Unix socket. On Linux it is not a file, so that nothing remains of a killed server and any length of path works. */
export function socketAddress(name: string): string {
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name);
}
