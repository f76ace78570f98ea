import { defineFeature } from "../../../mount/feature.ts";
import { searchPages } from "./web.tsx";

export const savedSearchesFeature = defineFeature({ name: "collaboration/saved-searches", routes: [searchPages] });
