import { readFileSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const memoryFolder = "/dev/shm";

/** Thrice what a whole run has at any time: databases, repositories, large files, packages and what browsers keep. */
const neededBytes = 3 * 2 ** 30;

/**
 * Where the tests of a run keep their files. In memory, where there is plenty of it: tests make and delete files by the hundred thousand, and on a disk
 * a tenth of their time goes into that. `TMPDIR` has its way.
 */
export function scratchFolder(): string {
  return process.env.TMPDIR === undefined && isRoomy() && mayHoldPrograms() ? memoryFolder : tmpdir();
}

function isRoomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return Math.min(bavail * bsize, freemem()) >= neededBytes;
  } catch {
    return false;
  }
}

/** Whether it is in memory, and what is written there can be run, which containers seldom allow. */
function mayHoldPrograms(): boolean {
  const mounts = readFileSync("/proc/mounts", "utf8").trimEnd().split("\n");
  const [, , kind, options = ""] = mounts.map((line) => line.split(" ")).findLast(([, folder]) => folder === memoryFolder) ?? [];
  return kind === "tmpfs" && !options.split(",").includes("noexec");
}
