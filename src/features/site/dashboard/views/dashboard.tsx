import { repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { IssueRows } from "../../../collaboration/issues/search/views/issue-rows.tsx";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { ActivityList } from "../../activities/views/activity-list.tsx";
import { type DashboardView, type Waiting, waitingKinds } from "../model.ts";
import { dashboardTexts } from "../texts/texts.ts";

export interface DashboardProps extends DashboardView {
  readonly name: string;
  readonly now: number;
}

/** Pending items first, then activity, with the user's repositories at the side. */
export function DashboardPage(props: DashboardProps): Html {
  const { repositories, activities, now } = props;
  const texts = useTexts(dashboardTexts);
  const isNew = repositories.total === 0 && activities.length === 0;
  return (
    <div class="columns">
      <div>
        {isNew && <FirstSteps name={props.name} />}
        <WaitingList {...props} />
        {!isNew && (
          <>
            <h2>{texts.activity}</h2>
            {activities.length === 0 ? <p class="soft">{texts.quiet}</p> : <ActivityList activities={activities} now={now} />}
          </>
        )}
      </div>
      <Repositories repositories={repositories.items} total={repositories.total} name={props.name} />
    </div>
  );
}

function WaitingList({ waiting, newsCount, now }: DashboardProps): Html {
  const texts = useTexts(dashboardTexts);
  const present = waiting.filter(({ total }) => total > 0);
  return (
    <>
      <div class="bar">
        <h2>{texts.waiting}</h2>
        {newsCount > 0 && (
          <a class="button end" href="/notifications">
            <Icon name="inbox" />
            {texts.news(newsCount)}
          </a>
        )}
      </div>
      {present.length === 0 && (
        <p class="soft">
          <Icon name="check" /> {texts.nothingWaits}
        </p>
      )}
      {present.map((one) => (
        <WaitingBox {...one} now={now} />
      ))}
    </>
  );
}

function WaitingBox({ kind, issues, total, now }: Waiting & { readonly now: number }): Html {
  const texts = useTexts(dashboardTexts);
  const { kind: listed, typed } = waitingKinds[kind];
  return (
    <section class="box waiting">
      <header>
        <h3>{texts.sections[kind]}</h3>
        <span class="counter">{total}</span>
        {total > issues.length && (
          <span class="end">
            <a href={withQuery(`/${listed}`, { q: typed })}>{texts.all}</a>
          </span>
        )}
      </header>
      <IssueRows issues={issues} now={now} showsRepository />
    </section>
  );
}

const steps: readonly (readonly ["repository" | "key" | "explore", IconName, string])[] = [
  ["repository", "repo", "/repo/create"],
  ["key", "key", "/user/settings/keys"],
  ["explore", "search", "/explore/repos"],
];

/** First steps for a user without repositories or issues. */
function FirstSteps({ name }: { readonly name: string }): Html {
  const texts = useTexts(dashboardTexts);
  return (
    <section class="box">
      <header>
        <h2>{texts.welcome(name)}</h2>
      </header>
      <div class="within">
        <p>{texts.first}</p>
        <ol class="plain-list steps">
          {steps.map(([step, icon, href]) => (
            <li>
              <Icon name={icon} /> <a href={href}>{texts.steps[step][0]}</a>
              <div class="soft">{texts.steps[step][1]}</div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

interface RepositoriesProps {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly name: string;
}

function Repositories({ repositories, total, name }: RepositoriesProps): Html {
  const texts = useTexts(dashboardTexts);
  return (
    <aside>
      <h2>{texts.repositories}</h2>
      <ul class="plain-list">
        {repositories.map((repository) => (
          <li>
            <Icon name={repository.isPrivate ? "lock" : repository.isFork ? "repo-forked" : "repo"} />{" "}
            <a href={repositoryPath({ ownerName: repository.owner.name, name: repository.name })}>{`${repository.owner.name}/${repository.name}`}</a>
          </li>
        ))}
      </ul>
      {total > repositories.length && (
        <p>
          <a href={`/${name}`}>{texts.all}</a>
        </p>
      )}
      <p>
        <a class="button" href="/repo/create">
          <Icon name="plus" />
          {texts.newRepository}
        </a>
      </p>
    </aside>
  );
}
