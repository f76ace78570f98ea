import { defineFeature } from "../../../mount/feature.ts";
import { adoptionRoutes } from "./api.ts";

export const adoptionFeature = defineFeature({
  name: "repositories/adoption",
  routes: [adoptionRoutes],
});
