import type { Db } from "../../../../db/db.ts";
import { siteAdmin } from "../../../../http/access.ts";
import { list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { StoreProblem } from "../../../../wire/admin.ts";
import { presentStoreProblem } from "../present.ts";
import { listStoreProblems } from "../service/store-problems.ts";

/** What is broken on the disk. */
export const storeProblemRoutes = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    id: "adminListStoreProblems",
    method: "GET",
    path: "/admin/stores/problems",
    tag: "admin",
    summary: "What the checks of all objects found wrong, by store; a repository without damage is not among them",
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
