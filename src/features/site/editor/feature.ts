import { defineFeature } from "../../../mount/feature.ts";
import { editorFiles } from "./web.ts";

export const editorFeature = defineFeature({
  name: "site/editor",
  routes: [editorFiles],
});
