import type { Db } from "../../../../db/db.ts";
import { siteAdmin } from "../../../../http/access.ts";
import { list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { StoreProblem } from "../../../../wire/admin.ts";
import { presentStoreProblem } from "../present.ts";
import { listStoreProblems } from "../service/store-problems.ts";

/** Damaged object stores. */
export const storeProblemRoutes = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    id: "adminListStoreProblems",
    method: "GET",
    path: "/admin/stores/problems",
    tag: "admin",
    summary: "List the problems that store checks have found; repositories without damage are omitted",
    access: siteAdmin,
    scope: "admin",
    answers: list(StoreProblem, "total"),
    refusals: { 403: "forbidden" },
    handle: async ({ page }) => {
      const { items, total } = await listStoreProblems(deps, page);
      return { items: items.map(presentStoreProblem), total };
    },
  }),
];
