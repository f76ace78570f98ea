import { h } from "preact";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { Calendar } from "../calendar.ts";

const cell = 13;
const side = 10;
/** Room for the names of months above. */
const top = 16;

/** What somebody did in a year: a picture, the sum in words, and a table for who does not see it. */
export function CalendarView({ calendar }: { readonly calendar: Calendar }): Html {
  const { people: texts, language } = useTexts();
  const { weeks, months, total } = calendar;
  const dayName = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const monthName = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
  const longMonth = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
  const [width, height] = [weeks.length * cell, top + 7 * cell];
  return h(
    "section",
    { class: "calendar" },
    h("h2", null, texts.contributions(total)),
    h(
      "div",
      { class: "wide", tabIndex: 0, role: "region", "aria-label": texts.calendar },
      h(
        "svg",
        { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": texts.contributions(total) },
        weeks.map((week, x) => {
          const [first] = week;
          const begins = first !== undefined && new Date(first.startMs).getUTCDate() <= 7;
          return begins && x < weeks.length - 2 && h("text", { x: x * cell, y: 10 }, monthName.format(first.startMs));
        }),
        weeks.map((week, x) =>
          week.map(({ startMs, count, level }, y) =>
            h(
              "rect",
              { class: `level-${level}`, x: x * cell, y: top + y * cell, width: side, height: side, rx: 2 },
              h("title", null, texts.onDay(count, dayName.format(startMs))),
            ),
          ),
        ),
      ),
    ),
    h(
      "details",
      null,
      h("summary", null, texts.byMonth),
      h(
        "table",
        { class: "plain" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, texts.month), h("th", { scope: "col" }, texts.amount))),
        h(
          "tbody",
          null,
          months.map(({ startMs, count }) => h("tr", null, h("td", null, longMonth.format(startMs)), h("td", null, count))),
        ),
      ),
    ),
  );
}
