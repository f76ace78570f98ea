import { invalid, malformed, notFound } from "../../../core/errors.ts";
import { findGitignore, joinGitignores } from "./gitignores.ts";
import { findLabelSet, type LabelTemplate } from "./labels.ts";
import { fillLicense, findLicense, type Holder, type License } from "./licenses.ts";
import { fillReadme, readmeTemplates } from "./readmes.ts";

/** @throws ForgeError `not_found` */
export async function getLicense(id: string): Promise<License> {
  const license = await findLicense(id);
  if (license === undefined) throw notFound();
  return license;
}

/** @throws ForgeError `not_found` */
export async function getGitignore(name: string): Promise<{ readonly name: string; readonly text: string }> {
  const text = await findGitignore(name);
  if (text === undefined) throw notFound();
  return { name, text };
}

/** @throws ForgeError `not_found` */
export function getLabelSet(name: string): readonly LabelTemplate[] {
  const labels = findLabelSet(name);
  if (labels === undefined) throw notFound();
  return labels;
}

/** The label set of a new repository. @throws ForgeError `invalid` for an unknown name */
export function chooseLabels(name: string): readonly LabelTemplate[] {
  const labels = findLabelSet(name);
  if (labels === undefined) throw invalid(`failed to load label template file ${JSON.stringify(name)}: label template ${JSON.stringify(name)} not found`);
  return labels;
}

/** The content of a new repository's first commit. */
export interface InitialFilesInput {
  readonly name: string;
  readonly description: string;
  /** Template of the README; empty for the default. */
  readonly readme: string;
  /** Template names, comma separated; empty for none. */
  readonly gitignores: string;
  /** SPDX id; empty for none. */
  readonly license: string;
  readonly holder: Holder;
}

export interface InitialFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a new repository's first commit: a README and the requested templates.
 * @throws ForgeError `malformed` for an unknown README template, `invalid` for an unknown gitignore or license
 */
export async function initialFiles(input: InitialFilesInput): Promise<InitialFile[]> {
  if (input.readme !== "" && !readmeTemplates.includes(input.readme)) {
    throw malformed(`readme template does not exist, available templates: [${readmeTemplates.join(" ")}]`);
  }
  const files: InitialFile[] = [{ path: "README.md", text: fillReadme(input) }];
  const names = input.gitignores.split(",").flatMap((name) => name.trim() || []);
  if (names.length > 0) files.push({ path: ".gitignore", text: joinGitignores(await Promise.all(names.map(chooseGitignore))) });
  if (input.license !== "") {
    const license = await findLicense(input.license);
    if (license === undefined)
      throw invalid(`license template ${JSON.stringify(input.license)} does not exist`, { reason: "template_not_found", field: "license" });
    files.push({ path: "LICENSE", text: fillLicense(license, input.holder) });
  }
  return files;
}

async function chooseGitignore(name: string): Promise<{ readonly name: string; readonly text: string }> {
  const text = await findGitignore(name);
  if (text === undefined) throw invalid(`gitignore template ${JSON.stringify(name)} does not exist`, { reason: "template_not_found", field: "gitignores" });
  return { name, text };
}
