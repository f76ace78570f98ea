import { createRequire } from "node:module";

/** The offered licenses by SPDX id. A pair `-only` and `-or-later` shares one text. */
const offered = `
0BSD AFL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause
BSD-3-Clause-Clear BSD-4-Clause BSL-1.0 CC-BY-4.0 CC-BY-SA-4.0 CC0-1.0 CERN-OHL-P-2.0 CERN-OHL-S-2.0 CERN-OHL-W-2.0 ECL-2.0 EPL-1.0 EPL-2.0
EUPL-1.2 GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later
LPPL-1.3c MIT MIT-0 MPL-2.0 MS-PL MulanPSL-2.0 NCSA ODbL-1.0 OFL-1.1 OSL-3.0 Unlicense UPL-1.0 WTFPL Zlib`
  .trim()
  .split(/\s+/);

/** Corrections for licenses whose SPDX text is one holder's copy, or contains more than the license itself. */
const edits: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  ISC: [
    [/^Copyright \(c\) 2004.*\nCopyright \(c\) 1995.*$/m, "Copyright (c) <year> <copyright holders>"],
    [/^ISC License:$/m, "ISC License"],
    [/\bISC (DISCLAIMS|BE LIABLE)\b/g, "THE AUTHOR $1"],
  ],
  Zlib: [[/^zlib License$/m, "zlib License\n\nCopyright (c) <year> <copyright holders>"]],
  "0BSD": [[/YEAR by AUTHOR EMAIL/, "<year> by <owner>"]],
  // The base text that it adds permissions to is a separate file.
  "LGPL-3.0-only": [[/\n+GNU GENERAL PUBLIC LICENSE\nVersion 3,[\s\S]*$/, "\n"]],
};

/** Wraps lines: SPDX has whole paragraphs in one line. */
const longestLine = 100;
const wrapAt = 78;

interface SpdxLicense {
  readonly name: string;
  readonly licenseText: string;
}

/** src/features/site/license-templates/data/licenses.json: by SPDX id, the name and the text, or the id of the license with the same text. */
export function makeLicenses(): string {
  const known = createRequire(import.meta.url)("spdx-license-list/full.js") as Readonly<Record<string, SpdxLicense>>;
  const entries = offered.map((id) => {
    const license = known[id];
    if (license === undefined) throw new Error(`the SPDX list has no license ${id}`);
    const sameAs = id.replace(/-or-later$/, "-only");
    return [id, sameAs === id ? { name: license.name, text: tidy(id, license.licenseText) } : { name: license.name, sameAs }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

function tidy(id: string, text: string): string {
  const edited = (edits[id] ?? []).reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text.replace(/\r\n/g, "\n"));
  return `${edited
    .split("\n")
    .flatMap(wrap)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

function wrap(line: string): string[] {
  const trimmed = line.trimEnd();
  if (trimmed.length <= longestLine) return [trimmed];
  const indent = /^ */.exec(trimmed)?.[0] ?? "";
  const lines: string[] = [];
  let current = "";
  for (const word of trimmed.trim().split(/\s+/)) {
    if (current !== "" && indent.length + current.length + 1 + word.length > wrapAt) {
      lines.push(indent + current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, indent + current];
}
