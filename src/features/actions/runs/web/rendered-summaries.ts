import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../site/markup/repository-texts.ts";
import type { JobRow, RunRow } from "../model.ts";
import { summariesOf } from "../summaries/service.ts";
import type { ShownSummary } from "../summaries/views.tsx";

/** The summaries of jobs as HTML. Relative addresses lead to the files of the commit. */
export async function renderSummaries(
  deps: RepositoryTextDeps & { readonly db: Reader },
  { actor, repository: place }: { readonly actor: Actor; readonly repository: RepositorySubject },
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<readonly ShownSummary[]> {
  const summaries = await summariesOf(deps, jobs);
  const texts = summaries.flatMap((summary) => summary.texts ?? []);
  const html = await renderTexts(deps, actor, place, texts, `commit/${run.oid}`);
  let at = 0;
  return summaries.map(({ job, texts: own }) => ({ job, html: own?.map(() => html[at++] ?? "") }));
}
