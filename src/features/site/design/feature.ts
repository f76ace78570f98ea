import { defineFeature } from "../../../mount/feature.ts";
import { designPages } from "./web.tsx";

/** A page with every component of the pages, for developers. */
export const designFeature = defineFeature({
  name: "site/design",
  routes: [designPages],
});
