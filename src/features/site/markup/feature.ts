import { defineFeature } from "../../../mount/feature.ts";
import { markupRoutes } from "./api.ts";
import { writingPages } from "./web.tsx";

export const markupFeature = defineFeature({
  name: "site/markup",
  routes: [markupRoutes, writingPages],
});
