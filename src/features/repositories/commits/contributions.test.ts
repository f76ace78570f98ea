import { expect, test } from "vitest";
import { sumContributions } from "./contributions.ts";

const at = (day: string): number => Date.parse(day) / 1_000;
const now = Date.parse("2024-06-01");

test("counts commits by author and week, ignoring the case of email addresses", async () => {
  const found = await sumContributions(
    [
      { seconds: at("2024-01-17"), name: "Ann B.", email: "ANN@example.org" },
      { seconds: at("2024-01-08"), name: "Ben", email: "ben@example.org" },
      { seconds: at("2024-01-07"), name: "Ann", email: "ann@example.org" },
    ],
    now,
  );
  expect(found.periods.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual(["2024-01-01", "2024-01-08", "2024-01-15"]);
  expect(found).toMatchObject({ counts: [1, 1, 1], total: 3, people: 2 });
  expect(found.contributors).toEqual([
    { email: "ann@example.org", name: "Ann B.", commits: 2, counts: [1, 0, 1] },
    { email: "ben@example.org", name: "Ben", commits: 1, counts: [0, 1, 0] },
  ]);
});

test("limits the number of periods and contributors for any commit dates", async () => {
  const people = Array.from({ length: 5_000 }, (_, one) => ({ seconds: one * 300_000, name: `P ${one}`, email: `${one}@example.org` }));
  const strange = [-5, 0, 99_999_999_999, Number.MAX_SAFE_INTEGER].map((seconds) => ({ seconds, name: "Z", email: "z" }));
  const found = await sumContributions([...strange, ...people], now);
  expect([found.total, found.people, found.contributors.length, found.contributors[0]?.commits]).toEqual([5_004, 5_001, 50, 4]);
  expect(found.counts.length).toBeLessThanOrEqual(104);
  expect(found.counts.reduce((sum, count) => sum + count, 0)).toBe(4_999);
});

test("an empty history has no periods", async () => {
  expect(await sumContributions([], now)).toEqual({ periods: [], counts: [], total: 0, people: 0, contributors: [] });
});
