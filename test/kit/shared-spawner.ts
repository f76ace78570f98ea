import { tmpdir } from "node:os";
import { createSpawner, type Spawner } from "../../src/git/run/spawner.ts";
import { silentLog } from "./logs.ts";

let shared: Spawner | undefined;

/**
 * Starts git for all forges and stores of a worker. The small process of the server is a Node.js process of its own, which takes 80 ms of CPU
 * time to start from the sources. A forge that is closed ends its processes and leaves this one running.
 */
export function sharedSpawner(): Spawner {
  shared ??= createSpawner({ directory: tmpdir(), log: silentLog });
  return { start: shared.start, close: async () => {} };
}
