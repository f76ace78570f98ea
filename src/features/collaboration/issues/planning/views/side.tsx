import { issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { LabelChip } from "../../../../../ui/labels.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Day } from "../../../../../ui/time.tsx";
import type { IssueView } from "../../model.ts";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { timeText, typedTime } from "../../times/time-text.ts";
import { Person } from "../../views/person.tsx";
import { StateIcon } from "../../views/state.tsx";
import type { OwnTime, SidebarProps, TimeSidebarProps } from "../sidebar-props.ts";
import { Act, changePath, DependencyForm, EstimateForm, LockForm, PlanForm, type PlannedProps, TimeForm } from "./plan-forms.tsx";

export interface IssueSideProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly side: SidebarProps;
  /** Undefined: not signed in. */
  readonly formToken: string | undefined;
  readonly children?: Html;
}

/** The sidebar: labels, milestone, assignees and dependencies, with their forms. */
export function IssueSide({ repository, issue, side, formToken, children }: IssueSideProps): Html {
  const own = formToken === undefined ? undefined : { repository, issue, formToken };
  return (
    <aside class="side">
      {children}
      <Plan repository={repository} issue={issue} />
      {own !== undefined && side.choices !== undefined && (
        <Folded title={useTexts(planningTexts).changePlan}>
          <PlanForm {...own} choices={side.choices} />
        </Folded>
      )}
      <Dependencies repository={repository} issue={issue} side={side} own={own} />
      {side.time !== undefined && own !== undefined && <Time {...own} time={side.time} plans={side.choices !== undefined} />}
      {own !== undefined && <News {...own} side={side} />}
      {own !== undefined && side.canModerate && <More {...own} side={side} />}
    </aside>
  );
}

const Folded = ({ title, children }: { readonly title: string; readonly children?: Html }): Html => (
  <details class="folded">
    <summary>{title}</summary>
    {children}
  </details>
);

interface PlanProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
}

function Plan({ repository, issue }: PlanProps): Html {
  const texts = useTexts(issueTexts);
  const tracking = useTexts(planningTexts);
  const none = <p class="soft">{texts.noneSet}</p>;
  const list = `${repositoryPath(repository)}/${issue.isPull ? "pulls" : "issues"}`;
  const search = (word: string): string => withQuery(list, { q: `is:open ${word}` });
  return (
    <>
      <h2>{texts.labels}</h2>
      {issue.labels.length === 0 ? (
        none
      ) : (
        <div class="chips">
          {issue.labels.map(({ name, color }) => (
            <LabelChip name={name} color={color} href={search(`label:"${name}"`)} />
          ))}
        </div>
      )}
      <h2>{texts.assignees}</h2>
      {issue.assignees.length === 0
        ? none
        : issue.assignees.map((user) => (
            <p>
              <Person user={user} />
            </p>
          ))}
      <h2>{texts.milestone}</h2>
      {issue.milestone === undefined ? (
        none
      ) : (
        <p>
          <a href={search(`milestone:"${issue.milestone.title}"`)}>{issue.milestone.title}</a>
        </p>
      )}
      {issue.deadlineMs !== null && (
        <>
          <h2>{tracking.due}</h2>
          <p>
            <Day ms={issue.deadlineMs} />
          </p>
        </>
      )}
    </>
  );
}

interface DependenciesProps extends PlanProps {
  readonly side: SidebarProps;
  readonly own: PlannedProps | undefined;
}

function Dependencies({ repository, issue, side, own }: DependenciesProps): Html {
  const texts = useTexts(planningTexts);
  const changes = side.linksDependencies ? own : undefined;
  if (side.waitsFor.length === 0 && side.blocks.length === 0 && changes === undefined) return null;
  return (
    <>
      <h2>{texts.dependencies}</h2>
      {side.waitsFor.length > 0 && <p class="soft">{texts.waitsFor}</p>}
      <Linked issues={side.waitsFor} repository={repository} issue={issue} changes={changes} />
      {side.blocks.length > 0 && <p class="soft">{texts.blocks}</p>}
      <Linked issues={side.blocks} repository={repository} issue={issue} changes={undefined} />
      {changes !== undefined && (
        <Folded title={texts.addDependencyTo}>
          <DependencyForm {...changes} />
        </Folded>
      )}
    </>
  );
}

interface LinkedProps extends PlanProps {
  readonly issues: readonly IssueView[];
  /** Set if the reader can remove it. */
  readonly changes: PlannedProps | undefined;
}

