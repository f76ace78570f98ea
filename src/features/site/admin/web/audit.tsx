import { csvRow } from "../../../../core/csv.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Db } from "../../../../db/db.ts";
import { raw } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths as paths } from "../../../../ui/settings.tsx";
import type { AuditEntry, AuditQuery } from "../../audit/model.ts";
import { eachEntry, listAudit } from "../../audit/service.ts";
import { type AuditFilter, type AuditProblem, AuditView } from "../views/audit.tsx";
import { adminPage, show } from "./frame.ts";

const exportPath = `${paths.audit}/export`;

const filters = {
  actor: query.text("Only actions of this user"),
  account: query.text("Only changes of this user's access"),
  action: query.text("Only entries with this action"),
  since: query.text("Only entries of this day and later: `YYYY-MM-DD`, in UTC"),
  until: query.text("Only entries of this day and earlier"),
};

/** The audit log and its export. */
export const auditPages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...adminPage,
    id: "auditPage",
    method: "GET",
    path: paths.audit,
    summary: "The audit log",
    query: { ...filters, cursor: query.integer("The cursor for older entries") },
    handle: async (request) => {
      const filter = filterOf(request.query);
      const { entries, next } = await listAudit(deps, request.actor, { ...rangeOf(filter), cursor: request.query.cursor, limit: request.page.limit });
      const props = { path: paths.audit, exportPath, entries, filter, problem: problemOf(filter), next };
      return show(request, "audit", <AuditView {...props} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "exportAudit",
    isPage: false,
    method: "GET",
    path: exportPath,
    summary: "Entries of the audit log as CSV, newest first",
    query: filters,
    answers: raw(["text/csv"]),
    handle: ({ actor, query }) => ({
      status: 200,
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="audit-log.csv"',
        "cache-control": "private, no-store",
      },
      body: { pieces: csvOf(eachEntry(deps, actor, rangeOf(filterOf(query)))) },
    }),
  }),
];

type Wish = Partial<Readonly<Record<keyof AuditFilter, string | undefined>>>;

const filterOf = ({ actor = "", account = "", action = "", since = "", until = "" }: Wish): AuditFilter => ({ actor, account, action, since, until });

const dayMs = 86_400_000;

function problemOf({ since, until }: AuditFilter): AuditProblem | undefined {
  const wrong = [since, until].find((day) => day !== "" && startOf(day) === undefined);
  if (wrong !== undefined) return { kind: "not_a_day", day: wrong };
  const [first, last] = [startOf(since), startOf(until)];
  return first !== undefined && last !== undefined && first > last ? { kind: "swapped" } : undefined;
}

/** A text that is no day does not filter, as if the field were empty. */
function rangeOf({ actor, account, action, since, until }: AuditFilter): Omit<AuditQuery, "limit"> {
  const first = startOf(since);
  const last = startOf(until);
  return { actor, account, action: action || undefined, sinceMs: first, beforeMs: last === undefined ? undefined : last + dayMs };
}

/** The start of a day in UTC. */
function startOf(day: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const columns = ["time", "action", "actor", "acting as", "credential", "address", "target kind", "target", "account", "details"];

const valuesOf = ({ createdMs, action, actor, actingAs, carrier, address, target, account, details }: AuditEntry): readonly string[] => [
  formatTime(createdMs),
  action,
  actor.name,
  actingAs?.name ?? "",
  carrier,
  address,
  target.kind,
  target.name,
  account?.name ?? "",
  JSON.stringify(details),
];

async function* csvOf(pages: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvRow(columns));
  for await (const entries of pages) yield Buffer.from(entries.map((entry) => csvRow(valuesOf(entry))).join(""));
}
