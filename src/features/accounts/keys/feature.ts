import { defineFeature } from "../../../mount/feature.ts";
import { deployKeyRoutes } from "./api/deploy-keys.ts";
import { gpgKeyRoutes } from "./api/gpg-keys.ts";
import { signingKeyRoutes } from "./api/signing-keys.ts";
import { userKeyRoutes } from "./api/user-keys.ts";
import { deployKeyPages } from "./web/deploy-keys.tsx";
import { gpgKeyPages } from "./web/gpg-keys.tsx";
import { userKeyPages } from "./web/user-keys.tsx";

export const keysFeature = defineFeature({
  name: "accounts/keys",
  routes: [userKeyRoutes, userKeyPages, deployKeyRoutes, deployKeyPages, gpgKeyRoutes, gpgKeyPages, signingKeyRoutes],
});
