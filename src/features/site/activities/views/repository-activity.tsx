import type { Page } from "../../../../core/paging.ts";
import { activityPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { Bars } from "../../../../ui/bars.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { type TextsOf, useTexts } from "../../../../ui/texts/texts.ts";
import type { ActivityKind, ActivityView } from "../model.ts";
import { activityTexts } from "../texts/texts.ts";
import { ActivityList } from "./activity-list.tsx";

/** The periods of the page, in days. */
export const periods = { day: 1, week: 7, month: 30, quarter: 91, year: 365 } as const;
export type Period = keyof typeof periods;

export interface RepositoryActivityProps {
  readonly repository: RepositoryName;
  readonly period: Period;
  /** By start of day. */
  readonly counts: readonly { readonly kind: ActivityKind; readonly startMs: number; readonly count: number }[];
  readonly activities: readonly ActivityView[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

/** The recent activity of a repository: counts by kind and day, and a list. */
export function RepositoryActivity({ repository, period, counts, activities, total, page, now }: RepositoryActivityProps): Html {
  const texts = useTexts(activityTexts);
  const path = activityPath(repository);
  return (
    <>
      <nav class="switch" aria-label={texts.period}>
        {(Object.keys(periods) as Period[]).map((one) => (
          <a href={withQuery(path, { period: one })} {...(one === period && { "aria-current": "page" })}>
            {texts.periods[one]}
          </a>
        ))}
      </nav>
      {counts.length === 0 ? (
        <Empty icon="pulse" title={texts.nothing}>
          {period !== "year" && <p>{texts.tryLonger}</p>}
        </Empty>
      ) : (
        <Summary period={period} counts={counts} now={now} />
      )}
      {activities.length > 0 && (
        <>
          <h2>{texts.latest}</h2>
          <ActivityList activities={activities} now={now} />
        </>
      )}
      <Pager path={path} query={{ period }} page={page} total={total} />
    </>
  );
}

type Group = keyof TextsOf<typeof activityTexts>["counted"];

const groups: Readonly<Record<ActivityKind, Group>> = {
  commit_repo: "pushes",
  push_tag: "refs",
  delete_tag: "refs",
  delete_branch: "refs",
  publish_release: "releases",
  create_issue: "issuesOpened",
  reopen_issue: "issuesOpened",
  close_issue: "issuesClosed",
  create_pull_request: "pullsOpened",
  reopen_pull_request: "pullsOpened",
  close_pull_request: "pullsClosed",
  merge_pull_request: "pullsClosed",
  auto_merge_pull_request: "pullsClosed",
  approve_pull_request: "reviews",
  reject_pull_request: "reviews",
  pull_review_dismissed: "reviews",
  comment_issue: "comments",
  comment_pull: "comments",
  create_repo: "others",
  rename_repo: "others",
  transfer_repo: "others",
};

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function Summary({ period, counts, now }: Pick<RepositoryActivityProps, "period" | "counts" | "now">): Html {
  const texts = useTexts(activityTexts);
  const today = Math.floor(now / dayMs) * dayMs;
  const days = Array.from({ length: periods[period] + 1 }, (_, at) => today - (periods[period] - at) * dayMs);
  const sums = new Map<string | number, number>();
  const add = (key: string | number, count: number) => sums.set(key, (sums.get(key) ?? 0) + count);
  for (const { kind, startMs, count } of counts) {
    add(startMs, count);
    add(groups[kind], count);
  }
  const whole = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="box within">
      <Bars counts={days.map((day) => sums.get(day) ?? 0)} height={120} label={texts.plotOf(whole)} titles={days.map(dayOf)} />
      <h2>{texts.summary}</h2>
      <dl class="pairs">
        {(Object.keys(texts.counted) as Group[])
          .filter((group) => sums.has(group))
          .map((group) => [<dt>{texts.counted[group]}</dt>, <dd>{sums.get(group)}</dd>])}
      </dl>
    </section>
  );
}
