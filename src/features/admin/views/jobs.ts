import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Moment } from "../../../ui/time.ts";
import { jobStates } from "../job-states.ts";
import type { JobView } from "../view.ts";

export interface JobsFacts {
  readonly path: string;
  readonly state: JobView["state"];
  readonly counts: Readonly<Record<JobView["state"], number>>;
  readonly jobs: readonly JobView[];
  readonly total: number;
  readonly page: Page;
  readonly formToken: string;
}

/** Jobs of one state, and how many there are of the others. */
export function JobsView({ path, state, counts, jobs, total, page, formToken }: JobsFacts): Html {
  const { jobs: texts } = useTexts().administration;
  return [
    h("p", { class: "soft" }, texts.intro),
    h("div", { class: "bar" }, h(States, { path, state, counts })),
    jobs.length === 0 && h(Empty, { icon: "check-circle", title: texts.none[state] }),
    h(
      Rows,
      null,
      jobs.map((job) => h(Row, { action: job.state === "failed" && h(Decide, { path, job, formToken }) }, h(Line, { job }))),
    ),
    h(Pager, { path, query: { state: state === "failed" ? undefined : state }, page, total }),
  ];
}

function States({ path, state, counts }: Pick<JobsFacts, "path" | "state" | "counts">): Html {
  const { jobs: texts, sections } = useTexts().administration;
  return h(
    "nav",
    { class: "switch", "aria-label": sections.jobs },
    jobStates.map((one) =>
      h(
        "a",
        { href: withQuery(path, { state: one === "failed" ? undefined : one }), ...(one === state && { "aria-current": "page" }) },
        texts.states[one],
        " ",
        h("span", { class: "badge" }, counts[one]),
      ),
    ),
  );
}

function Line({ job: { id, kind, state, attempts, runAtMs, createdMs, lastError } }: { readonly job: JobView }): Html {
  const { jobs: texts } = useTexts().administration;
  return [
    h("code", null, kind),
    h("span", { class: "soft" }, ` #${id}`),
    h(
      "div",
      { class: "soft" },
      texts.made,
      " ",
      h(Moment, { ms: createdMs }),
      attempts > 0 && `, ${texts.tries(attempts)}`,
      state === "waiting" && (runAtMs === 0 ? `, ${texts.atOnce}` : [`, ${texts.due} `, h(Moment, { ms: runAtMs })]),
    ),
    lastError !== null && lastError !== "" && h("div", { class: "wrong" }, lastError),
  ];
}

function Decide({ path, job, formToken }: { readonly path: string; readonly job: JobView; readonly formToken: string }): Html {
  const { jobs: texts } = useTexts().administration;
  const of = texts.of(job.kind, job.id);
  return h(
    "div",
    { class: "end" },
    h(Do, { action: `${path}/${job.id}/retry`, formToken, label: texts.retry, of }),
    h(Do, { action: `${path}/${job.id}/drop`, formToken, label: texts.drop, of, isDanger: true }),
  );
}
