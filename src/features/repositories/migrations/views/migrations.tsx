import type { MigrationFailureValues, PlainMigrationFailure } from "../../../../core/failures.ts";
import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { MigrationView } from "../progress.ts";
import { migrationTexts } from "../texts/texts.ts";

export const migrationPath = (id: number, below = ""): string => `/repo/migrations/${id}${below}`;
export const migrationsPath = "/repo/migrations";
export const migrationFormPath = "/repo/migrate";

const icons: Readonly<Record<MigrationView["state"], IconName>> = { waiting: "clock", running: "sync", done: "check", failed: "x", cancelled: "x" };
const colors: Readonly<Record<MigrationView["state"], string>> = { waiting: "", running: "", done: " good", failed: " bad", cancelled: "" };

const State = ({ state }: Pick<MigrationView, "state">): Html => (
  <span class={`badge${colors[state]}`}>
    <Icon name={icons[state]} /> {useTexts(migrationTexts).states[state]}
  </span>
);

export interface MigrationsProps {
  readonly migrations: readonly MigrationView[];
  readonly page: Page;
  readonly total: number;
  readonly now: number;
}

/** The migrations of an account. */
export function Migrations({ migrations, page, total, now }: MigrationsProps): Html {
  const texts = useTexts(migrationTexts);
  const start = (
    <a class="button primary" href={migrationFormPath}>
      {texts.title}
    </a>
  );
  if (total === 0)
    return (
      <Empty icon="sync" title={texts.none}>
        <p>{texts.how}</p>
        <p>{start}</p>
      </Empty>
    );
  return (
    <>
      <p class="soft">{texts.listHint}</p>
      <p>{start}</p>
      <Rows>
        {migrations.map((migration) => (
          <Row>
            <a class="row-title" href={migrationPath(migration.id)}>
              {migration.fullName}
            </a>{" "}
            <State state={migration.state} />
            <div class="soft">
              {texts.from} <bdi>{migration.address}</bdi> · <Ago ms={migration.createdMs} now={now} />
            </div>
          </Row>
        ))}
      </Rows>
      <Pager path={migrationsPath} page={page} total={total} />
    </>
  );
}

export interface MigrationProgressProps {
  readonly migration: MigrationView;
  readonly formToken: string;
  readonly now: number;
}

/** The progress of a migration, and its result. */
export function MigrationProgress({ migration, formToken, now }: MigrationProgressProps): Html {
  const texts = useTexts(migrationTexts);
  const language = useLanguage();
  const { id, fullName, address, state, phase, receivedBytes, resumesMs, createdMs } = migration;
  const isOpen = state === "waiting" || state === "running";
  return (
    <>
      <p>
        <State state={state} />{" "}
        <span class="soft">
          {texts.from} <bdi>{address}</bdi> · <Ago ms={createdMs} now={now} />
        </span>
      </p>
      {state === "running" && (
        <p role="status">
          {texts.phases[phase]}
          {receivedBytes > 0 && <span class="soft"> · {texts.received(sizeText(receivedBytes, language))}</span>}
        </p>
      )}
      {resumesMs !== null && (
        <p class="notice">
          {texts.resumes} <Ago ms={resumesMs} now={now} />
        </p>
      )}
      {isOpen && (
        <>
          <p class="soft">{texts.stays}</p>
          <div class="bar">
            <Do action={migrationPath(id, "/cancel")} formToken={formToken} label={texts.cancel} of={fullName} isDanger />
          </div>
        </>
      )}
      {state === "done" && (
        <p>
          <a class="button primary" href={`/${fullName}`}>
            {texts.open}
          </a>
        </p>
      )}
      {state === "cancelled" && <p>{texts.cancelling}</p>}
      {state === "failed" && <Failed {...migration} />}
      {(state === "failed" || state === "cancelled") && (
        <p>
          <a class="button" href={`${migrationFormPath}?again=${id}`}>
            {texts.again}
          </a>
        </p>
      )}
      <p>
        <a href={migrationsPath}>{texts.list}</a>
      </p>
    </>
  );
}

type FailureTexts = Readonly<Record<PlainMigrationFailure, string>> & {
  readonly [C in keyof MigrationFailureValues]: (values: MigrationFailureValues[C]) => string;
};

function Failed({ failure, error }: Pick<MigrationView, "failure" | "error">): Html {
  const texts = useTexts(migrationTexts);
  const every: FailureTexts = texts.failures;
  const known: Readonly<Record<string, string | ((values: never) => string)>> = every;
  const text = failure === undefined ? undefined : known[failure.code];
  const sentence = typeof text === "function" ? text(failure?.values as never) : text;
  return (
    <>
      <p class="notice bad">
        {texts.failure} {sentence ?? texts.failureHint}
      </p>
      <Technical message={error} isOpen={sentence === undefined} />
    </>
  );
}
