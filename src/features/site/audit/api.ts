import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { siteAdmin } from "../../../http/access.ts";
import { json } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { AuditPage } from "../../../wire/audit.ts";
import { presentPage } from "./present.ts";
import { listAudit } from "./service.ts";

/** The audit log of access changes, for administrators. */
export function auditRoutes(deps: { readonly db: Db; readonly config: Pick<Config, "limits"> }): Route[] {
  const { page_default, page_max } = deps.config.limits;
  return [
    defineRoute({
      id: "adminListAudit",
      method: "GET",
      path: "/admin/audit",
      tag: "admin",
      summary: "List the audit log, newest entries first",
      access: siteAdmin,
      scope: "admin",
      query: {
        actor: query.text("Only actions of this user"),
        account: query.text("Only changes of this user's access"),
        action: query.text("Only this action, such as `team.created`, or all of one kind, such as `team`"),
        target: query.text("Only changes of the target with this name: `acme`, `acme/site`, `acme:developers`"),
        since: query.time("Only entries from this time on"),
        before: query.time("Only entries from before this time"),
        cursor: query.integer("Continue after the entry with this id: `next` of the previous page"),
        limit: query.integer("Entries of a page"),
      },
      answers: json(200, AuditPage),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, query: { actor: who, account, action, target, since, before, cursor, limit } }) => {
        const filter = { actor: who, account: account, action: action || undefined, target: target || undefined, sinceMs: since, beforeMs: before, cursor };
        const bounded = Math.min(limit !== undefined && limit > 0 ? limit : page_default, page_max);
        return presentPage(await listAudit(deps, actor, { ...filter, limit: bounded }));
      },
    }),
  ];
}
