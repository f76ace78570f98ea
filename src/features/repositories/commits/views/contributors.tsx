import type { Pictured } from "../../../../core/urls.ts";
import { Author } from "../../../../ui/avatar.tsx";
import { Bars } from "../../../../ui/bars.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Day, dayName } from "../../../../ui/time.tsx";
import { historyTexts } from "../texts/texts.ts";

export interface ContributorsProps {
  readonly branch: string;
  readonly periods: readonly number[];
  readonly counts: readonly number[];
  readonly total: number;
  readonly people: number;
  readonly contributors: readonly ContributorProps[];
  /** Older commits are not counted. */
  readonly maxCommits: number;
}

interface ContributorProps {
  readonly email: string;
  readonly name: string;
  readonly commits: number;
  readonly counts: readonly number[];
  readonly user: (Pictured & { readonly fullName: string }) | undefined;
}

/** The contributors of a repository, as charts and as a list. */
export function ContributorsView({ branch, periods, counts, total, people, contributors, maxCommits }: ContributorsProps): Html {
  const texts = useTexts(historyTexts);
  const [first, last] = [periods[0], periods.at(-1)];
  return (
    <>
      <p class="soft">{texts.contributed(total, people, branch)}</p>
      {total === maxCommits && <p class="notice">{texts.countedOnly(maxCommits)}</p>}
      {first !== undefined && last !== undefined && <Overall periods={periods} counts={counts} first={first} last={last} />}
      <ol class="contributors">
        {contributors.map((one) => (
          <ContributorBox {...one} />
        ))}
      </ol>
      {contributors.length < people && <p class="soft">{texts.othersToo(people - contributors.length)}</p>}
    </>
  );
}

interface OverallProps {
  readonly periods: readonly number[];
  readonly counts: readonly number[];
  readonly first: number;
  readonly last: number;
}

function Overall({ periods, counts, first, last }: OverallProps): Html {
  const texts = useTexts(historyTexts);
  const language = useLanguage();
  const dayOf = (ms: number): string => dayName(ms, language);
  return (
    <section class="box within">
      <Bars counts={counts} height={120} label={texts.plotOf(dayOf(first), dayOf(last))} titles={periods.map(dayOf)} />
      <div class="soft ends">
        <Day ms={first} />
        <span>
          <Day ms={last} />
        </span>
      </div>
      <details>
        <summary>{texts.plotInWords}</summary>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{texts.from}</th>
              <th scope="col">{texts.commits}</th>
            </tr>
          </thead>
          <tbody>
            {periods.map((ms, at) => (
              <tr>
                <td>
                  <Day ms={ms} />
                </td>
                <td>{counts[at]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

/** Each chart has its own scale, so that few commits are visible, too. */
function ContributorBox({ name, email, commits, counts, user }: ContributorProps): Html {
  const texts = useTexts(historyTexts);
  return (
    <li class="box">
      <header>
        <strong>
          <Author account={user} signature={{ name: name || "?", email }} size={20} />
        </strong>
        <span class="soft end">{texts.commitCount(commits)}</span>
      </header>
      <div class="within">
        <Bars counts={counts} height={48} />
      </div>
    </li>
  );
}
