import { readdirSync, readFileSync } from "node:fs";

/** Commands of the git processes that work below a data folder now, as the system lists them. Only where there is a `/proc`. */
export function gitCommandsOn(dataDirectory: string): string[] {
  return readdirSync("/proc").flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
      if (!words[0]?.endsWith("git") || !readFileSync(`/proc/${id}/environ`, "utf8").includes(dataDirectory)) return [];
      return words.filter((word) => /^(?:index-pack|upload-pack|pack-objects|rev-list|unpack-objects|archive|log)$/.test(word));
    } catch {
      // It has ended while we looked.
      return [];
    }
  });
}
