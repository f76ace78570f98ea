import { h } from "preact";
import { repositoryPath, withQuery } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon, type IconName } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { ActivityList } from "../../activities/views/activity-list.ts";
import { IssueRows } from "../../issues/views/issue-rows.ts";
import type { RepositoryView } from "../../repos/view.ts";
import { type DashboardView, type Waiting, waitingKinds } from "../view.ts";

export interface DashboardFacts extends DashboardView {
  readonly name: string;
  readonly now: number;
}

/** What waits first, then what happened; one's repositories beside it. */
export function DashboardPage(facts: DashboardFacts): Html {
  const { repositories, activities, now } = facts;
  const { dashboard: texts } = useTexts();
  const isNew = repositories.total === 0 && activities.length === 0;
  return h(
    "div",
    { class: "columns" },
    h(
      "div",
      null,
      isNew && h(FirstSteps, { name: facts.name }),
      h(WaitingList, facts),
      !isNew && [h("h2", null, texts.activity), activities.length === 0 ? h("p", { class: "soft" }, texts.quiet) : h(ActivityList, { activities, now })],
    ),
    h(Repositories, { repositories: repositories.items, total: repositories.total, name: facts.name }),
  );
}

function WaitingList({ waiting, newsCount, now }: DashboardFacts): Html {
  const { dashboard: texts } = useTexts();
  const present = waiting.filter(({ total }) => total > 0);
  return [
    h(
      "div",
      { class: "bar" },
      h("h2", null, texts.waiting),
      newsCount > 0 && h("a", { class: "button end", href: "/notifications" }, h(Icon, { name: "inbox" }), texts.news(newsCount)),
    ),
    present.length === 0 && h("p", { class: "soft" }, h(Icon, { name: "check" }), " ", texts.nothingWaits),
    present.map((one) => h(WaitingBox, { ...one, now })),
  ];
}

function WaitingBox({ kind, issues, total, now }: Waiting & { readonly now: number }): Html {
  const { dashboard: texts } = useTexts();
  const { kind: listed, typed } = waitingKinds[kind];
  return h(
    "section",
    { class: "box waiting" },
    h(
      "header",
      null,
      h("h3", null, texts.sections[kind]),
      h("span", { class: "badge" }, total),
      total > issues.length && h("span", { class: "end" }, h("a", { href: withQuery(`/${listed}`, { q: typed }) }, texts.all)),
    ),
    h("div", { class: "within" }, h(IssueRows, { issues, now })),
  );
}

const steps: readonly (readonly ["repository" | "key" | "explore", IconName, string])[] = [
  ["repository", "repo", "/repo/create"],
  ["key", "key", "/user/settings/keys"],
  ["explore", "search", "/explore/repos"],
];

/** For somebody who has nothing here yet: what to do next. */
function FirstSteps({ name }: { readonly name: string }): Html {
  const { dashboard: texts } = useTexts();
  return h(
    "section",
    { class: "box" },
    h("header", null, h("h2", null, texts.welcome(name))),
    h(
      "div",
      { class: "within" },
      h("p", null, texts.first),
      h(
        "ol",
        { class: "plain-list steps" },
        steps.map(([step, icon, href]) =>
          h("li", null, h(Icon, { name: icon }), " ", h("a", { href }, texts.steps[step][0]), h("div", { class: "soft" }, texts.steps[step][1])),
        ),
      ),
    ),
  );
}

interface RepositoriesFacts {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly name: string;
}

function Repositories({ repositories, total, name }: RepositoriesFacts): Html {
  const { dashboard: texts } = useTexts();
  return h(
    "aside",
    null,
    h("h2", null, texts.repositories),
    h(
      "ul",
      { class: "plain-list" },
      repositories.map((repository) =>
        h(
          "li",
          null,
          h(Icon, { name: repository.isPrivate ? "lock" : repository.isFork ? "repo-forked" : "repo" }),
          " ",
          h("a", { href: repositoryPath({ ownerName: repository.owner.name, name: repository.name }) }, `${repository.owner.name}/${repository.name}`),
        ),
      ),
    ),
    total > repositories.length && h("p", null, h("a", { href: `/${name}` }, texts.all)),
    h("p", null, h("a", { class: "button", href: "/repo/create" }, h(Icon, { name: "plus" }), texts.newRepository)),
  );
}
