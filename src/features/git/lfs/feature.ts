import type { InTransaction } from "../../../events/in-transaction.ts";
import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { lfsLockRoutes } from "./api/locks.ts";
import { lfsObjectRoutes } from "./api/objects.ts";
import { shareObjects } from "./service/share.ts";
import { lfsPages } from "./web.tsx";

/** A fork has the large files of its parent at that moment: the pointers to them come with the commits. */
const shareWithForks: InTransaction<"repo.forked"> = async (tx, events) => {
  for (const { payload } of events) await shareObjects(tx, payload.parentId, payload.repoId);
};

const shareWithGenerated: InTransaction<"repo.generated"> = async (tx, events) => {
  for (const { payload } of events) if (payload.items.includes("git_content")) await shareObjects(tx, payload.templateId, payload.repoId);
};

export const lfsFeature = defineFeature({
  name: "git/lfs",
  routes: [lfsObjectRoutes, lfsLockRoutes, lfsPages],
  inTransaction: [beforeCommit(["repo.forked"], shareWithForks), beforeCommit(["repo.generated"], shareWithGenerated)],
});
