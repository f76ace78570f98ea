import { shellWord } from "../../../../../core/shell-word.ts";
import {
  accountPath,
  issuePath,
  pullPath,
  pullsOfBranchPath,
  type RepositoryName,
  repositoryPath,
  sourcePath,
  withQuery,
} from "../../../../../ui/addresses.ts";
import { Avatar } from "../../../../../ui/avatar.tsx";
import { CopyButton } from "../../../../../ui/copy.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { LabelChip } from "../../../../../ui/labels.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Day } from "../../../../../ui/time.tsx";
import type { Development } from "../../development/model.ts";
import { LinkBranchForm, NewBranchForm } from "../../development/views.tsx";
import type { IssueView } from "../../model.ts";
import { quoted } from "../../search/query-language.ts";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { timeText, typedTime } from "../../times/time-text.ts";
import { Person } from "../../views/person.tsx";
import { StateIcon } from "../../views/state.tsx";
import type { OwnTime, SidebarProps, SideChoices, TimeSidebarProps } from "../sidebar-props.ts";
import { Act, changePath, DependencyForm, EstimateForm, type PlannedProps, SideForm, type SidePart, TimeForm } from "./plan-forms.tsx";
import { Folded, More, News } from "./side-end.tsx";

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
      <Plan repository={repository} issue={issue} side={side} own={side.choices === undefined ? undefined : own} />
      <DevelopmentPanel repository={repository} issue={issue} development={side.development} own={own} />
      <Dependencies repository={repository} issue={issue} side={side} own={own} />
      {side.time !== undefined && own !== undefined && <Time {...own} time={side.time} plans={side.choices !== undefined} />}
      {own !== undefined && <News {...own} side={side} />}
      {own !== undefined && (side.canModerate || (side.choices !== undefined && !issue.isPull)) && <More {...own} side={side} />}
    </aside>
  );
}

interface PlanProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
}

interface PartProps {
  readonly part: SidePart;
  readonly title: string;
  readonly own: PlannedProps | undefined;
  readonly choices: SideChoices | undefined;
  readonly children?: Html;
}

const Part = ({ part, title, own, choices, children }: PartProps): Html => (
  <SidePanel name={part} title={title} form={own !== undefined && choices !== undefined && <SideForm {...own} part={part} choices={choices} />}>
    {children}
  </SidePanel>
);

export interface SidePanelProps {
  /** Unique in the sidebar. */
  readonly name: string;
  readonly title: string;
  /** False for readers who cannot change the part. */
  readonly form: Html | false;
  readonly children?: Html;
}

/** A part of the sidebar: its values, and a panel with the form that changes them. */
export function SidePanel({ name, title, form, children }: SidePanelProps): Html {
  const texts = useTexts(planningTexts);
  return (
    <section class="part" id={`side-${name}`}>
      <header>
        <h2>{title}</h2>
        {form !== false && (
          <details class="menu panel">
            <summary title={texts.editPart(title)}>
              <Icon name="gear" label={texts.editPart(title)} />
            </summary>
            <div class="sheet">{form}</div>
          </details>
        )}
      </header>
      <div class="values">{children}</div>
    </section>
  );
}

