import type { HistoryPageDeps } from "../features/repositories/commits/web.tsx";
import { completePath } from "../features/repositories/contents/service/raw.ts";
import { splitViewedPath, type ViewpointDeps } from "../features/repositories/contents/service/viewpoint.ts";

/** Resolves the paths in URLs of history pages. Injected here because the contents feature depends on commits. */
export const historyPaths = (deps: ViewpointDeps): Pick<HistoryPageDeps, "splitPath" | "completePath"> => ({
  completePath: (repository, path) => completePath(deps, repository, path),
  async splitPath(repository, path, kind) {
    const viewed = await splitViewedPath(deps, repository, path, [kind]);
    return viewed && { rev: viewed.at.rev, oid: viewed.at.commit.oid, path: viewed.path };
  },
});
