import { defineFeature } from "../../../mount/feature.ts";
import { repositoryTemplateRoutes } from "./api.ts";

export const templateReposFeature = defineFeature({
  name: "repositories/template-repos",
  routes: [repositoryTemplateRoutes],
});
