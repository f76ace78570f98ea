import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { notificationRoutes } from "./api.ts";
import { newsTypes, tellMentioned, tellNewOwners, tellNews } from "./service/tell.ts";
import { inboxPages } from "./web.tsx";

export const notificationsFeature = defineFeature({
  name: "collaboration/notifications",
  routes: [notificationRoutes, inboxPages],
  inTransaction: [
    beforeCommit(newsTypes, tellNews),
    beforeCommit(["commit.mentioned"], tellMentioned),
    beforeCommit(["repo.transferred", "repo.transfer_requested"], tellNewOwners),
  ],
});