function Linked({ issues, repository, issue, changes }: LinkedProps): Html {
  const texts = useTexts(planningTexts);
  if (issues.length === 0) return null;
  return (
    <ul class="plain-list">
      {issues.map((other) => {
        const name = nameOf(repository, other);
        return (
          <li>
            <StateIcon issue={other} />{" "}
            <a href={(other.isPull ? pullPath : issuePath)(other.place, other.number)} dir="auto">
              {other.title}
            </a>{" "}
            <span class="soft">{name}</span>
            {changes !== undefined && (
              <Act
                action={changePath(repository, issue, "dependencies")}
                formToken={changes.formToken}
                label={texts.removeDependency}
                of={name}
                hidden={{ other: name, remove: "true" }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const nameOf = (here: RepositoryName, { place, number }: IssueView): string =>
  place.ownerName === here.ownerName && place.name === here.name ? `#${number}` : `${place.ownerName}/${place.name}#${number}`;

interface TimeSideProps extends PlannedProps {
  readonly time: TimeSidebarProps;
  /** Whether the reader can set the estimate. */
  readonly plans: boolean;
}

function Time({ time, plans, ...own }: TimeSideProps): Html {
  const texts = useTexts(planningTexts);
  const action = changePath(own.repository, own.issue, "stopwatch");
  const { timeEstimateSeconds: estimate } = own.issue;
  const act = (label: string, step: string): Html => <Act action={action} formToken={own.formToken} label={label} hidden={{ step }} />;
  return (
    <>
      <h2>{texts.time}</h2>
      {estimate > 0 && <p>{texts.estimated(timeText(estimate))}</p>}
      {plans && (
        <Folded title={texts.estimate}>
          <EstimateForm {...own} value={estimate === 0 ? "" : typedTime(estimate)} />
        </Folded>
      )}
      <p class="soft">{time.trackedSeconds === 0 ? texts.noTime : texts.tracked(timeText(time.trackedSeconds))}</p>
      {time.runningSeconds !== undefined && <p>{texts.running(timeText(Math.max(1, time.runningSeconds)))}</p>}
      {time.canTrack && (
        <div class="bar">{time.runningSeconds === undefined ? act(texts.start, "start") : [act(texts.stop, "stop"), act(texts.cancel, "cancel")]}</div>
      )}
      {time.canTrack && (
        <Folded title={texts.addTime}>
          <TimeForm {...own} />
        </Folded>
      )}
      {time.canTrack && <OwnTimes {...own} times={time.ownTimes} />}
    </>
  );
}

/** The reader's tracked times, with a button to delete each. */
function OwnTimes({ repository, issue, formToken, times }: PlannedProps & { readonly times: readonly OwnTime[] }): Html {
  const texts = useTexts(planningTexts);
  if (times.length === 0) return null;
  return (
    <Folded title={texts.ownTimes}>
      <ul class="plain-list" aria-label={texts.ownTimes}>
        {times.map(({ id, seconds, createdMs }) => {
          const action = changePath(repository, issue, `times/${id}/delete`);
          const text = timeText(seconds);
          return (
            <li>
              {text} <Day ms={createdMs} /> <Act action={action} formToken={formToken} label={texts.removeTime} of={text} />
            </li>
          );
        })}
      </ul>
    </Folded>
  );
}

function News({ repository, issue, formToken, side }: PlannedProps & { readonly side: SidebarProps }): Html {
  const texts = useTexts(planningTexts);
  const isOn = side.isSubscribed === true;
  return (
    <>
      <h2>{texts.news}</h2>
      <p class="soft">{isOn ? texts.isSubscribed : texts.isNotSubscribed}</p>
      <Act
        action={changePath(repository, issue, "subscription")}
        formToken={formToken}
        label={isOn ? texts.unsubscribe : texts.subscribe}
        hidden={{ wanted: String(!isOn) }}
      />
    </>
  );
}

function More({ repository, issue, formToken, side }: PlannedProps & { readonly side: SidebarProps }): Html {
  const texts = useTexts(planningTexts);
  const isPinned = issue.pinOrder > 0;
  return (
    <>
      <h2>{texts.more}</h2>
      <div class="bar">
        {side.canModerate && issue.isLocked && (
          <Act action={changePath(repository, issue, "lock")} formToken={formToken} label={texts.unlock} hidden={{ wanted: "false" }} />
        )}
        {side.canModerate && (
          <Act
            action={changePath(repository, issue, "pin")}
            formToken={formToken}
            label={isPinned ? texts.unpin : texts.pin}
            hidden={{ wanted: String(!isPinned) }}
          />
        )}
      </div>
      {side.canModerate && !issue.isLocked && (
        <Folded title={texts.lock}>
          <LockForm repository={repository} issue={issue} formToken={formToken} />
        </Folded>
      )}
    </>
  );
}
