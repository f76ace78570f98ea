import type { Page } from "../../../../core/paging.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { jobStates } from "../job-states.ts";
import type { JobView } from "../model.ts";
import { adminTexts } from "../texts/texts.ts";

export interface JobsProps {
  readonly path: string;
  readonly state: JobView["state"];
  readonly counts: Readonly<Record<JobView["state"], number>>;
  readonly jobs: readonly JobView[];
  readonly total: number;
  readonly page: Page;
  readonly formToken: string;
}

export function JobsView({ path, state, counts, jobs, total, page, formToken }: JobsProps): Html {
  const texts = useTexts(adminTexts).jobs;
  return (
    <>
      <p class="soft">{texts.intro}</p>
      <div class="bar">
        <States path={path} state={state} counts={counts} />
      </div>
      {jobs.length === 0 && <Empty icon="check-circle" title={texts.none[state]} />}
      <Rows>
        {jobs.map((job) => (
          <Row action={job.state === "failed" && <Decide path={path} job={job} formToken={formToken} />}>
            <Line job={job} />
          </Row>
        ))}
      </Rows>
      <Pager path={path} query={{ state: state === "failed" ? undefined : state }} page={page} total={total} />
    </>
  );
}

function States({ path, state, counts }: Pick<JobsProps, "path" | "state" | "counts">): Html {
  const texts = useTexts(adminTexts).jobs;
  const sections = useTexts(sharedTexts).settings.administration.sections;
  return (
    <nav class="switch" aria-label={sections.jobs}>
      {jobStates.map((one) => (
        <a href={withQuery(path, { state: one === "failed" ? undefined : one })} {...(one === state && { "aria-current": "page" })}>
          {texts.states[one]} <span class="badge">{counts[one]}</span>
        </a>
      ))}
    </nav>
  );
}

function Line({ job: { id, kind, state, attempts, runAtMs, createdMs, lastError } }: { readonly job: JobView }): Html {
  const texts = useTexts(adminTexts).jobs;
  return (
    <>
      <code>{kind}</code>
      <span class="soft">{` #${id}`}</span>
      <div class="soft">
        {texts.made} <Moment ms={createdMs} />
        {attempts > 0 && `, ${texts.tries(attempts)}`}
        {state === "waiting" &&
          (runAtMs === 0 ? (
            `, ${texts.atOnce}`
          ) : (
            <>
              {`, ${texts.due} `}
              <Moment ms={runAtMs} />
            </>
          ))}
      </div>
      {lastError !== null && lastError !== "" && (
        <>
          <div class="wrong">{state === "failed" ? texts.gaveUp : texts.lastTryFailed}</div>
          <Technical message={lastError} isOpen />
        </>
      )}
    </>
  );
}

function Decide({ path, job, formToken }: { readonly path: string; readonly job: JobView; readonly formToken: string }): Html {
  const texts = useTexts(adminTexts).jobs;
  const of = texts.of(job.kind, job.id);
  return (
    <div class="end">
      <Do action={`${path}/${job.id}/retry`} formToken={formToken} label={texts.retry} of={of} />
      <Do action={`${path}/${job.id}/drop`} formToken={formToken} label={texts.drop} of={of} isDanger />
    </div>
  );
}
