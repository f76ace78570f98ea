import type { Html } from "../../../../ui/html.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { dayName } from "../../../../ui/time.tsx";
import type { Calendar } from "../calendar.ts";
import { profileTexts } from "../texts/texts.ts";

const cell = 13;
const side = 10;
/** Space for the names of months. */
const top = 16;

/** The contributions of a year: an image, the total as text, and a table for screen readers. */
export function CalendarView({ calendar }: { readonly calendar: Calendar }): Html {
  const language = useLanguage();
  const texts = useTexts(profileTexts);
  const { weeks, months, total } = calendar;
  const monthName = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
  const longMonth = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
  const [width, height] = [weeks.length * cell, top + 7 * cell];
  return (
    <section class="calendar">
      <h2>{texts.contributions(total)}</h2>
      <div class="wide" tabIndex={0} role="region" aria-label={texts.calendar}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={texts.contributions(total)}>
          {weeks.map((week, x) => {
            const [first] = week;
            const begins = first !== undefined && new Date(first.startMs).getUTCDate() <= 7;
            return (
              begins &&
              x < weeks.length - 2 && (
                <text x={x * cell} y={10}>
                  {monthName.format(first.startMs)}
                </text>
              )
            );
          })}
          {weeks.map((week, x) =>
            week.map(({ startMs, count, level }, y) => (
              <rect class={`level-${level}`} x={x * cell} y={top + y * cell} width={side} height={side} rx={2}>
                <title>{texts.onDay(count, dayName(startMs, language))}</title>
              </rect>
            )),
          )}
        </svg>
      </div>
      <details>
        <summary>{texts.byMonth}</summary>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{texts.month}</th>
              <th scope="col">{texts.amount}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ startMs, count }) => (
              <tr>
                <td>{longMonth.format(startMs)}</td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
