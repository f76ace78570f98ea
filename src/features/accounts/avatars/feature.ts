import { defineFeature } from "../../../mount/feature.ts";
import { pictureRoutes } from "./api/pictures.ts";
import { avatarUploadRoutes } from "./api/uploads.ts";
import { sweepAvatars } from "./service/sweep.ts";
import { picturePages } from "./web.tsx";

const dayMs = 86_400_000;

export const avatarsFeature = defineFeature({
  name: "accounts/avatars",
  routes: [avatarUploadRoutes, picturePages, pictureRoutes],
  schedules: [{ name: "sweep_avatars", everyMs: dayMs, offsetMs: dayMs / 5, run: sweepAvatars }],
});
