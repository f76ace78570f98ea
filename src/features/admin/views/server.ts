import { h } from "preact";
import type { Html } from "../../../ui/html.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { administrationPaths } from "../../../ui/settings.ts";
import { type Texts, useTexts } from "../../../ui/texts/texts.ts";

export interface OverviewFacts {
  readonly counts: Readonly<Record<keyof Texts["administration"]["counts"], number>>;
  readonly failedJobs: number;
  readonly problems: readonly { readonly storeId: number; readonly repository: string; readonly problem: string }[];
  readonly problemsTotal: number;
  /** The version of a git that has known holes. */
  readonly outdatedGit: string | undefined;
}

/** Where more is to be seen of what is counted. */
const listed: Readonly<Record<string, string>> = {
  users: administrationPaths.users,
  organizations: administrationPaths.organizations,
  repositories: administrationPaths.repositories,
};

/** What is here, and what somebody has to look at. */
export function OverviewView({ counts, failedJobs, problems, problemsTotal, outdatedGit }: OverviewFacts): Html {
  const { administration: texts, language } = useTexts();
  const entries = Object.entries(counts) as [keyof typeof counts, number][];
  return [
    h(
      "section",
      null,
      h("h2", null, texts.attention),
      failedJobs + problemsTotal === 0 && outdatedGit === undefined && h("p", { class: "soft" }, texts.allWell),
      failedJobs > 0 && h("p", { class: "notice bad" }, h("a", { href: administrationPaths.jobs }, texts.failedJobs(failedJobs))),
      outdatedGit !== undefined && h("p", { class: "notice bad" }, texts.outdatedGit(outdatedGit)),
      problemsTotal > 0 && [
        h("p", { class: "notice bad" }, texts.storeProblems(problemsTotal)),
        h(
          Rows,
          null,
          problems.map(({ storeId, repository, problem }) =>
            h(
              Row,
              null,
              repository === "" ? h("code", null, `#${storeId}`) : h("a", { href: `/${repository.replace(/\.wiki$/, "/wiki")}` }, repository),
              h("div", { class: "soft" }, problem),
            ),
          ),
        ),
      ],
    ),
    h(
      "section",
      null,
      h("h2", null, texts.has),
      h(
        "dl",
        { class: "pairs" },
        entries.map(([name, count]) => [
          h("dt", null, listed[name] === undefined ? texts.counts[name] : h("a", { href: listed[name] }, texts.counts[name])),
          h("dd", null, count.toLocaleString(language)),
        ]),
      ),
    ),
  ];
}
