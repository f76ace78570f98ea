import { defineFeature } from "../../../mount/feature.ts";
import { starListPages } from "./web.tsx";

export const starListsFeature = defineFeature({ name: "repositories/star-lists", routes: [starListPages] });
