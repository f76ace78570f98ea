import { expect, test } from "vitest";
import type { LogLine, Step } from "../model.ts";
import { groupedHtml, sectionsOf } from "./job.tsx";
import { stagesOf } from "./runs.tsx";

const line = (text: string): LogLine => [0, text];
const step = (id: number, logIndex: number, logLength: number): Step => ({ id, result: "success", startedMs: 0, stoppedMs: 1, logIndex, logLength });

test("lines belong to the step that wrote them, or to the parts before and after all steps", () => {
  const steps = [step(0, 2, 2), step(1, 4, 0), step(2, 4, 1)];
  const lines = ["a", "b", "c", "d", "e", "f"].map(line);
  const named = (from: number) =>
    sectionsOf(steps, lines.slice(from), from).map((one) => [one.step?.id, one.firstRow, one.lines.map(([, text]) => text).join("")]);
  expect(named(0)).toEqual([
    [undefined, 0, "ab"],
    [0, 2, "cd"],
    [2, 4, "e"],
    [undefined, 5, "f"],
  ]);
  expect(named(3)[0]).toEqual([0, 3, "d"]);
});

test("groups of lines can be collapsed, and an unfinished group ends with the lines", () => {
  const html = groupedHtml(["x", "##[group]Install <1>", "y", "##[endgroup]", "z", "::group::More", "w"].map(line), 10);
  expect(html.replace(/<time[^>]*>[^<]*<\/time>/g, "").replace(/ (?:id|value|class)="[^"]*"/g, "")).toBe(
    "<li><span>x</span></li>" +
      "<li><details><summary>Install &lt;1&gt;</summary><ol><li><span>y</span></li></ol></details></li>" +
      "<li><span>z</span></li>" +
      "<li><details><summary>More</summary><ol><li><span>w</span></li></ol></details></li>",
  );
  expect(html).toContain('<li id="L13" value="13">');
});

test("jobs are arranged by the jobs that they need", () => {
  const jobs = [
    { key: "lint", needs: [] },
    { key: "report", needs: ["test", "lint"] },
    { key: "build", needs: [] },
    { key: "test", needs: ["build"] },
    { key: "test", needs: ["build"] },
  ];
  expect(stagesOf(jobs).map((stage) => stage.map(({ key }) => key))).toEqual([["lint", "build"], ["test", "test"], ["report"]]);
});