function Plan({ repository, issue, side, own }: PlanProps & { readonly side: SidebarProps; readonly own: PlannedProps | undefined }): Html {
  const texts = useTexts(issueTexts);
  const tracking = useTexts(planningTexts);
  const list = `${repositoryPath(repository)}/${issue.isPull ? "pulls" : "issues"}`;
  const search = (word: string): string => withQuery(list, { q: `is:open ${word}` });
  const { choices, self } = side;
  const isAssigned = issue.assignees.some(({ name }) => name === self);
  const part = { own, choices };
  return (
    <>
      <Part {...part} part="assignees" title={texts.assignees}>
        {issue.assignees.map((user) => (
          <p>
            <Person user={user} avatarSize={20} />
          </p>
        ))}
        {issue.assignees.length === 0 && <span class="soft">{tracking.noAssignees}</span>}{" "}
        {own !== undefined && !isAssigned && (
          <Act action={changePath(repository, issue, "side/assignees")} formToken={own.formToken} label={tracking.assignYourself} hidden={{ self: "true" }} />
        )}
      </Part>
      <Part {...part} part="labels" title={texts.labels}>
        {issue.labels.length === 0 ? (
          <span class="soft">{tracking.noneYet}</span>
        ) : (
          <div class="chips">
            {issue.labels.map(({ name, color }) => (
              <LabelChip name={name} color={color} href={search(`label:${quoted(name)}`)} />
            ))}
          </div>
        )}
      </Part>
      <Part {...part} part="milestone" title={texts.milestone}>
        {issue.milestone === undefined ? (
          <span class="soft">{tracking.noMilestone}</span>
        ) : (
          <a href={`${repositoryPath(repository)}/milestone/${issue.milestone.id}`} dir="auto">
            {issue.milestone.title}
          </a>
        )}
      </Part>
      {(own !== undefined || issue.deadlineMs !== null) && (
        <Part {...part} part="deadline" title={tracking.due}>
          {issue.deadlineMs === null ? <span class="soft">{tracking.noDue}</span> : <Day ms={issue.deadlineMs} />}
        </Part>
      )}
      <section class="part">
        <header>
          <h2>{tracking.participants(side.participants.length)}</h2>
        </header>
        <div class="faces-row">
          {side.participants.map((user) => (
            <a href={accountPath(user.name)} title={user.name} data-person={user.name}>
              <Avatar account={user} size={24} />
              <span class="spoken">{user.name}</span>
            </a>
          ))}
        </div>
      </section>
    </>
  );
}

interface DevelopmentProps extends PlanProps {
  readonly development: Development;
  readonly own: PlannedProps | undefined;
}

/** Pull requests and branches with the work on the issue. */
function DevelopmentPanel({ repository, issue, development, own }: DevelopmentProps): Html {
  const texts = useTexts(planningTexts);
  const { linked, branches, newBranch } = development;
  const creates = own !== undefined && newBranch !== undefined;
  if (linked.length === 0 && branches.length === 0 && !creates) return null;
  return (
    <SidePanel
      name="development"
      title={texts.development}
      form={
        creates && (
          <>
            <NewBranchForm {...own} values={newBranch} />
            <LinkBranchForm {...own} />
          </>
        )
      }
    >
      {linked.length === 0 && branches.length === 0 && <span class="soft">{texts.noDevelopment}</span>}
      {linked.length > 0 && <p class="soft">{issue.isPull ? texts.closesIssues : texts.closedBy}</p>}
      <Linked issues={linked} repository={repository} issue={issue} changes={undefined} />
      {branches.length > 0 && (
        <ul class="plain-list" aria-label={texts.branchesOf}>
          {branches.map((branch) => (
            <li>
              <Icon name="git-branch" />{" "}
              <a href={sourcePath(repository, { kind: "branch", rev: branch })} dir="auto">
                {branch}
              </a>{" "}
              <CopyButton text={branch} />{" "}
              <a class="soft" href={pullsOfBranchPath(repository, branch)} aria-label={texts.comparesBranch(branch)}>
                {texts.compareBranch}
              </a>
              {creates && (
                <Act
                  action={changePath(repository, issue, "branches/unlink")}
                  formToken={own.formToken}
                  label={texts.unlinkBranch}
                  of={branch}
                  hidden={{ branch }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {branches.length > 0 && own !== undefined && (
        <Folded title={texts.checkOutBranch}>
          <pre tabIndex={0}>{`git fetch origin\ngit switch ${shellWord(branches.at(-1) ?? "")}`}</pre>
        </Folded>
      )}
    </SidePanel>
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
      <p class="soft">{time.trackedSeconds === 0 ? texts.noTime : texts.tracked(timeText(time.trackedSeconds))}</p>
      {time.runningSeconds !== undefined && <p>{texts.running(timeText(Math.max(1, time.runningSeconds)))}</p>}
      {time.canTrack && (
        <div class="bar">{time.runningSeconds === undefined ? act(texts.start, "start") : [act(texts.stop, "stop"), act(texts.cancel, "cancel")]}</div>
      )}
      {plans && (
        <Folded title={texts.estimate}>
          <EstimateForm {...own} value={estimate === 0 ? "" : typedTime(estimate)} />
        </Folded>
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
