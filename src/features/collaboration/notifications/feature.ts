import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { notificationRoutes } from "./api.ts";
import { newsTypes, notifyCommented, notifyMentioned, notifyNewOwners, notifyOfNews, notifyOfReleases } from "./service/notify.ts";
import { choicePages } from "./web/settings.tsx";
import { subscriptionPages } from "./web/subscriptions.tsx";
import { watchingPages } from "./web/watching.tsx";
import { inboxPages } from "./web.tsx";

export const notificationsFeature = defineFeature({
  name: "collaboration/notifications",
  routes: [notificationRoutes, inboxPages, choicePages, watchingPages, subscriptionPages],
  inTransaction: [
    beforeCommit(newsTypes, notifyOfNews),
    beforeCommit(["commit.mentioned"], notifyMentioned),
    beforeCommit(["commit.commented"], notifyCommented),
    beforeCommit(["release.published", "release.drafted"], notifyOfReleases),
    beforeCommit(["repo.transferred", "repo.transfer_requested"], notifyNewOwners),
  ],
});
