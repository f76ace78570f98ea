import { describe, expect, test } from "vitest";
import { isForgeError } from "../../../core/errors.ts";
import { createUrls } from "../../../core/urls.ts";
import { findGitignore, listGitignores } from "./gitignores.ts";
import { findLabelSet, listLabelSets } from "./labels.ts";
import { detectLicenses, isLicenseFile } from "./license-detection.ts";
import { fillLicense, findLicense, listLicenses } from "./licenses.ts";
import { presentGitignore, presentLabelTemplate, presentLicense, presentLicenseEntry } from "./present.ts";
import { chooseLabels, getGitignore, getLabelSet, getLicense, type InitialFilesInput, initialFiles } from "./service.ts";

const holder = { year: 2026, name: "alice" };
const input: InitialFilesInput = { name: "demo", description: "A demo", readme: "", gitignores: "", license: "", holder };
const code = (wanted: string) => expect.toSatisfy((error: unknown) => isForgeError(error) && error.code === wanted);

async function textOf(id: string): Promise<string> {
  const license = await findLicense(id);
  if (license === undefined) throw new Error(`no ${id}`);
  return license.text;
}

describe("licenses", () => {
  test("the table contains the common ones, each with a name and a text of complete lines", async () => {
    const licenses = await listLicenses();
    const ids = licenses.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        "0BSD",
        "AGPL-3.0-or-later",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "GPL-2.0-only",
        "GPL-3.0-or-later",
        "ISC",
        "MIT",
        "MPL-2.0",
        "Unlicense",
      ]),
    );
    expect(ids).toEqual([...ids].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    for (const { name, text } of licenses) {
      expect(name).not.toBe("");
      expect(text).toMatch(/\S\n$/);
      expect(text).not.toMatch(/\r|\n\n\n/);
    }
  });

  test("two ids with the same text are both found, in any case", async () => {
    expect(await textOf("GPL-3.0-or-later")).toBe(await textOf("GPL-3.0-only"));
    expect((await findLicense("mit"))?.id).toBe("MIT");
    expect(await findLicense("NoSuch")).toBeUndefined();
    expect(await findLicense("constructor")).toBeUndefined();
    expect(await findLicense("__proto__")).toBeUndefined();
  });

  test.each([
    ["MIT", "Copyright (c) 2026 alice"],
    ["ISC", "Copyright (c) 2026 alice"],
    ["BSD-3-Clause", "Copyright (c) 2026 alice."],
    ["0BSD", "Copyright (C) 2026 by alice"],
    ["Apache-2.0", "Copyright 2026 alice"],
    ["Zlib", "Copyright (c) 2026 alice"],
    ["MIT-0", "Copyright 2026 alice"],
    ["UPL-1.0", "Copyright (c) 2026 alice"],
    ["NCSA", "Copyright (c) 2026 alice. All rights reserved."],
    ["BSD-3-Clause-Clear", "Copyright (c) 2026 alice"],
    ["MulanPSL-2.0", "Copyright (c) 2026 alice"],
  ])("%s contains year and holder", async (id, line) => {
    const license = await getLicense(id);
    expect(
      fillLicense(license, holder)
        .split("\n")
        .map((text) => text.trim()),
    ).toContain(line);
  });

  test("the GNU licenses keep their example lines, and a holder's name is inserted literally", async () => {
    const gnu = await getLicense("GPL-3.0-only");
    expect(fillLicense(gnu, holder)).toBe(gnu.text);
    expect(fillLicense(await getLicense("MIT"), { year: 1, name: "$& $1 <year>" })).toContain("Copyright (c) 1 $& $1 <year>");
  });
});

describe("license detection", () => {
  test("recognizes every license in its own text, filled in and re-flowed", async () => {
    for (const license of await listLicenses()) {
      const expected = [license.id.replace(/-or-later$/, "-only")];
      const text = fillLicense(license, holder);
      expect(await detectLicenses(text), license.id).toEqual(expected);
      expect(await detectLicenses(`The license\n\n${text.replace(/\s+/g, " ").toUpperCase()}`), license.id).toEqual(expected);
    }
  });

  test("finds both licenses of a combined file and distinguishes similar ones", async () => {
    expect(await detectLicenses(`${await textOf("MIT")}\n\nor, at your option\n\n${await textOf("Apache-2.0")}`)).toEqual(["Apache-2.0", "MIT"]);
    const withoutThirdClause = (await textOf("BSD-3-Clause")).replace(/\n3\. [\s\S]*?\n\n/, "\n");
    expect(await detectLicenses(withoutThirdClause)).toEqual(["BSD-2-Clause"]);
  });

  test("does not report other texts as a license", async () => {
    expect(await detectLicenses("")).toEqual([]);
    expect(await detectLicenses("All rights reserved.")).toEqual([]);
    expect(await detectLicenses("This project is under the MIT License, see LICENSE.")).toEqual([]);
    expect(await detectLicenses((await textOf("MIT")).slice(0, 500))).toEqual([]);
    expect(await detectLicenses("permission ".repeat(50_000))).toEqual([]);
  });

  test("recognizes the names of license files", () => {
    for (const name of ["LICENSE", "license.md", "LICENSE-MIT", "COPYING", "COPYING.LESSER", "Licence.txt", "UNLICENSE", "OFL.txt"])
      expect(isLicenseFile(name), name).toBe(true);
    for (const name of ["license.go", "licenses", "my-license", "copyingdir", "license.json", ""]) expect(isLicenseFile(name), name).toBe(false);
  });
});

