import { historyCommand } from "../history/log.ts";
import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid } from "../types.ts";

export interface Authorship {
  readonly seconds: number;
  readonly name: string;
  readonly email: string;
}

/** Authors of the newest commits reachable from a tip, without merges. One process. */
export async function* listAuthors(store: GitStore, tipOid: Oid, limit: number, signal?: AbortSignal): AsyncGenerator<Authorship, void, undefined> {
  if (!(await isPresent(store))) return;
  const flags = { "--max-count": limit, "--no-merges": true, "--no-commit-header": true, "--format": "%at%x00%ae%x00%an" } as const;
  const { command, options } = historyCommand({ tipOids: [tipOid], signal }, flags);
  const { stdout } = await streamGit(store, command, options);
  stdout.setEncoding("utf8");
  let rest = "";
  for await (const chunk of stdout as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [seconds = "", email = "", name = ""] = line.split("\0");
      yield { seconds: Number(seconds), email, name };
    }
  }
}
