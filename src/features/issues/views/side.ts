import { h } from "preact";
import { issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { LabelChip } from "../../../ui/labels.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { OwnTime, SideFacts, TimeFacts } from "../choices.ts";
import { timeText, typedTime } from "../time-text.ts";
import type { IssueView } from "../view.ts";
import { Person } from "./person.ts";
import { Act, changePath, DependencyForm, EstimateForm, LockForm, PlanForm, type PlannedFacts, TimeForm } from "./plan-forms.ts";
import { StateIcon } from "./state.ts";

export interface IssueSideFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly side: SideFacts;
  /** Undefined: nobody has signed in. */
  readonly formToken: string | undefined;
  readonly children?: Html;
}

/** What an issue is sorted by, who works on it, what it waits for; and where that is changed. */
export function IssueSide({ repository, issue, side, formToken, children }: IssueSideFacts): Html {
  const own = formToken === undefined ? undefined : { repository, issue, formToken };
  return h(
    "aside",
    { class: "side" },
    children,
    h(Plan, { repository, issue }),
    own !== undefined && side.choices !== undefined && h(Folded, { title: useTexts().tracking.changePlan }, h(PlanForm, { ...own, choices: side.choices })),
    h(Dependencies, { repository, issue, side, own }),
    side.time !== undefined && own !== undefined && h(Time, { ...own, time: side.time, plans: side.choices !== undefined }),
    own !== undefined && h(News, { ...own, side }),
    own !== undefined && side.canModerate && h(More, { ...own, side }),
  );
}

const Folded = ({ title, children }: { readonly title: string; readonly children?: Html }): Html =>
  h("details", { class: "folded" }, h("summary", null, title), children);

interface PlanFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
}

function Plan({ repository, issue }: PlanFacts): Html {
  const { issues: texts, tracking } = useTexts();
  const none = h("p", { class: "soft" }, texts.noneSet);
  const list = `${repositoryPath(repository)}/${issue.isPull ? "pulls" : "issues"}`;
  const search = (word: string): string => withQuery(list, { q: `is:open ${word}` });
  return [
    h("h2", null, texts.labels),
    issue.labels.length === 0
      ? none
      : h(
          "div",
          { class: "chips" },
          issue.labels.map(({ name, color }) => h(LabelChip, { name, color, href: search(`label:"${name}"`) })),
        ),
    h("h2", null, texts.assignees),
    issue.assignees.length === 0 ? none : issue.assignees.map((user) => h("p", null, h(Person, { user }))),
    h("h2", null, texts.milestone),
    issue.milestone === undefined ? none : h("p", null, h("a", { href: search(`milestone:"${issue.milestone.title}"`) }, issue.milestone.title)),
    issue.deadlineMs !== null && [h("h2", null, tracking.due), h("p", null, h(Day, { ms: issue.deadlineMs }))],
  ];
}

interface DependenciesFacts extends PlanFacts {
  readonly side: SideFacts;
  readonly own: PlannedFacts | undefined;
}

function Dependencies({ repository, issue, side, own }: DependenciesFacts): Html {
  const { tracking: texts } = useTexts();
  const changes = side.linksDependencies ? own : undefined;
  if (side.waitsFor.length === 0 && side.blocks.length === 0 && changes === undefined) return null;
  return [
    h("h2", null, texts.dependencies),
    side.waitsFor.length > 0 && h("p", { class: "soft" }, texts.waitsFor),
    h(Linked, { issues: side.waitsFor, repository, issue, changes }),
    side.blocks.length > 0 && h("p", { class: "soft" }, texts.blocks),
    h(Linked, { issues: side.blocks, repository, issue, changes: undefined }),
    changes !== undefined && h(Folded, { title: texts.addDependencyTo }, h(DependencyForm, changes)),
  ];
}

interface LinkedFacts extends PlanFacts {
  readonly issues: readonly IssueView[];
  /** Where the reader may end it. */
  readonly changes: PlannedFacts | undefined;
}

