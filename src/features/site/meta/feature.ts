import { defineFeature } from "../../../mount/feature.ts";
import { metaRoutes } from "./api.ts";
import { metaPages } from "./web.tsx";
import { knownAddresses } from "./web-addresses.ts";
import { appearancePages } from "./web-appearance.ts";

export const metaFeature = defineFeature({
  name: "site/meta",
  routes: [metaRoutes, metaPages, knownAddresses, appearancePages],
});
