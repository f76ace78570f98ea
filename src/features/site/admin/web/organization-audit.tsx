import type { Db } from "../../../../db/db.ts";
import { organization } from "../../../../http/access.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { organizationPath } from "../../../../ui/addresses.ts";
import { renderOrganizationSettings } from "../../../../ui/settings.tsx";
import { listOrganizationAudit } from "../../audit/service.ts";
import { OrganizationAuditView } from "../views/audit.tsx";

/** The audit log of an organization, for its owners. */
export const organizationAuditPages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...settingsPage,
    id: "organizationAuditPage",
    method: "GET",
    path: "/org/{org}/settings/audit",
    tag: "organization",
    summary: "The changes of access in an organization, its teams and its repositories",
    scope: "organization",
    access: organization.owner,
    query: { action: query.text("Only entries with this action"), cursor: query.integer("The cursor for older entries") },
    handle: async (request) => {
      const { organization, page } = request;
      const { action = "", cursor } = request.query;
      const { entries, next } = await listOrganizationAudit(deps, organization, { action: action || undefined, cursor, limit: page.limit });
      const path = organizationPath(organization.name, "/settings/audit");
      return renderOrganizationSettings(
        { ...pageReader(request), organization, section: "audit" },
        <OrganizationAuditView path={path} entries={entries} action={action} next={next} />,
      );
    },
  }),
];