function Linked({ issues, repository, issue, changes }: LinkedFacts): Html {
  const { tracking: texts } = useTexts();
  if (issues.length === 0) return null;
  return h(
    "ul",
    { class: "plain-list" },
    issues.map((other) => {
      const name = nameOf(repository, other);
      return h(
        "li",
        null,
        h(StateIcon, { issue: other }),
        " ",
        h("a", { href: (other.isPull ? pullPath : issuePath)(other.place, other.number), dir: "auto" }, other.title),
        " ",
        h("span", { class: "soft" }, name),
        changes !== undefined &&
          h(Act, {
            action: changePath(repository, issue, "dependencies"),
            formToken: changes.formToken,
            label: texts.removeDependency,
            of: name,
            hidden: { other: name, remove: "true" },
          }),
      );
    }),
  );
}

const nameOf = (here: RepositoryName, { place, number }: IssueView): string =>
  place.ownerName === here.ownerName && place.name === here.name ? `#${number}` : `${place.ownerName}/${place.name}#${number}`;

interface TimeSideFacts extends PlannedFacts {
  readonly time: TimeFacts;
  /** Whether the reader says how long it may take. */
  readonly plans: boolean;
}

function Time({ time, plans, ...own }: TimeSideFacts): Html {
  const { tracking: texts } = useTexts();
  const action = changePath(own.repository, own.issue, "stopwatch");
  const { timeEstimateSeconds: estimate } = own.issue;
  const act = (label: string, step: string): Html => h(Act, { action, formToken: own.formToken, label, hidden: { step } });
  return [
    h("h2", null, texts.time),
    estimate > 0 && h("p", null, texts.estimated(timeText(estimate))),
    plans && h(Folded, { title: texts.estimate }, h(EstimateForm, { ...own, value: estimate === 0 ? "" : typedTime(estimate) })),
    h("p", { class: "soft" }, time.trackedSeconds === 0 ? texts.noTime : texts.tracked(timeText(time.trackedSeconds))),
    time.runningSeconds !== undefined && h("p", null, texts.running(timeText(Math.max(1, time.runningSeconds)))),
    time.canTrack &&
      h("div", { class: "bar" }, time.runningSeconds === undefined ? act(texts.start, "start") : [act(texts.stop, "stop"), act(texts.cancel, "cancel")]),
    time.canTrack && h(Folded, { title: texts.addTime }, h(TimeForm, own)),
    time.canTrack && h(OwnTimes, { ...own, times: time.ownTimes }),
  ];
}

/** What the reader has tracked, to be taken back. */
function OwnTimes({ repository, issue, formToken, times }: PlannedFacts & { readonly times: readonly OwnTime[] }): Html {
  const { tracking: texts } = useTexts();
  if (times.length === 0) return null;
  return h(
    Folded,
    { title: texts.ownTimes },
    h(
      "ul",
      { class: "plain-list", "aria-label": texts.ownTimes },
      times.map(({ id, seconds, createdMs }) => {
        const action = changePath(repository, issue, `times/${id}/delete`);
        const text = timeText(seconds);
        return h("li", null, text, " ", h(Day, { ms: createdMs }), " ", h(Act, { action, formToken, label: texts.removeTime, of: text }));
      }),
    ),
  );
}

function News({ repository, issue, formToken, side }: PlannedFacts & { readonly side: SideFacts }): Html {
  const { tracking: texts } = useTexts();
  const isOn = side.isSubscribed === true;
  return [
    h("h2", null, texts.news),
    h("p", { class: "soft" }, isOn ? texts.isSubscribed : texts.isNotSubscribed),
    h(Act, {
      action: changePath(repository, issue, "subscription"),
      formToken,
      label: isOn ? texts.unsubscribe : texts.subscribe,
      hidden: { wanted: String(!isOn) },
    }),
  ];
}

function More({ repository, issue, formToken, side }: PlannedFacts & { readonly side: SideFacts }): Html {
  const { tracking: texts } = useTexts();
  const isPinned = issue.pinOrder > 0;
  return [
    h("h2", null, texts.more),
    h(
      "div",
      { class: "bar" },
      side.canModerate &&
        issue.isLocked &&
        h(Act, { action: changePath(repository, issue, "lock"), formToken, label: texts.unlock, hidden: { wanted: "false" } }),
      side.canModerate &&
        h(Act, { action: changePath(repository, issue, "pin"), formToken, label: isPinned ? texts.unpin : texts.pin, hidden: { wanted: String(!isPinned) } }),
    ),
    side.canModerate && !issue.isLocked && h(Folded, { title: texts.lock }, h(LockForm, { repository, issue, formToken })),
  ];
}
