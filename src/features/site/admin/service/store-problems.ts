import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { StoreProblem } from "../../../repositories/refs/model.ts";
import { listStoreProblems as listProblems } from "../../../repositories/refs/service/health.ts";
import { namesOfStores } from "../../../repositories/repos/service/stores.ts";

/** The problems found by store checks, with the affected repositories. Three statements. */
export async function listStoreProblems(deps: { readonly db: Reader }, page: Page): Promise<Paged<StoreProblem & { readonly repository: string }>> {
  const { items, total } = await listProblems(deps, page);
  const names = await namesOfStores(
    deps.db,
    items.map(({ storeId }) => storeId),
  );
  return { items: items.map((problem) => ({ ...problem, repository: names.get(problem.storeId) ?? "" })), total };
}
