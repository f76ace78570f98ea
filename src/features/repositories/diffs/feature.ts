import { defineFeature } from "../../../mount/feature.ts";
import { commitPages } from "./web.tsx";

export const diffsFeature = defineFeature({
  name: "repositories/diffs",
  routes: [commitPages],
});
