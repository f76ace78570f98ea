import { moves } from "../../../../core/move-in-list.ts";
import type { Page } from "../../../../core/paging.ts";
import { type RepositoryName, repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { Rendered } from "../../../../ui/rendered.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import { milestoneTexts } from "../../milestones/texts/texts.ts";
import type { IssueView } from "../model.ts";
import { quoted } from "../search/query-language.ts";
import { IssueRows } from "../search/views/issue-rows.tsx";
import type { TaskProgress } from "../tasks/service/progress.ts";
import { issueTexts, planningTexts } from "../texts/texts.ts";
import type { MilestonePlan } from "./model.ts";

export interface MilestonePageProps extends MilestonePlan {
  readonly repository: RepositoryName;
  /** The rendered description. */
  readonly html: string;
  readonly isClosed: boolean;
  readonly page: Page;
  readonly canChange: boolean;
  /** For the forms that change the order; undefined if the reader cannot. */
  readonly orderToken: string | undefined;
  readonly progress: TaskProgress;
  readonly now: number;
}

/** A milestone with its progress and its issues, which users who can write them put into an order. */
export function MilestonePage(props: MilestonePageProps): Html {
  const { repository, milestone, counts, html, isClosed, issues, page, now } = props;
  const words = useTexts(issueTexts);
  const path = milestonePath(repository, milestone.id);
  const total = isClosed ? counts.closed : counts.open;
  return (
    <>
      <Head {...props} />
      {html !== "" && (
        <div class="milestone-text">
          <Rendered html={html} />
        </div>
      )}
      <section class="box">
        <header class="list-header">
          <nav class="switch" aria-label={words.states}>
            {([false, true] as const).map((one) => (
              <a href={withQuery(path, { state: one ? "closed" : undefined })} {...(one === isClosed && { "aria-current": "page" })}>
                {one ? words.closed : words.open}
                <span class="counter">{words.countOf(one ? counts.closed : counts.open)}</span>
              </a>
            ))}
          </nav>
        </header>
        {issues.length === 0 ? (
          <Nothing {...props} />
        ) : (
          <IssueRows issues={issues} progress={props.progress} now={now} actionsOf={(issue) => <Moves {...props} issue={issue} />} />
        )}
      </section>
      <Pager path={path} query={{ state: isClosed ? "closed" : undefined }} page={page} total={total} />
    </>
  );
}

const milestonePath = (repository: RepositoryName, id: number): string => `${repositoryPath(repository)}/milestone/${id}`;

/** State, due date and progress. */
function Head({ repository, milestone, counts, canChange, now }: MilestonePageProps): Html {
  const texts = useTexts(milestoneTexts);
  const { milestonePage: words } = useTexts(planningTexts);
  const { forms } = useTexts(sharedTexts);
  const { id, title, dueMs, isClosed } = milestone;
  const { open, closed } = counts;
  const isLate = !isClosed && dueMs !== null && dueMs < now;
  return (
    <>
      <div class="bar">
        <span class={`state-badge ${isClosed ? "closed" : "open"}`}>
          <Icon name="milestone" /> {isClosed ? texts.closed : texts.open}
        </span>
        <span class="soft">
          {dueMs === null ? (
            words.noDate
          ) : (
            <span class={isLate ? "wrong" : undefined}>
              {isLate ? texts.wasDueOn : texts.dueOn} <Day ms={dueMs} />
            </span>
          )}
        </span>
        <span class="end">
          <a class="button" href={withQuery(`${repositoryPath(repository)}/issues`, { q: `is:open milestone:${quoted(title)}` })}>
            <Icon name="search" /> {words.search}
          </a>
          {canChange && (
            <a class="button" href={`${repositoryPath(repository)}/milestones/${id}`}>
              {forms.edit}
            </a>
          )}
        </span>
      </div>
      <progress max={Math.max(1, open + closed)} value={closed} aria-label={texts.progress(open, closed)} />
      <p class="soft">{texts.progress(open, closed)}</p>
    </>
  );
}

function Nothing({ isClosed, milestone, counts }: MilestonePageProps): Html {
  const { milestonePage: texts } = useTexts(planningTexts);
  const isDone = !isClosed && counts.closed > 0;
  return (
    <Empty icon="milestone" title={isDone ? texts.allDone : texts.none}>
      <p>{isDone && !milestone.isClosed ? texts.closeIt : texts.howTo}</p>
    </Empty>
  );
}

/** A menu that moves an open issue within the milestone. */
function Moves({ repository, milestone, isClosed, orderToken, issue }: MilestonePageProps & { readonly issue: IssueView }): Html {
  const { milestonePage: texts } = useTexts(planningTexts);
  if (orderToken === undefined || isClosed) return null;
  const label = `${texts.move}: ${issue.title}`;
  return (
    <details class="menu" id={`move-${issue.number}`}>
      <summary title={texts.move}>
        <Icon name="kebab-horizontal" label={label} />
      </summary>
      <div class="sheet">
        <form method="post" action={`${milestonePath(repository, milestone.id)}/order`}>
          <FormToken value={orderToken} />
          <input type="hidden" name="number" value={String(issue.number)} />
          {moves.map((move) => (
            <button type="submit" name="to" value={move}>
              {texts.moves[move]}
            </button>
          ))}
        </form>
      </div>
    </details>
  );
}
