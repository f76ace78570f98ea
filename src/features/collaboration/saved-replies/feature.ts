import { defineFeature } from "../../../mount/feature.ts";
import { replyRoutes } from "./api.ts";
import { replyPages } from "./web.tsx";

export const savedRepliesFeature = defineFeature({ name: "collaboration/saved-replies", routes: [replyRoutes, replyPages] });
