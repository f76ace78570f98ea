import { defineFeature } from "../../../mount/feature.ts";
import { markupRoutes } from "./api.ts";

export const markupFeature = defineFeature({
  name: "site/markup",
  routes: [markupRoutes],
});
