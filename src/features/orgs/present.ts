import { type Actor, isUser } from "../../access/actor.ts";
import type { Urls } from "../../core/urls.ts";
import type { Organization } from "../../wire/organization.ts";
import { avatarUrl } from "../users/present.ts";
import type { OrganizationView } from "./view.ts";

/** An organization as somebody sees it (wire facts 4.3): the address is for callers who have signed in. */
export const presentOrganization = (view: OrganizationView, viewer: Actor, urls: Urls): Organization => ({
  id: view.id,
  name: view.name,
  full_name: view.fullName,
  email: isUser(viewer) ? view.email : "",
  avatar_url: avatarUrl(view, urls),
  description: view.description,
  website: view.website,
  location: view.location,
  visibility: view.visibility,
  repo_admin_change_team_access: view.repoAdminChangeTeamAccess,
  username: view.name,
});
