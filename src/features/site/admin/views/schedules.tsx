import { encodeSegment } from "../../../../core/urls.ts";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { type TextsOf, useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { adminTexts, scheduleTexts } from "../texts/texts.ts";

interface ShownSchedule {
  readonly name: string;
  readonly everyMs: number;
  readonly nextRunMs: number;
  /** Null: it has not run yet. */
  readonly lastRunMs: number | null;
}

export interface SchedulesProps {
  readonly path: string;
  readonly schedules: readonly ShownSchedule[];
  readonly formToken: string;
}

export function SchedulesView({ path, schedules, formToken }: SchedulesProps): Html {
  const administration = useTexts(adminTexts);
  const texts = useTexts(scheduleTexts);
  return (
    <Rows>
      {schedules.map(({ name, everyMs, nextRunMs, lastRunMs }) => (
        <Row action={<Do action={`${path}/${encodeSegment(name)}`} formToken={formToken} label={administration.run} of={texts.what[name] ?? name} />}>
          {texts.what[name] !== undefined && (
            <div>
              <strong>{texts.what[name]}</strong>
            </div>
          )}
          <div class="soft">
            <code>{name}</code>
            {` ${inWords(texts, everyMs)}, `}
            <Times nextRunMs={nextRunMs} lastRunMs={lastRunMs} />
          </div>
        </Row>
      ))}
    </Rows>
  );
}

function Times({ nextRunMs, lastRunMs }: Pick<ShownSchedule, "nextRunMs" | "lastRunMs">): Html {
  const texts = useTexts(scheduleTexts);
  return (
    <>
      {lastRunMs === null ? (
        texts.notYet
      ) : (
        <>
          {texts.last} <Moment ms={lastRunMs} />
        </>
      )}
      {`, ${texts.next} `}
      <Moment ms={nextRunMs} />
    </>
  );
}

const minuteMs = 60_000;
const units = [
  ["day", 1_440 * minuteMs],
  ["hour", 60 * minuteMs],
  ["minute", minuteMs],
] as const;

/** In the largest unit that divides it evenly. */
function inWords({ every }: TextsOf<typeof scheduleTexts>, everyMs: number): string {
  const [unit, ms] = units.find(([, length]) => everyMs % length === 0) ?? ["minute", minuteMs];
  return every(Math.round(everyMs / ms), unit);
}
