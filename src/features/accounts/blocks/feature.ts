import { defineFeature } from "../../../mount/feature.ts";
import { blockRoutes } from "./api.ts";
import { blockPages } from "./web.tsx";

export const blocksFeature = defineFeature({
  name: "accounts/blocks",
  routes: [blockRoutes, blockPages],
});
