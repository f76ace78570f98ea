import { defineFeature } from "../../../mount/feature.ts";
import { commitCommentPages } from "./web.tsx";

export const commitCommentsFeature = defineFeature({ name: "collaboration/commit-comments", routes: [commitCommentPages] });
