import type { Html } from "../../../../ui/html.ts";
import { Rendered } from "../../../../ui/rendered.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { JobRow } from "../model.ts";
import { runTexts } from "../texts/texts.ts";

/** The summaries of a job as sanitized HTML, by step. */
export interface ShownSummary {
  readonly job: Pick<JobRow, "id" | "name">;
  /** Undefined: only the page of the job shows them. */
  readonly html: readonly string[] | undefined;
}

interface SummariesProps {
  readonly summaries: readonly ShownSummary[];
  /** The address of the page of a job. */
  readonly pathOf: (job: ShownSummary["job"]) => string;
}

/** The texts that the steps of jobs wrote for readers of the run. */
export function Summaries({ summaries, pathOf }: SummariesProps): Html {
  const { summaries: texts } = useTexts(runTexts);
  if (summaries.length === 0) return null;
  return (
    <section id="summary">
      <h2>{texts.title}</h2>
      {summaries.map(({ job, html }) => (
        <section class="box">
          <header>
            <h3>
              <a href={pathOf(job)} dir="auto">
                {job.name}
              </a>
            </h3>
          </header>
          {html === undefined ? (
            <p>
              <a href={`${pathOf(job)}#summary`}>{texts.further(job.name)}</a>
            </p>
          ) : (
            <div class="within">
              {html.map((text) => (
                <Rendered html={text} />
              ))}
            </div>
          )}
        </section>
      ))}
    </section>
  );
}
