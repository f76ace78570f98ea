import { defineFeature } from "../../../mount/feature.ts";
import { wikiRoutes } from "./api.ts";
import { wikiDeletionPages } from "./web/delete.tsx";
import { wikiPages } from "./web.tsx";

export const wikiFeature = defineFeature({
  name: "repositories/wiki",
  routes: [wikiRoutes, wikiPages, wikiDeletionPages],
});
