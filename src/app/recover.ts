import type { Projector } from "../features/repositories/refs/service/projector.ts";
import { sweepLeft } from "../git/maintain/sweep.ts";
import { findDenied } from "../storage/open.ts";
import type { Context } from "./context.ts";

/**
 * Repairs the remains of an earlier process: refs that are not on disk yet, and quarantines and locks in the stores that it has written to
 * last. Nothing waits for it, and a store that cannot be swept does not stop the server.
 * @param startedMs start of this process by the clock of the file system; younger files are in use
 */
export async function recover(deps: Context & { readonly projector: Projector }, startedMs: number): Promise<void> {
  const { config, git, log, projector } = deps;
  const behind = await projector.start();
  const swept = await sweepLeft(git, startedMs);
  if (behind > 0 || swept.removed > 0 || swept.failed > 0) log.info({ behind, ...swept }, "remains of an earlier process were repaired");
  const denied = config.storage.url === "" ? undefined : await findDenied(deps);
  if (denied !== undefined) log.error({}, denied);
}
