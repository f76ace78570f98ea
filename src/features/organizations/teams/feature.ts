import { defineFeature } from "../../../mount/feature.ts";
import { memberRoutes } from "./api/members.ts";
import { teamRepositoryRoutes } from "./api/repositories.ts";
import { teamRoutes } from "./api/teams.ts";
import { invitationPages } from "./invitations/web.tsx";
import { collaborationPages } from "./web/collaboration.tsx";
import { memberPages } from "./web/members.tsx";
import { ownOrganizationPages } from "./web/own-organizations.tsx";
import { teamPages } from "./web/teams.tsx";

export const teamsFeature = defineFeature({
  name: "organizations/teams",
  routes: [memberRoutes, teamRoutes, teamRepositoryRoutes, collaborationPages, memberPages, invitationPages, teamPages, ownOrganizationPages],
});
