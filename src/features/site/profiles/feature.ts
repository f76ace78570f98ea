import { defineFeature } from "../../../mount/feature.ts";
import { profilePages } from "./web.tsx";

export const profilesFeature = defineFeature({
  name: "site/profiles",
  routes: [profilePages],
});
