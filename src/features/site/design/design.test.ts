import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".tsx") && !name.endsWith(".test.tsx"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));

/** Parts of components that the page shows, and frames of whole pages. */
const elsewhere: Readonly<Record<string, string>> = {
  FormContext: "of a form, without an appearance",
  FormToken: "a hidden field",
  KeptField: "a hidden field",
  UnshownProblem: "in a form",
  FieldProblem: "as in a field",
  Beside: "in a field",
  Refusal: "as a problem",
  SlowPart: "without an appearance",
  ListInTurns: "without an appearance",
  NoCommits: "as an empty state",
  OwnList: "rows and a form",
  OrganizationTabs: "the frame of a page",
  ExploreTabs: "the frame of a page",
  AppearanceMenu: "the frame of a page",
  Settings: "the frame of a page",
};

test("the design page shows every component of the pages", () => {
  const components = read(new URL("../../../ui/", import.meta.url)).flatMap((source) =>
    [...source.matchAll(/^export (?:const|function) ([A-Z]\w+)/gm)].map(([, name = ""]) => name),
  );
  const page = read(new URL("./views/", import.meta.url)).join("\n");
  expect(components.length).toBeGreaterThan(40);
  expect(components.filter((name) => !(name in elsewhere) && !new RegExp(`<${name}\\b`).test(page))).toEqual([]);
  expect(Object.keys(elsewhere).filter((name) => !components.includes(name))).toEqual([]);
});
