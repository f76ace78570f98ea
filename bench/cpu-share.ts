import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = "/sys/fs/cgroup";
const periodUs = 20_000;

/** A limit of the CPU time of processes by the kernel. */
export interface CpuShare extends AsyncDisposable {}

/**
 * Limits a process and its future children to a share of one core, so that the rest of the machine is free for others.
 * @returns undefined if this user cannot create control groups
 */
export function limitCpu(pid: number, share: number): CpuShare | undefined {
  const quota = String(Math.round(periodUs * share));
  const [folder, limits] = existsSync(join(root, "cpu", "cpu.shares"))
    ? [join(root, "cpu"), { "cpu.cfs_period_us": String(periodUs), "cpu.cfs_quota_us": quota }]
    : [root, { "cpu.max": `${quota} ${periodUs}` }];
  const group = join(folder, `hearth-bench-${pid}`);
  try {
    mkdirSync(group);
    for (const [name, value] of Object.entries(limits)) writeFileSync(join(group, name), value);
    writeFileSync(join(group, "cgroup.procs"), String(pid));
  } catch {
    if (existsSync(group)) rmdirSync(group);
    return undefined;
  }
  return {
    async [Symbol.asyncDispose]() {
      writeFileSync(join(folder, "cgroup.procs"), String(pid));
      // The kernel removes ended processes from the group with a delay.
      for (let tries = 0; tries < 50; tries += 1) {
        try {
          return rmdirSync(group);
        } catch {
          await sleep(100);
        }
      }
    },
  };
}
