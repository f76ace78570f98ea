import { accountPath, contributionsPath, organizationPath, repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { IssueRows } from "../../../collaboration/issues/search/views/issue-rows.tsx";
import type { OrganizationView } from "../../../organizations/orgs/model.ts";
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
  const { repositories, organizations, activities, now } = props;
  const texts = useTexts(dashboardTexts);
  const isNew = props.organization === undefined && repositories.total === 0 && activities.length === 0;
  return (
    <div class="columns">
      <div>
        {isNew && <FirstSteps name={props.name} />}
        <WaitingList {...props} />
        {!isNew && props.organization === undefined && <Contributions name={props.name} />}
        {!isNew && (
          <>
            <h2>{texts.activity}</h2>
            {activities.length === 0 ? (
              <p class="soft">{props.organization === undefined ? texts.quiet : texts.quietIn(props.organization)}</p>
            ) : (
              <ActivityList activities={activities} now={now} />
            )}
          </>
        )}
      </div>
      <aside>
        <Repositories
          repositories={repositories.items}
          total={repositories.total}
          owner={props.organization ?? props.name}
          isOrganization={props.organization !== undefined}
        />
        {props.organization === undefined && organizations.total > 0 && <Organizations organizations={organizations.items} total={organizations.total} />}
      </aside>
    </div>
  );
}

/** The contribution calendar. A script loads it, so that the dashboard needs no statement for it; the link leads to the profile, which has it. */
function Contributions({ name }: { readonly name: string }): Html {
  const language = useLanguage();
  const texts = useTexts(dashboardTexts);
  return (
    <section class="calendar" data-part={withQuery(contributionsPath(name), { language })}>
      <h2>
        <a href={accountPath(name)}>{texts.contributions}</a>
      </h2>
    </section>
  );
}

/** The user and their organizations, each with a dashboard. */
export function ContextMenu({ name, organization, organizations }: Pick<DashboardProps, "name" | "organization" | "organizations">): Html {
  const texts = useTexts(dashboardTexts);
  const contexts = [
    { name, path: "/", isCurrent: organization === undefined },
    ...organizations.items.map((one) => ({ name: one.name, path: organizationPath(one.name, "/dashboard"), isCurrent: one.name === organization })),
  ];
  return (
    <details class="menu">
      <summary class="button" aria-label={texts.contextOf(organization ?? name)}>
        {organization ?? name} <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        {contexts.map(({ name, path, isCurrent }) => (
          <a href={path} {...(isCurrent && { "aria-current": "page" })}>
            {name}
          </a>
        ))}
        {organizations.total > organizations.items.length && <a href="/user/settings/organization">{texts.all}</a>}
      </div>
    </details>
  );
}

function WaitingList({ waiting, progress, newsCount, now, organization }: DashboardProps): Html {
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
      {present.length === 0 && newsCount === 0 && (
        <p class="soft">
          <Icon name="check" /> {texts.nothingWaits}
        </p>
      )}
      {present.map((one) => (
        <WaitingBox {...one} progress={progress} now={now} organization={organization} />
      ))}
    </>
  );
}

function WaitingBox({ kind, issues, total, progress, now, organization }: Waiting & Pick<DashboardProps, "progress" | "now" | "organization">): Html {
  const texts = useTexts(dashboardTexts);
  const { kind: listed, typed } = waitingKinds[kind];
  return (
    <section class="box waiting">
      <header>
        <h3>{texts.sections[kind]}</h3>
        <span class="counter">{total}</span>
        {total > issues.length && (
          <span class="end">
            <a href={withQuery(`/${listed}`, { q: organization === undefined ? typed : `${typed} org:${organization}` })}>{texts.all}</a>
          </span>
        )}
      </header>
      <IssueRows issues={issues} progress={progress} now={now} showsRepository />
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
  readonly owner: string;
  readonly isOrganization: boolean;
}

function Repositories({ repositories, total, owner, isOrganization }: RepositoriesProps): Html {
  const texts = useTexts(dashboardTexts);
  return (
    <section>
      <div class="bar">
        <h2>{isOrganization ? texts.repositoriesOfOrganization : texts.repositories}</h2>
        <span class="counter">{total}</span>
        <a class="button end" href={isOrganization ? withQuery("/repo/create", { owner }) : "/repo/create"}>
          <Icon name="plus" />
          {texts.newRepository}
        </a>
      </div>
      {total > repositories.length && (
        <form class="find" action={accountPath(owner)} role="search">
          <input type="search" name="q" aria-label={texts.findRepository} placeholder={texts.findRepository} />
          <button type="submit">
            <Icon name="search" label={texts.findRepository} />
          </button>
        </form>
      )}
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
          <a href={accountPath(owner)}>{texts.all}</a>
        </p>
      )}
    </section>
  );
}

function Organizations({ organizations, total }: { readonly organizations: readonly OrganizationView[]; readonly total: number }): Html {
  const texts = useTexts(dashboardTexts);
  return (
    <section>
      <div class="bar">
        <h2>{texts.organizations}</h2>
        <span class="counter">{total}</span>
      </div>
      <ul class="plain-list">
        {organizations.map((organization) => (
          <li>
            <a class="face" href={accountPath(organization.name)}>
              <Avatar account={{ ...organization, kind: "organization" }} size={20} />
              {organization.name}
            </a>
          </li>
        ))}
      </ul>
      {total > organizations.length && (
        <p>
          <a href="/user/settings/organization">{texts.all}</a>
        </p>
      )}
    </section>
  );
}
