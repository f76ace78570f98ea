import type { Page } from "../../../../core/paging.ts";
import { accountPath, commitPath, type RepositoryName, repositoryPath } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Choice, Field } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago, Moment } from "../../../../ui/time.tsx";
import { MistakeText } from "../../../../ui/workflow-mistakes.tsx";
import type { Artifact } from "../artifacts/model.ts";
import { Artifacts } from "../artifacts/views.tsx";
import { type JobRow, type RunRow, refName, type TaskRow } from "../model.ts";
import { type ShownSummary, Summaries } from "../summaries/views.tsx";
import { runTexts } from "../texts/texts.ts";

export const runsPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/actions`;
export const cachesPath = (repository: RepositoryName): string => `${runsPath(repository)}/caches`;
export const runPath = (repository: RepositoryName, id: number, below = ""): string => `${runsPath(repository)}/runs/${id}${below}`;

type State = RunRow["status"] | JobRow["status"] | NonNullable<RunRow["result"]>;

const icons: Readonly<Record<Exclude<State, "done">, readonly [IconName, string]>> = {
  waiting: ["clock", "soft"],
  queued: ["clock", "soft"],
  blocked: ["clock", "soft"],
  running: ["sync", "soft"],
  success: ["check-circle", "good"],
  failure: ["x-circle", "bad"],
  cancelled: ["circle-slash", "soft"],
  skipped: ["skip", "soft"],
};

export const stateOf = ({ status, result }: { readonly status: State; readonly result: RunRow["result"] }): Exclude<State, "done"> =>
  (status === "done" ? (result ?? "success") : status) as Exclude<State, "done">;

export function StateMark({ of }: { readonly of: Parameters<typeof stateOf>[0] }): Html {
  const { states } = useTexts(runTexts);
  const state = stateOf(of);
  const [icon, kind] = icons[state];
  return (
    <span class={`run-state ${kind}`} title={states[state]}>
      <Icon name={icon} />
      <span class="hidden">{states[state]}</span>
    </span>
  );
}

/** The filters of the list of runs; empty: none. */
export interface PageFilter {
  readonly workflow: string;
  readonly state: string;
  readonly event: string;
  readonly branch: string;
}

/** The states and events that the list can be filtered by. */
const shownStates = ["success", "failure", "cancelled", "skipped", "waiting", "queued", "running"] as const;
const shownEvents = [
  "push",
  "pull_request",
  "pull_request_target",
  "pull_request_review",
  "workflow_dispatch",
  "schedule",
  "workflow_run",
  "release",
  "issues",
  "issue_comment",
  "create",
  "delete",
  "fork",
  "label",
  "milestone",
  "status",
];

export interface RunsProps {
  readonly repository: RepositoryName;
  readonly runs: readonly RunRow[];
  readonly total: number;
  readonly page: Page;
  readonly workflows: readonly (readonly [file: string, name: string])[];
  readonly filter: PageFilter;
  readonly actors: ReadonlyMap<number, string>;
  readonly now: number;
}

export interface RunActionsProps extends Pick<RunsProps, "repository"> {
  /** The chosen workflow; empty for all. */
  readonly workflow: string;
  /** The workflows that the reader can start, by file. */
  readonly startable: ReadonlyMap<string, string>;
}

/** The caches, and the forms that start workflows. */
export const RunActions = (props: RunActionsProps): Html => (
  <>
    <a class="button" href={cachesPath(props.repository)}>
      {useTexts(runTexts).caches.title}
    </a>
    <Start {...props} />
  </>
);

export const workflowPath = (repository: RepositoryName, file: string, below: "run" | "dispatches"): string =>
  `${runsPath(repository)}/workflows/${encodeURIComponent(file)}/${below}`;

/** The runs of a repository, newest first. */
export function RunsView({ repository, runs, total, page, workflows, filter, actors, now }: RunsProps): Html {
  const texts = useTexts(runTexts);
  const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
  const isFiltered = Object.keys(chosen).length > 0;
  return (
    <>
      {(workflows.length > 0 || total > 0 || isFiltered) && (
        <form class="find" action={runsPath(repository)}>
          <Choice name="workflow" label={texts.filterByWorkflow} value={filter.workflow} options={[["", texts.all], ...workflows]} />
          <Choice
            name="state"
            label={texts.filterByState}
            value={filter.state}
            options={[["", texts.allStates], ...shownStates.map((state) => [state, texts.states[state]] as const)]}
          />
          <Choice
            name="event"
            label={texts.filterByEvent}
            value={filter.event}
            options={[["", texts.allEvents], ...shownEvents.map((event) => [event, event] as const)]}
          />
          <Field name="branch" label={texts.filterByBranch} value={filter.branch} autocomplete="off" isOptional />
          <button type="submit">{texts.show}</button>
        </form>
      )}
      {total === 0 ? (
        <Empty icon="play" title={isFiltered ? texts.noneFound : texts.none}>
          <p>{isFiltered ? <a href={runsPath(repository)}>{texts.showAll}</a> : texts.noneHint}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{texts.runs(total)}</p>
          <Rows>
            {runs.map((run) => (
              <Row
                action={
                  <span class="soft">
                    <Ago ms={run.createdMs} now={now} />
                  </span>
                }
              >
                <StateMark of={run} /> <a href={runPath(repository, run.id)}>{run.title || run.workflowName}</a>
                <RunDetails run={run} actor={run.actorId === null ? undefined : actors.get(run.actorId)} />
              </Row>
            ))}
          </Rows>
          <Pager path={runsPath(repository)} query={chosen} page={page} total={total} />
        </>
      )}
    </>
  );
}

/** Links to the forms that start workflows: to the chosen one, or to all. */
function Start({ repository, startable, workflow }: RunActionsProps): Html {
  const texts = useTexts(runTexts);
  if (startable.size === 0) return null;
  if (startable.has(workflow)) {
    return (
      <a class="button" href={workflowPath(repository, workflow, "run")}>
        <Icon name="play" /> {texts.run.title}
      </a>
    );
  }
  return (
    <details class="menu">
      <summary class="button">
        <Icon name="play" /> {texts.run.title} <Icon name="triangle-down" />
      </summary>
      <div class="sheet">
        {[...startable].map(([file, name]) => (
          <a href={workflowPath(repository, file, "run")} dir="auto">
            {name}
          </a>
        ))}
      </div>
    </details>
  );
}

function RunDetails({ run, actor }: { readonly run: RunRow; readonly actor: string | undefined }): Html {
  const texts = useTexts(runTexts);
  const details = [run.workflowName, texts.number(run.number), texts.trigger(run.trigger), texts.on(refName(run.ref))];
  return (
    <div class="soft">
      {[...details, ...(run.attempt > 1 ? [texts.attempt(run.attempt)] : [])].join(" · ")}
      {actor !== undefined && (
        <>
          {" · "}
          <a href={accountPath(actor)}>{texts.by(actor)}</a>
        </>
      )}
    </div>
  );
}

export interface RunProps {
  readonly repository: RepositoryName;
  readonly run: RunRow;
  readonly actor: string | undefined;
  readonly jobs: readonly JobRow[];
  readonly tasks: ReadonlyMap<number, TaskRow>;
  readonly artifacts: readonly Artifact[];
  readonly summaries: readonly ShownSummary[];
  readonly now: number;
  /** Undefined: the reader may not change the run. */
  readonly formToken: string | undefined;
}

export function RunView({ repository, run, actor, jobs, tasks, artifacts, summaries, now, formToken }: RunProps): Html {
  const texts = useTexts(runTexts);
  const act = (name: string) => runPath(repository, run.id, `/${name}`);
  const of = texts.number(run.number);
  const hasFailed = jobs.some(({ result }) => result === "failure" || result === "cancelled");
  return (
    <>
      <div class="run-head">
        <StateMark of={run} /> <strong>{texts.states[stateOf(run)]}</strong>
        <RunDetails run={run} actor={actor} />
        <div class="soft">
          <a href={commitPath(repository, run.oid)}>
            <code>{run.oid.slice(0, 10)}</code>
          </a>{" "}
          <Moment ms={run.createdMs} />
        </div>
      </div>
      {run.needsApproval && run.status === "waiting" && <p class="notice">{texts.approvalNeeded}</p>}
      {formToken !== undefined && (
        <div class="actions">
          {run.needsApproval && run.status === "waiting" && <Do action={act("approve")} formToken={formToken} label={texts.approve} of={of} />}
          {run.status !== "done" && <Do action={act("cancel")} formToken={formToken} label={texts.cancel} of={of} isDanger isReversible />}
          {run.status === "done" && jobs.length > 0 && <Do action={act("rerun")} formToken={formToken} label={texts.rerun} of={of} />}
          {run.status === "done" && hasFailed && (
            <Do action={act("rerun")} formToken={formToken} label={texts.rerunFailed} of={of} hidden={{ which: "failed" }} />
          )}
          {run.status === "done" && <Do action={act("delete")} formToken={formToken} label={texts.delete} of={of} isDanger />}
        </div>
      )}
      {run.problems.length > 0 && (
        <section class="notice">
          <h2>{texts.problems}</h2>
          <ul>
            {run.problems.map((problem) => (
              <li>
                {problem.line === undefined ? run.workflowPath : texts.problemAt(run.workflowPath, problem.line, problem.column ?? 1)}:{" "}
                <MistakeText {...problem} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {jobs.length > 0 && (
        <section>
          <h2>{texts.jobs}</h2>
          <div class="job-graph">
            {stagesOf(jobs.filter(({ parentId }) => parentId === null)).map((stage) => (
              <Rows>
                {stage.flatMap(withCalled(jobs)).map((job) => (
                  <Row action={<Duration of={job} now={now} />}>
                    <StateMark of={job} /> {job.call === null ? <a href={runPath(repository, run.id, `/jobs/${job.id}`)}>{job.name}</a> : job.name}
                    <JobDetails job={job} task={tasks.get(job.id)} />
                  </Row>
                ))}
              </Rows>
            ))}
          </div>
        </section>
      )}
      <Artifacts base={act("artifacts")} artifacts={artifacts} now={now} formToken={formToken} />
      <Summaries summaries={summaries} pathOf={({ id }) => act(`jobs/${id}`)} />
    </>
  );
}

/** Jobs by the number of jobs that have to end before them, one after another. */
export function stagesOf(jobs: readonly Pick<JobRow, "key" | "needs">[]): readonly (readonly JobRow[])[] {
  const needsOf = new Map(jobs.map(({ key, needs }) => [key, needs]));
  const stages = new Map<string, number>();
  const stageOf = (key: string): number => {
    const known = stages.get(key);
    if (known !== undefined) return known;
    // The file was checked for cycles. This value ends the search in any case.
    stages.set(key, 0);
    const stage = Math.max(-1, ...(needsOf.get(key) ?? []).map(stageOf)) + 1;
    stages.set(key, stage);
    return stage;
  };
  return Object.values(Object.groupBy(jobs as readonly JobRow[], ({ key }) => stageOf(key))).map((stage) => stage ?? []);
}

/** A job, and below a call the jobs of its workflow. */
const withCalled =
  (jobs: readonly JobRow[]) =>
  (job: JobRow): readonly JobRow[] => [
    job,
    ...stagesOf(jobs.filter(({ parentId }) => parentId === job.id))
      .flat()
      .flatMap(withCalled(jobs)),
  ];

export interface JobDetailsProps {
  readonly job: JobRow;
  readonly task: TaskRow | undefined;
  /** The page shows the state elsewhere. */
  readonly withoutState?: boolean;
}

export function JobDetails({ job, task, withoutState = false }: JobDetailsProps): Html {
  const texts = useTexts(runTexts);
  const details = [
    ...(withoutState ? [] : [texts.states[stateOf(job)]]),
    ...(job.call === null ? [] : [texts.calls(job.call.path)]),
    ...(job.needs.length === 0 ? [] : [texts.needs(job.needs.join(", "))]),
    ...(job.environment === "" ? [] : [texts.environment(job.environment)]),
    ...(job.status === "waiting" ? [texts.waitsFor(job.labels.join(", "))] : []),
    ...(task === undefined ? [] : [texts.runner(task.runnerName)]),
  ];
  return <div class="soft">{details.join(" · ")}</div>;
}

export function Duration({ of: { startedMs, stoppedMs }, now }: { readonly of: Pick<JobRow, "startedMs" | "stoppedMs">; readonly now: number }): Html {
  const texts = useTexts(runTexts);
  return startedMs === null ? null : <span class="soft">{texts.duration(Math.max(0, Math.round(((stoppedMs ?? now) - startedMs) / 1_000)))}</span>;
}
