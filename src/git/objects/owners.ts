import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { temporaryName } from "./durable-fs.ts";

/** Names of files that belong to one server process, on storage that several hosts may share. */

const hostDigest = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const prefixOf = (pid: number, originMs: number): string => `${hostDigest()}-${pid}-${originMs}-`;

/** Prefix of all names of this process. */
export const ownPrefix = (): string => prefixOf(process.pid, Math.round(performance.timeOrigin));

/** A new name of this process, which may open the same directory twice. */
export const ownName = (): string => temporaryName(ownPrefix());

/**
 * The owner of a file: this process, another one that runs on this host, an ended one of this host, or one of another host, whose end cannot
 * be observed. Undefined for other names.
 */
export function ownerOf(name: string): "self" | "running" | "ended" | "elsewhere" | undefined {
  const [, host, pid] = /^([0-9a-f]{8})-(\d+)-\d+-/.exec(name) ?? [];
  if (host === undefined) return undefined;
  if (name.startsWith(ownPrefix())) return "self";
  if (host !== hostDigest()) return "elsewhere";
  // The pid of an earlier process may be this one's, as in a container.
  return Number(pid) !== process.pid && isRunning(Number(pid)) ? "running" : "ended";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
