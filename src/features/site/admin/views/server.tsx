import type { Html } from "../../../../ui/html.ts";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { countText } from "../../../../ui/texts/numbers.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { type TextsOf, useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { WithCode } from "../../../../ui/with-code.tsx";
import type { BackupView, LogShippingView } from "../model.ts";
import { adminTexts } from "../texts/texts.ts";
import { LogShippingProblem, LogShippingSection, needsAttention } from "./log-shipping.tsx";

export interface OverviewProps {
  readonly counts: Readonly<Record<keyof TextsOf<typeof adminTexts>["counts"], number>>;
  readonly failedJobs: number;
  readonly problems: readonly { readonly storeId: number; readonly repository: string; readonly problem: string }[];
  readonly problemsTotal: number;
  /** The git version if it has known vulnerabilities. */
  readonly outdatedGit: string | undefined;
  readonly backup: BackupView | undefined;
  readonly log?: LogShippingView | undefined;
  readonly isTrial?: boolean;
}

/** Pages with the details of the counts. */
const listed: Readonly<Record<string, string>> = {
  users: administrationPaths.users,
  organizations: administrationPaths.organizations,
  repositories: administrationPaths.repositories,
};

/** Counts, and problems that need attention. */
export function OverviewView({ counts, failedJobs, problems, problemsTotal, outdatedGit, backup, log, isTrial }: OverviewProps): Html {
  const language = useLanguage();
  const texts = useTexts(adminTexts);
  const entries = Object.entries(counts) as [keyof typeof counts, number][];
  return (
    <>
      <section>
        <h2>{texts.attention}</h2>
        {isTrial === true && (
          <p class="notice">
            <WithCode text={texts.trial} />
          </p>
        )}
        {failedJobs + problemsTotal === 0 && outdatedGit === undefined && backup?.isStale !== true && backup?.failure === undefined && !needsAttention(log) && (
          <p class="soft">{texts.allWell}</p>
        )}
        {failedJobs > 0 && (
          <p class="notice bad">
            <a href={administrationPaths.jobs}>{texts.failedJobs(failedJobs)}</a>
          </p>
        )}
        {backup?.isStale === true && <p class="notice bad">{backup.newest === undefined ? texts.backups.none : texts.backups.old}</p>}
        {backup?.failure !== undefined && (
          <div class="notice bad">
            <p>
              {texts.backups.failed} <Moment ms={backup.failure.failedMs} />
            </p>
            <Technical message={backup.failure.reason} isOpen />
          </div>
        )}
        {log !== undefined && needsAttention(log) && <LogShippingProblem log={log} />}
        {outdatedGit !== undefined && <p class="notice bad">{texts.outdatedGit(outdatedGit)}</p>}
        {problemsTotal > 0 && (
          <>
            <p class="notice bad">{texts.storeProblems(problemsTotal)}</p>
            <Rows>
              {problems.map(({ storeId, repository, problem }) => (
                <Row>
                  {repository === "" ? <code>{`#${storeId}`}</code> : <a href={`/${repository.replace(/\.wiki$/, "/wiki")}`}>{repository}</a>}
                  <div class="soft">{texts.damaged}</div>
                  <Technical message={problem} isOpen />
                </Row>
              ))}
            </Rows>
          </>
        )}
      </section>
      {backup !== undefined && <Backups backup={backup} />}
      {log !== undefined && <LogShippingSection log={log} />}
      <section>
        <h2>{texts.has}</h2>
        <dl class="pairs">
          {entries.map(([name, count]) => [
            <dt>{listed[name] === undefined ? texts.counts[name] : <a href={listed[name]}>{texts.counts[name]}</a>}</dt>,
            <dd>{countText(count, language)}</dd>,
          ])}
        </dl>
      </section>
    </>
  );
}

function Backups({ backup: { newest, verifiedMs } }: { readonly backup: BackupView }): Html {
  const language = useLanguage();
  const texts = useTexts(adminTexts).backups;
  const moment = (ms: number | undefined): Html => (ms === undefined ? texts.never : <Moment ms={ms} />);
  return (
    <section>
      <h2>{texts.title}</h2>
      <dl class="pairs">
        <dt>{texts.newest}</dt>
        <dd>{moment(newest?.createdMs)}</dd>
        <dt>{texts.verified}</dt>
        <dd>{moment(verifiedMs)}</dd>
        {newest?.sizeBytes !== undefined && [<dt>{texts.size}</dt>, <dd>{sizeText(newest.sizeBytes, language)}</dd>]}
        {newest?.seconds !== undefined && [<dt>{texts.duration}</dt>, <dd>{texts.seconds(newest.seconds)}</dd>]}
      </dl>
    </section>
  );
}
