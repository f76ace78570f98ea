import { accountPath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { Faces } from "../../../../../ui/avatar.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { LabelChip } from "../../../../../ui/labels.tsx";
import { fill } from "../../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import type { IssueView } from "../../model.ts";
import { bulkFormId } from "../../planning/views/bulk.tsx";
import type { TaskCount, TaskProgress } from "../../tasks/service/progress.ts";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { StateIcon } from "../../views/state.tsx";
import { quoted } from "../query-language.ts";

export interface IssueRowsProps {
  readonly issues: readonly IssueView[];
  /** The list has issues of several repositories, and names them. */
  readonly showsRepository?: boolean;
  /** Selected issues; undefined without checkboxes. */
  readonly chosen?: readonly number[] | undefined;
  readonly progress: TaskProgress;
  /** At the end of the row. */
  readonly actionsOf?: (issue: IssueView) => Html;
  readonly now: number;
}

/** Issues and pull requests, one per row. */
export const IssueRows = ({ issues, ...props }: IssueRowsProps): Html => (
  <ul class="list issues">
    {issues.map((issue) => (
      <Row issue={issue} {...props} />
    ))}
  </ul>
);

type RowProps = Omit<IssueRowsProps, "issues"> & { readonly issue: IssueView };

function Row({ issue, showsRepository = false, chosen, progress, actionsOf, now }: RowProps): Html {
  const texts = useTexts(issueTexts);
  const tracking = useTexts(planningTexts);
  const { place, labels } = issue;
  const repository: RepositoryName = { ownerName: place.ownerName, name: place.name };
  const search = (query: string): string => withQuery(`${repositoryPath(repository)}/${issue.isPull ? "pulls" : "issues"}`, { q: `is:open ${query}` });
  return (
    <li>
      {chosen !== undefined && (
        <input
          class="tick-box"
          type="checkbox"
          name="numbers"
          value={issue.number}
          form={bulkFormId}
          checked={chosen.includes(issue.number)}
          aria-label={tracking.bulk.tick(issue.number)}
        />
      )}
      <StateIcon issue={issue} />
      <div class="what">
        <h2>
          <a href={(issue.isPull ? pullPath : issuePath)(repository, issue.number)} dir="auto">
            {issue.title}
          </a>
          {labels.map(({ name, color }) => (
            <LabelChip name={name} color={color} href={search(`label:${quoted(name)}`)} />
          ))}
        </h2>
        <Meta issue={issue} repository={repository} showsRepository={showsRepository} tasks={progress.get(issue.id)} now={now} />
      </div>
      <div class="aside">
        <Faces people={issue.assignees} label={texts.assignees} />
        {issue.commentsCount > 0 && (
          <span title={texts.comments(issue.commentsCount)}>
            <Icon name="comment" /> {issue.commentsCount} <span class="hidden">{texts.comments(issue.commentsCount)}</span>
          </span>
        )}
        {actionsOf?.(issue)}
      </div>
    </li>
  );
}

interface MetaProps {
  readonly issue: IssueView;
  readonly repository: RepositoryName;
  readonly showsRepository: boolean;
  readonly tasks: TaskCount | undefined;
  readonly now: number;
}

function Meta({ issue, repository, showsRepository, tasks, now }: MetaProps): Html {
  const texts = useTexts(issueTexts);
  const { poster, originalAuthor, milestone, number } = issue;
  return (
    <div class="meta">
      <span>
        {showsRepository && <a href={repositoryPath(repository)}>{`${repository.ownerName}/${repository.name}`}</a>}
        {`#${number} `}
        {fill<Html>(texts.openedBy, {
          author: poster === undefined ? originalAuthor || texts.gone : <a href={accountPath(poster.name)}>{poster.name}</a>,
          when: <Ago ms={issue.createdMs} now={now} />,
        })}
      </span>
      {milestone !== undefined && (
        <a href={`${repositoryPath(repository)}/milestone/${milestone.id}`}>
          <Icon name="milestone" /> <span dir="auto">{milestone.title}</span>
        </a>
      )}
      {tasks !== undefined && (
        <span>
          <Icon name="tasklist" /> {texts.tasks(tasks.done, tasks.total)}
        </span>
      )}
    </div>
  );
}
