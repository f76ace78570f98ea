import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { inPlace, int } from "../../../../wire/schema.ts";
import { adminPage, show, tokenOf } from "../web/frame.ts";
import { listNotices, removeNotice, removeNoticesUpTo } from "./service.ts";
import { NoticesView } from "./views.tsx";

const path = administrationPaths.notices;
const NewestForm = inPlace({ newest: int() });
const NoFields = inPlace({});

/** System notices. */
export const noticePages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...adminPage,
    id: "noticesPage",
    method: "GET",
    path,
    summary: "Failures of the server",
    handle: async (request) => {
      const { items, total } = await listNotices(deps, request.page);
      return show(request, "notices", <NoticesView path={path} notices={items} total={total} page={request.page} formToken={tokenOf(request)} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "deleteNotices",
    method: "POST",
    path: `${path}/delete`,
    summary: "Delete the system notices up to one",
    body: NewestForm,
    handle: async ({ body }) => {
      await removeNoticesUpTo(deps, body.newest);
      return savedAt(path, "deleted");
    },
  }),
  defineRoute({
    ...adminPage,
    id: "deleteNotice",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Delete a system notice",
    body: NoFields,
    handle: async ({ params }) => {
      await removeNotice(deps, readId(params.id));
      return savedAt(path, "deleted");
    },
  }),
];
