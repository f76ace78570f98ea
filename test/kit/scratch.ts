import { readFileSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const memoryFolder = "/dev/shm";

/** Three times the peak usage of a whole run: databases, repositories, large files, packages and browser profiles. */
const neededBytes = 3 * 2 ** 30;

/**
 * The folder for the files of a test run. In memory if there is enough: tests create and delete hundreds of thousands of files, which
 * takes a tenth of their time on a disk. `TMPDIR` overrides it.
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

/** Whether it is in memory and allows executing files, which containers often forbid. */
function mayHoldPrograms(): boolean {
  const mounts = readFileSync("/proc/mounts", "utf8").trimEnd().split("\n");
  const [, , kind, options = ""] = mounts.map((line) => line.split(" ")).findLast(([, folder]) => folder === memoryFolder) ?? [];
  return kind === "tmpfs" && !options.split(",").includes("noexec");
}
