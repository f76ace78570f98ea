import { defineFeature } from "../../../mount/feature.ts";
import { crawlerRoutes } from "./web/crawlers.ts";
import { feedRoutes } from "./web/feeds.ts";

export const feedsFeature = defineFeature({
  name: "integrations/feeds",
  routes: [feedRoutes, crawlerRoutes],
});
