import { defineFeature } from "../../../mount/feature.ts";
import { organizationPinPages, userPinPages } from "./web.tsx";

export const pinsFeature = defineFeature({ name: "repositories/pins", routes: [userPinPages, organizationPinPages] });
