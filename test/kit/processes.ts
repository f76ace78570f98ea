import { readdirSync, readFileSync } from "node:fs";

export interface WorkingGit {
  readonly pid: number;
  /** `index-pack`, `upload-pack`, ... */
  readonly command: string;
}

/** The running git processes of requests below a data folder, as the system lists them. Only where there is a `/proc`. */
export function gitProcessesOn(dataDirectory: string): WorkingGit[] {
  return readdirSync("/proc").flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
      if (!words[0]?.endsWith("git") || !readFileSync(`/proc/${id}/environ`, "utf8").includes(dataDirectory)) return [];
      const command = words.find((word) => /^(?:index-pack|upload-pack|pack-objects|rev-list|unpack-objects|archive|log)$/.test(word));
      return command === undefined ? [] : [{ pid: Number(id), command }];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}