describe("initial files", () => {
  test("creates a README with the exact bytes", async () => {
    expect(await initialFiles(input)).toEqual([{ path: "README.md", text: "# demo\n\nA demo" }]);
    expect(await initialFiles({ ...input, description: "", readme: "Default" })).toEqual([{ path: "README.md", text: "# demo\n\n" }]);
  });

  test("creates gitignores under headings, and a license with its holder", async () => {
    const files = await initialFiles({ ...input, gitignores: "Go, Node,", license: "MIT" });
    expect(files.map(({ path }) => path)).toEqual(["README.md", ".gitignore", "LICENSE"]);
    const [, gitignore, license] = files;
    expect(gitignore?.text).toBe(`# ---> Go\n${await findGitignore("Go")}\n# ---> Node\n${await findGitignore("Node")}`);
    expect(license?.text).toContain("Copyright (c) 2026 alice\n");
  });

  test("rejects unknown names", async () => {
    await expect(initialFiles({ ...input, readme: "Bogus" })).rejects.toThrow("readme template does not exist, available templates: [Default]");
    await expect(initialFiles({ ...input, readme: "Bogus" })).rejects.toEqual(code("malformed"));
    await expect(initialFiles({ ...input, gitignores: "Go,NoSuch" })).rejects.toEqual(code("invalid"));
    await expect(initialFiles({ ...input, gitignores: "../../etc/passwd" })).rejects.toEqual(code("invalid"));
    await expect(initialFiles({ ...input, license: "NoSuchLicense" })).rejects.toEqual(code("invalid"));
  });
});

test("gitignore templates contain patterns and are sorted by name", async () => {
  const names = await listGitignores();
  expect(names.length).toBeGreaterThan(150);
  expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  for (const name of names) expect(await findGitignore(name), name).toMatch(/\S\n$/);
  expect(await findGitignore("toString")).toBeUndefined();
});

test("label sets contain labels with colors", () => {
  expect(listLabelSets()).toEqual(["Advanced", "Default"]);
  expect(getLabelSet("Default").map(({ name }) => name)).toEqual(["bug", "duplicate", "enhancement", "help wanted", "invalid", "question", "wontfix"]);
  expect(
    findLabelSet("Advanced")
      ?.filter(({ isExclusive }) => isExclusive)
      .every(({ name }) => name.includes("/")),
  ).toBe(true);
  const duplicate = { name: "Reviewed/Duplicate", isExclusive: true, color: "616161", description: "This issue or pull request already exists" };
  expect(getLabelSet("Advanced")).toContainEqual(duplicate);
  for (const set of listLabelSets()) for (const { color } of getLabelSet(set)) expect(color).toMatch(/^[0-9a-f]{6}$/);
  expect(() => chooseLabels("Bogus")).toThrow('failed to load label template file "Bogus": label template "Bogus" not found');
  expect(() => getLabelSet("Bogus")).toThrow("not found");
});

test("presenters link each template to its API address", async () => {
  const urls = createUrls(() => "http://forge.example");
  const license = await getLicense("MIT");
  expect(presentLicenseEntry(license, urls)).toEqual({ key: "MIT", name: "MIT", url: "http://forge.example/api/v1/licenses/MIT" });
  expect(presentLicense(license, urls)).toMatchObject({ key: "MIT", body: license.text });
  expect(presentGitignore(await getGitignore("Go"))).toMatchObject({ name: "Go", source: expect.stringContaining("*.test") });
  expect(presentLabelTemplate({ name: "a/b", isExclusive: true, color: "eeeeee", description: "d" })).toEqual({
    name: "a/b",
    exclusive: true,
    color: "eeeeee",
    description: "d",
  });
});
