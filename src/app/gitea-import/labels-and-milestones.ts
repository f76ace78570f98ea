import type { Batch } from "../../db/row-batch.ts";
import type { ImportedAccounts } from "./accounts.ts";
import type { Conversion } from "./context.ts";
import type { ForeignRow } from "./source.ts";
import { flagOf, millisOf, millisOrNull, numberOf, textOf } from "./source.ts";
import type { ConvertedTracker } from "./tracker-input.ts";

/** The color of a label without a valid one. */
const grey = "cccccc";

function addLabel(
  batch: Batch,
  { report }: Pick<Conversion, "report">,
  row: ForeignRow,
  owner: { readonly repo_id: number | null; readonly org_id: number | null },
): void {
  const name = textOf(row.name);
  const [color] = /[0-9a-f]{6}$/.exec(textOf(row.color).toLowerCase()) ?? [];
  if (color === undefined) report.without("colors of labels that Hearth refuses, which become grey", name);
  if (numberOf(row.exclusive_order) > 0) report.without("orders of exclusive labels", name);
  batch.add("labels", {
    id: numberOf(row.id),
    ...owner,
    name,
    color: color ?? grey,
    description: textOf(row.description),
    is_exclusive: flagOf(row.exclusive),
    is_archived: numberOf(row.archived_unix) > 0 ? 1 : 0,
    created_ms: millisOf(row.created_unix),
    updated_ms: millisOf(row.updated_unix),
  });
}

/** Labels of organizations. @returns their organizations, by id of the label */
export async function convertOrgLabels({ source, report }: Conversion, { kinds }: ImportedAccounts, batch: Batch): Promise<ReadonlyMap<number, number>> {
  const owners = new Map<number, number>();
  for (const row of await source.database.all("select * from label where coalesce(repo_id, 0) = 0 order by id")) {
    const orgId = numberOf(row.org_id);
    if (kinds.get(orgId) !== "organization") {
      report.without("labels without a repository or an organization", textOf(row.name));
      continue;
    }
    addLabel(batch, { report }, row, { repo_id: null, org_id: orgId });
    owners.set(numberOf(row.id), orgId);
  }
  report.count("labels", owners.size);
  return owners;
}

/** @returns the labels that issues of the repository can have */
export async function addLabelRows(conversion: Conversion, { plan, known }: ConvertedTracker, batch: Batch): Promise<ReadonlySet<number>> {
  const rows = await conversion.source.database.all("select * from label where repo_id = ? order by id", [plan.id]);
  for (const row of rows) addLabel(batch, conversion, row, { repo_id: plan.id, org_id: null });
  conversion.report.count("labels", rows.length);
  const ofOwner = [...known.orgLabels].flatMap(([id, orgId]) => (orgId === plan.ownerId ? id : []));
  return new Set([...rows.map((row) => numberOf(row.id)), ...ofOwner]);
}

/** @returns the milestones of the repository */
export async function addMilestoneRows({ source, report }: Conversion, { plan, issues }: ConvertedTracker, batch: Batch): Promise<ReadonlySet<number>> {
  const rows = await source.database.all("select * from milestone where repo_id = ? order by id", [plan.id]);
  const counts = new Map<number, { open: number; closed: number }>(rows.map((row) => [numberOf(row.id), { open: 0, closed: 0 }]));
  for (const { milestoneId, isClosed } of issues.facts.values()) {
    const count = counts.get(milestoneId);
    if (count !== undefined) count[isClosed ? "closed" : "open"] += 1;
  }
  for (const row of rows) {
    const id = numberOf(row.id);
    const title = textOf(row.name);
    batch.add("milestones", {
      id,
      repo_id: plan.id,
      title,
      title_folded: title.toLowerCase(),
      description: textOf(row.content),
      is_closed: flagOf(row.is_closed),
      due_ms: deadlineOf(row),
      closed_ms: millisOrNull(row.closed_date_unix),
      open_issues_count: counts.get(id)?.open ?? 0,
      closed_issues_count: counts.get(id)?.closed ?? 0,
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  report.count("milestones", rows.length);
  return new Set(counts.keys());
}

/** A milestone without a date has none, or one in the year 9999. */
function deadlineOf(row: ForeignRow): number | null {
  const ms = millisOrNull(row.deadline_unix);
  return ms === null || new Date(ms).getUTCFullYear() >= 9_999 ? null : ms;
}
