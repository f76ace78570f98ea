import type { HistoryPageDeps } from "../features/repositories/commits/web.tsx";
import { completePath } from "../features/repositories/contents/service/raw.ts";
import { splitViewedPath, type ViewpointDeps } from "../features/repositories/contents/service/viewpoint.ts";

/** How pages of history read the paths of their addresses: contents are a later feature than commits. */
export const historyPaths = (deps: ViewpointDeps): Pick<HistoryPageDeps, "splitPath" | "completePath"> => ({
  completePath: (repository, path) => completePath(deps, repository, path),
  async splitPath(repository, path, kind) {
    const viewed = await splitViewedPath(deps, repository, path, [kind]);
    return viewed && { rev: viewed.at.rev, oid: viewed.at.commit.oid, path: viewed.path };
  },
});
