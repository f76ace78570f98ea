import { defineFeature } from "../../../mount/feature.ts";
import { imagePages } from "./web.ts";

export const imagesFeature = defineFeature({
  name: "site/images",
  routes: [imagePages],
});
