/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const units = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** A relative time, in the server's wording. @param {number} ms */
export function relative(ms) {
  const seconds = (ms - Date.now()) / 1_000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" }).format(Math.trunc(seconds / Number(length)), unit);
}

/** Keeps relative times up to date, and shows exact times in the reader's time zone. */
export function tellTimes() {
  const times = [.../** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[datetime][title]"))];
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });
  for (const time of times) time.title = format.format(new Date(time.dateTime));
  const ago = times.filter((time) => !/^\d{4}-/.test(time.textContent ?? ""));
  setInterval(() => {
    for (const time of ago) time.textContent = relative(Date.parse(time.dateTime));
  }, 60_000);
}
