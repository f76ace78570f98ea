import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { repositoryRoot } from "../../tools/repository.ts";
import { startProgram } from "../kit/program.ts";

const manifest = `import { defineFeature } from "../../../mount/feature.ts";
import { greetingRoutes } from "./api.ts";
import { greetingPages } from "./web.tsx";

export const greetingFeature = defineFeature({ name: "site/greeting", routes: [greetingRoutes, greetingPages] });
`;

const api = `import { anyone } from "../../../http/access.ts";
import { json } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { ServerVersion } from "../../../wire/meta.ts";

export const greetingRoutes = (): Route[] => [
  defineRoute({
    id: "getGreeting",
    method: "GET",
    path: "/greeting",
    tag: "miscellaneous",
    summary: "Get a greeting",
    access: anyone,
    scope: "none",
    answers: json(200, ServerVersion),
    handle: () => ({ version: "hello" }),
  }),
];
`;

const web = `import { anyone } from "../../../http/access.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { renderPage } from "../../../ui/page.tsx";
import { textsFor, useTexts } from "../../../ui/texts/texts.ts";
import { greetingTexts } from "./texts/texts.ts";

const Greeting = () => <p>{useTexts(greetingTexts).greet("Ada")}</p>;

export const greetingPages = (): Route[] => [
  defineRoute({
    ...settingsPage,
    id: "greetingPage",
    method: "GET",
    path: "/greeting",
    tag: "miscellaneous",
    summary: "A greeting",
    access: anyone,
    scope: "none",
    handle: (request) => {
      const reader = pageReader(request);
      return renderPage({ ...reader, title: textsFor(greetingTexts, reader.languages).title }, <Greeting />);
    },
  }),
];
`;

const texts = `import { defineTexts } from "../../../../ui/texts/texts.ts";

const english = { title: "Welcome", greet: (name: string) => "Hello, " + name };
const german: typeof english = { title: "Willkommen", greet: (name) => "Hallo, " + name };

export const greetingTexts = defineTexts({ english, german });
`;

test("a feature with pages and texts is added by its folder and its entry in src/app/features.ts", async () => {
  const copy = mkdtempSync(join(tmpdir(), "hearth-feature-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of ["src", "tools", "package.json", "package-lock.json", "tsconfig.json"])
    cpSync(join(repositoryRoot, name), join(copy, name), { recursive: true });
  symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
  const folder = join(copy, "src/features/site/greeting");
  mkdirSync(folder);
  writeFileSync(join(folder, "feature.ts"), manifest);
  writeFileSync(join(folder, "api.ts"), api);
  writeFileSync(join(folder, "web.tsx"), web);
  mkdirSync(join(folder, "texts"));
  writeFileSync(join(folder, "texts/texts.ts"), texts);
  const list = join(copy, "src/app/features.ts");
  const listed = readFileSync(list, "utf8")
    .replace(/^import /m, `import { greetingFeature } from "../features/site/greeting/feature.ts";\nimport `)
    .replace(/^\];$/m, "  greetingFeature,\n];");
  writeFileSync(list, listed);

  const run = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  expect(run("tools/check-imports.ts")).toContain("import rules hold");
  run("--input-type=module", "--eval", `await (await import("./tools/build.mjs")).ensureBuilt();`);
  await using program = await startProgram({ HEARTH_DATA: join(copy, "data") }, [], { program: join(copy, "dist/hearth.js") });
  const answer = await fetch(`${program.url}/api/v1/greeting`);
  expect(await answer.json()).toEqual({ version: "hello" });
  const page = await fetch(`${program.url}/greeting`, { headers: { "accept-language": "de" } });
  const html = await page.text();
  expect(html).toMatch(/<title>Willkommen - Hearth<\/title>.*<p>Hallo, Ada<\/p>/s);
  const [, sheet = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
  const style = await fetch(program.url + sheet);
  expect([style.status, style.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
  // The build joins all files, without comments and indentation.
  expect(await style.text()).toMatch(/^:root\{color-scheme:light dark;(?!.*(\n {2}|\/\*)).*\.within-diff/s);
});
