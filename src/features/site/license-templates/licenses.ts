/** A license in the generated table; `sameAs` names the license with the same text. */
interface LicenseEntry {
  readonly name: string;
  readonly text?: string;
  readonly sameAs?: string;
}

export interface License {
  /** SPDX id. */
  readonly id: string;
  readonly name: string;
  /** With placeholders for year and holder if the license has them. */
  readonly text: string;
}

export interface Holder {
  readonly year: number;
  readonly name: string;
}

/** Loaded on first use, because most processes never need a license. */
async function loadTable(): Promise<ReadonlyMap<string, LicenseEntry>> {
  const { default: entries } = await import("./data/licenses.json", { with: { type: "json" } });
  return new Map(Object.entries(entries));
}

export async function listLicenses(): Promise<License[]> {
  const table = await loadTable();
  return [...table.keys()].flatMap((id) => licenseOf(table, id) ?? []);
}

/** @param id SPDX id, in any case */
export async function findLicense(id: string): Promise<License | undefined> {
  const table = await loadTable();
  const folded = id.toLowerCase();
  const exact = table.has(id) ? id : [...table.keys()].find((key) => key.toLowerCase() === folded);
  return exact === undefined ? undefined : licenseOf(table, exact);
}

function licenseOf(table: ReadonlyMap<string, LicenseEntry>, id: string): License | undefined {
  const entry = table.get(id);
  const text = entry?.text ?? table.get(entry?.sameAs ?? "")?.text;
  return entry === undefined || text === undefined ? undefined : { id, name: entry.name, text };
}

const yearPlaceholder = /<year>|\[(?:year|yyyy)\]|\[xxxx\](?:-\[xxxx\])?/gi;
const holderPlaceholder =
  /<(?:owner|copyright holders?|owner organization name)>|\[(?:name of copyright (?:owner|holder)|copyright holders|owner organization)\]/gi;

/** The GNU licenses contain such lines as an example for the user's own files. */
const isExample = (id: string): boolean => /^[AL]?GPL-/.test(id);

/** The text of a LICENSE file, with year and holder in its copyright lines. */
export function fillLicense(license: License, holder: Holder): string {
  if (isExample(license.id)) return license.text;
  return license.text
    .split("\n")
    .map((line) => (/^\s*copyright\b/i.test(line) ? line.replace(yearPlaceholder, String(holder.year)).replace(holderPlaceholder, () => holder.name) : line))
    .join("\n");
}
