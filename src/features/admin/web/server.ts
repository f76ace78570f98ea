import { h } from "preact";
import type { UserActor } from "../../../access/actor.ts";
import { readId } from "../../../core/ids.ts";
import type { Page } from "../../../core/paging.ts";
import { siteAdmin } from "../../../http/access.ts";
import { savedAt } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import type { Schedule } from "../../../jobs/schedule.ts";
import { renderAdministration } from "../../../ui/settings.ts";
import { inPlace } from "../../../wire/schema.ts";
import { listAudit } from "../../audit/service.ts";
import { type DeletedDeps, listDeletedRepositories, restoreRepository } from "../../repos/service/restore.ts";
import { listSchedules, runSchedule } from "../service/schedules.ts";
import { AuditView, DeletedView, SchedulesView } from "../views/server.ts";

export interface ServerPageDeps extends DeletedDeps {
  readonly schedules: readonly Schedule[];
}

const NoFields = inPlace({});
const page = { ...settingsPage, tag: "admin", scope: "admin", access: siteAdmin } as const;
const paths = { deleted: "/-/admin/repos/deleted", schedules: "/-/admin/monitor/cron", audit: "/-/admin/audit" } as const;
/** More than the server has. */
const allSchedules: Page = { page: 1, limit: 200, offset: 0 };

/** What goes on in the server, and what can be brought back. */
export const serverPages = (deps: ServerPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "deletedRepositoriesPage",
    method: "GET",
    path: paths.deleted,
    summary: "Deleted repositories that can be brought back",
    handle: async (request) => {
      const { items, total } = await listDeletedRepositories(deps, request.page);
      const facts = { path: paths.deleted, repositories: items, total, page: request.page, formToken: tokenOf(request) };
      return renderAdministration({ ...pageReader(request), section: "deleted" }, h(DeletedView, facts));
    },
  }),
  defineRoute({
    ...page,
    id: "restoreRepositoryByForm",
    method: "POST",
    path: `${paths.deleted}/{id}/restore`,
    summary: "Bring a deleted repository back",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await restoreRepository(deps, actor, readId(params.id));
      return savedAt(paths.deleted);
    },
  }),
  defineRoute({
    ...page,
    id: "schedulesPage",
    method: "GET",
    path: paths.schedules,
    summary: "What the server does at regular times",
    handle: async (request) => {
      const { items } = await listSchedules(deps, allSchedules);
      const schedules = items.map(({ name, everyMs, lastRunMs }) => ({ name, everyMs, lastMs: lastRunMs ?? 0 }));
      return renderAdministration(
        { ...pageReader(request), section: "schedules" },
        h(SchedulesView, { path: paths.schedules, schedules, formToken: tokenOf(request) }),
      );
    },
  }),
  defineRoute({
    ...page,
    id: "runScheduleByForm",
    method: "POST",
    path: `${paths.schedules}/{task}`,
    summary: "Do now what is done at regular times",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await runSchedule(deps, actor, params.task);
      return savedAt(paths.schedules);
    },
  }),
  defineRoute({
    ...page,
    id: "auditPage",
    method: "GET",
    path: paths.audit,
    summary: "Who changed whose access",
    query: {
      actor: query.text("Only what this user did"),
      account: query.text("Only what is about the access of this user"),
      action: query.text("Only entries of this action"),
      cursor: query.integer("Where older entries begin"),
    },
    handle: async (request) => {
      const { actor = "", account = "", action = "", cursor } = request.query;
      const wanted = { actor, account, action: action || undefined, cursor, limit: request.page.limit };
      const { entries, next } = await listAudit(deps, request.actor, wanted);
      const facts = { path: paths.audit, entries, filter: { actor, account, action }, next };
      return renderAdministration({ ...pageReader(request), section: "audit" }, h(AuditView, facts));
    },
  }),
];

const tokenOf = ({ session }: PageRequest & { readonly actor: UserActor }): string => formTokenOf(requireSession(session));
