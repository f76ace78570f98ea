import type { TeamSubject } from "../../../access/subjects.ts";
import type { TeamEvent } from "../../../events/access-events.ts";

/** A team as recorded in events. */
export const teamEvent = ({
  id,
  name,
  organization,
}: Pick<TeamSubject, "id" | "name"> & { readonly organization: Pick<TeamSubject["organization"], "id" | "name"> }): TeamEvent => ({
  teamId: id,
  teamName: name,
  orgId: organization.id,
  orgName: organization.name,
});
