import { defineFeature } from "../../../mount/feature.ts";
import { diagramPages } from "./web.ts";

export const diagramsFeature = defineFeature({
  name: "site/diagrams",
  routes: [diagramPages],
});
