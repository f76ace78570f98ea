import { type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Do } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { JobRow, LogLine, RunRow, Step, TaskRow } from "../model.ts";
import { type ShownSummary, Summaries } from "../summaries/views.tsx";
import { runTexts } from "../texts/texts.ts";
import { LogSearchForm } from "./log-search.tsx";
import { commandOf, lineHtml } from "./log-text.ts";
import { Duration, JobDetails, runPath, StateMark, stateOf } from "./runs.tsx";

export interface JobProps {
  readonly repository: RepositoryName;
  readonly run: RunRow;
  readonly job: JobRow;
  readonly task: TaskRow | undefined;
  readonly lines: readonly LogLine[];
  readonly firstRow: number;
  /** Where the next lines begin; undefined: these are the last ones. */
  readonly nextRow: number | undefined;
  readonly summaries: readonly ShownSummary[];
  readonly now: number;
  readonly formToken: string | undefined;
}

/** A job with its log. */
export function JobView(props: JobProps): Html {
  const { repository, run, job, task, lines, firstRow, nextRow, summaries, now, formToken } = props;
  const texts = useTexts(runTexts);
  const own = runPath(repository, run.id, `/jobs/${job.id}`);
  const isLive = job.status === "running" && nextRow === undefined;
  return (
    <>
      <p>
        <a href={runPath(repository, run.id)}>{texts.back(run.number)}</a>
      </p>
      <div class="run-head">
        <StateMark of={job} /> <strong>{texts.states[stateOf(job)]}</strong> <Duration of={job} now={now} />
        <JobDetails job={job} task={task} withoutState />
      </div>
      {formToken !== undefined && run.status === "done" && (
        <div class="actions">
          <Do action={`${own}/rerun`} formToken={formToken} label={texts.rerunJob} of={job.name} />
        </div>
      )}
      <section class="log">
        <h2>{texts.log}</h2>
        {task !== undefined && task.logRows > 0 && <LogSearchForm own={own} />}
        {lines.length === 0 && <p class="soft no-lines">{job.status === "done" ? texts.noLogKept : texts.noLog}</p>}
        {(lines.length > 0 || isLive) && (
          <p class="bar">
            <a href={`${own}/logs`}>{texts.download}</a>
            <label class="tick">
              <input type="checkbox" class="with-times" /> {texts.showTimes}
            </label>
          </p>
        )}
        {isLive ? (
          <>
            <ol
              class="run-log"
              start={firstRow + 1}
              data-live={withQuery(`${own}/events`, { from: firstRow + lines.length })}
              dangerouslySetInnerHTML={{ __html: lines.map((line, at) => lineHtml(line, firstRow + at)).join("") }}
            />
            <noscript>
              <p class="soft">{texts.reload}</p>
            </noscript>
          </>
        ) : (
          <Sections {...props} />
        )}
        {nextRow !== undefined && <a href={withQuery(own, { from: nextRow })}>{texts.further}</a>}
      </section>
      <Summaries summaries={summaries} pathOf={() => own} />
    </>
  );
}

/** A part of a log: a step, or the lines before and after all steps. */
interface LogSection {
  readonly step: Step | undefined;
  readonly firstRow: number;
  readonly lines: readonly LogLine[];
}

/** Splits lines by the steps that wrote them. */
export function sectionsOf(steps: readonly Step[], lines: readonly LogLine[], firstRow: number): readonly LogSection[] {
  const stepOf = (row: number): Step | undefined => steps.find(({ logIndex, logLength }) => row >= logIndex && row < logIndex + logLength);
  const sections: { step: Step | undefined; firstRow: number; lines: LogLine[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const step = stepOf(firstRow + at);
    const last = sections.at(-1);
    if (last !== undefined && last.step === step) last.lines.push(line);
    else sections.push({ step, firstRow: firstRow + at, lines: [line] });
  }
  return sections;
}

function Sections({ job, task, lines, firstRow }: JobProps): Html {
  const texts = useTexts(runTexts);
  const sections = sectionsOf(task?.steps ?? [], lines, firstRow);
  if (sections.every(({ step }) => step === undefined)) return lines.length > 0 && <Lines firstRow={firstRow} lines={lines} />;
  return (
    <>
      {sections.map((section, at) => {
        const { step } = section;
        const name = step === undefined ? (at === 0 ? texts.setUp : texts.complete) : (job.stepNames[step.id] ?? texts.step(step.id + 1));
        const hasFailed = step?.result === "failure";
        return (
          <details class="log-step" {...((hasFailed || sections.length === 1) && { open: true })}>
            <summary>
              {step !== undefined && <StateMark of={{ status: step.result === null ? "running" : "done", result: step.result }} />}
              <span dir="auto">{name}</span>
              {step !== undefined && <Duration of={step} now={step.stoppedMs ?? step.startedMs ?? 0} />}
            </summary>
            <Lines {...section} />
          </details>
        );
      })}
    </>
  );
}

/** Lines in their groups. */
const Lines = ({ firstRow, lines }: Omit<LogSection, "step">): Html => (
  <ol class="run-log" start={firstRow + 1} dangerouslySetInnerHTML={{ __html: groupedHtml(lines, firstRow) }} />
);

/** Each group is an entry that can be collapsed; an unfinished one ends with the lines. Groups do not nest, as in GitHub. */
export function groupedHtml(lines: readonly LogLine[], firstRow: number): string {
  let html = "";
  let isInGroup = false;
  const close = (): void => {
    if (isInGroup) html += "</ol></details></li>";
    isInGroup = false;
  };
  for (const [at, line] of lines.entries()) {
    const { kind } = commandOf(line[1]);
    if (kind === "endgroup") {
      close();
      continue;
    }
    if (kind === "group") close();
    const item = lineHtml(line, firstRow + at);
    if (kind === "group") {
      html += `${item.replace(/<span>(.*)<\/span><\/li>$/s, "<details><summary>$1</summary><ol>")}`;
      isInGroup = true;
    } else html += item;
  }
  close();
  return html;
}
