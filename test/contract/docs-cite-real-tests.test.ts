import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** The pages cite tests as evidence, so each cited title must exist. */
describe.each([
  ["security.md", "Attack", ""],
  ["reliability.md", "Fault", ""],
  ["actions.md", "Problem", "## Known problems"],
])("docs/%s", (name, heading, from) => {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  const whole = readFileSync(page, "utf8");
  const text = whole.slice(whole.indexOf(from));

  test("cites existing tests only", () => {
    const named = [...text.matchAll(/\[([^\]]+)\]\((\.\.\/[^)]+\.test\.ts)\)/g)].map(([, title = "", path = ""]) => ({ title, path }));
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(({ title, path }) => !readFileSync(new URL(path, page), "utf8").includes(`"${title}"`));
    expect(missing).toEqual([]);
  });

  test("cites titles that are complete claims", () => {
    const titles = [...text.matchAll(/\[([^\]]+)\]\(\.\.\/[^)]+\.test\.ts\)/g)].map(([, title = ""]) => title);
    expect(titles.filter((title) => /^(that|whose|of|is|are|was|can|cannot|come|get|see|stay|while|after|and|also)\b/.test(title))).toEqual([]);
  });

  test("cites a test in every row", () => {
    const rows = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith(`| ${heading} `) && !line.startsWith("| Input "));
    expect(rows.filter((row) => !row.includes(".test.ts)"))).toEqual([]);
  });
});
