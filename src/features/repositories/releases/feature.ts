import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { releaseRoutes } from "./api/releases.ts";
import { followTags } from "./service/follow-tags.ts";
import { releasePages } from "./web.tsx";

export const releasesFeature = defineFeature({
  name: "repositories/releases",
  routes: [releaseRoutes, releasePages],
  inTransaction: [beforeCommit(["refs.changed"], followTags)],
});
