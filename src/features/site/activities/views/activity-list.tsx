import { accountPath } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { ActivityKind, ActivityView } from "../model.ts";
import { activityTexts } from "../texts/texts.ts";
import { describeActivity } from "./activity-sentence.ts";

const icons: Readonly<Record<ActivityKind, IconName>> = {
  create_repo: "repo",
  rename_repo: "repo",
  transfer_repo: "arrow-right",
  commit_repo: "git-commit",
  push_tag: "tag",
  delete_tag: "trash",
  delete_branch: "trash",
  publish_release: "archive",
  create_issue: "issue-opened",
  comment_issue: "comment",
  close_issue: "issue-closed",
  reopen_issue: "issue-opened",
  create_pull_request: "git-pull-request",
  comment_pull: "comment",
  close_pull_request: "git-pull-request-closed",
  merge_pull_request: "git-merge",
  auto_merge_pull_request: "git-merge",
  reopen_pull_request: "git-pull-request",
  approve_pull_request: "check",
  reject_pull_request: "circle-slash",
  pull_review_dismissed: "x",
};

export interface ActivityListProps {
  readonly activities: readonly ActivityView[];
  readonly now: number;
}

/** A list of activities, newest first. A push of many refs takes one line, which shows the others on request. */
export const ActivityList = ({ activities, now }: ActivityListProps): Html => (
  <ul class="list activity">
    {inBatches(activities).map(([first, ...others]) => (
      <>
        <Line activity={first} now={now} />
        {others.length > 0 && <Others activities={others} now={now} />}
      </>
    ))}
  </ul>
);

/** The kinds of which one push can create many. */
const refKinds: ReadonlySet<ActivityKind> = new Set<ActivityKind>(["push_tag", "delete_tag", "delete_branch"]);

type Batch = readonly [ActivityView, ...(readonly ActivityView[])];

/** Joins neighbouring activities about refs of one repository by one user. */
function inBatches(activities: readonly ActivityView[]): readonly Batch[] {
  const batches: [ActivityView, ...ActivityView[]][] = [];
  for (const activity of activities) {
    const last = batches.at(-1);
    const [first] = last ?? [];
    const isSame = first?.kind === activity.kind && first.actor.id === activity.actor.id && first.repository.id === activity.repository.id;
    if (last !== undefined && isSame && refKinds.has(activity.kind)) last.push(activity);
    else batches.push([activity]);
  }
  return batches;
}

function Others({ activities, now }: ActivityListProps): Html {
  const texts = useTexts(activityTexts);
  return (
    <li class="others">
      <details>
        <summary>{texts.moreOfThese(activities.length)}</summary>
        <ul class="list activity">
          {activities.map((activity) => (
            <Line activity={activity} now={now} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function Line({ activity, now }: { readonly activity: ActivityView; readonly now: number }): Html {
  const texts = useTexts(activityTexts);
  const { text, object, repository, former, quotes } = describeActivity(activity, texts);
  return (
    <li>
      <Icon name={icons[activity.kind]} />
      <div class="what">
        <a class="face" href={accountPath(activity.actor.name)}>
          <Avatar account={activity.actor} size={20} />
          {activity.actor.name}
        </a>{" "}
        {fill<Html>(text, {
          object: object && (object.path === undefined ? <code>{object.text}</code> : <a href={object.path}>{object.text}</a>),
          repository: <a href={repository.path}>{repository.text}</a>,
          former,
          when: (
            <span class="soft">
              <Ago ms={activity.createdMs} now={now} />
            </span>
          ),
        })}
        {quotes.length > 0 && (
          <ul class="quotes">
            {quotes.map((quote) => (
              <li dir="auto">{quote}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
