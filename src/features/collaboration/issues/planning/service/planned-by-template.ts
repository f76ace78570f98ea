import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findUsersByNames } from "../../../../accounts/users/service/by-names.ts";
import { resolveLabelsByNames } from "../../../labels/service/resolve.ts";
import { type IssuePlan, noPlan } from "../../service/create.ts";
import type { IssueTemplateView } from "../../templates/template.ts";

/** Labels, assignees and other fields of an issue template, limited to values that still exist. At most two statements. */
export async function planFromTemplate(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  { labels, assignees }: Pick<IssueTemplateView, "labels" | "assignees">,
): Promise<IssuePlan> {
  const found = await resolveLabelsByNames(deps.db, repository, labels ?? []);
  const byName = assignees === null ? undefined : await findUsersByNames(deps, assignees);
  return { ...noPlan, labelIds: found.map(({ id }) => id), assignees: (assignees ?? []).flatMap((name) => byName?.(name)?.name ?? []) };
}
