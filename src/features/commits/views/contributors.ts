import { h } from "preact";
import { accountPath } from "../../../ui/addresses.ts";
import { Bars } from "../../../ui/bars.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";

export interface ContributorsFacts {
  readonly branch: string;
  readonly periods: readonly number[];
  readonly counts: readonly number[];
  readonly total: number;
  readonly people: number;
  readonly contributors: readonly ContributorFacts[];
  /** Commits before these are not counted. */
  readonly maxCommits: number;
}

interface ContributorFacts {
  readonly email: string;
  readonly name: string;
  readonly commits: number;
  readonly counts: readonly number[];
  readonly user: { readonly name: string; readonly fullName: string } | undefined;
}

/** Who wrote a repository, as plots and as a list. */
export function ContributorsView({ branch, periods, counts, total, people, contributors, maxCommits }: ContributorsFacts): Html {
  const { history: texts } = useTexts();
  const [first, last] = [periods[0], periods.at(-1)];
  return [
    h("p", { class: "soft" }, texts.contributed(total, people, branch)),
    total === maxCommits && h("p", { class: "notice" }, texts.countedOnly(maxCommits)),
    first !== undefined && last !== undefined && h(Overall, { periods, counts, first, last }),
    h(
      "ol",
      { class: "contributors" },
      contributors.map((one) => h(ContributorBox, one)),
    ),
    contributors.length < people && h("p", { class: "soft" }, texts.othersToo(people - contributors.length)),
  ];
}

interface OverallFacts {
  readonly periods: readonly number[];
  readonly counts: readonly number[];
  readonly first: number;
  readonly last: number;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function Overall({ periods, counts, first, last }: OverallFacts): Html {
  const { history: texts } = useTexts();
  return h(
    "section",
    { class: "box within" },
    h(Bars, { counts, height: 120, label: texts.plotOf(dayOf(first), dayOf(last)), titles: periods.map(dayOf) }),
    h("div", { class: "soft ends" }, h(Day, { ms: first }), h("span", null, h(Day, { ms: last }))),
    h(
      "details",
      null,
      h("summary", null, texts.plotInWords),
      h(
        "table",
        { class: "plain" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, texts.from), h("th", { scope: "col" }, texts.commits))),
        h(
          "tbody",
          null,
          periods.map((ms, at) => h("tr", null, h("td", null, h(Day, { ms })), h("td", null, counts[at]))),
        ),
      ),
    ),
  );
}

/** Each on a scale of its own: few commits have their times, too. */
function ContributorBox({ name, commits, counts, user }: ContributorFacts): Html {
  const { history: texts } = useTexts();
  return h(
    "li",
    { class: "box" },
    h(
      "header",
      null,
      h("strong", null, user === undefined ? name || "?" : h("a", { href: accountPath(user.name) }, user.fullName || user.name)),
      h("span", { class: "soft end" }, texts.commitCount(commits)),
    ),
    h("div", { class: "within" }, h(Bars, { counts, height: 48 })),
  );
}
