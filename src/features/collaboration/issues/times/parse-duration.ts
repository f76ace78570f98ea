const unitSeconds: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** Parses `1h 30m` or `90m`; a bare number is minutes. @returns seconds; undefined for an invalid time */
export function readTypedTime(typed: string): number | undefined {
  const text = typed.trim().toLowerCase();
  if (!/^(?:\d{1,6}\s*[wdhms]\s*)+$|^\d{1,6}$/.test(text)) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 60;
  return [...text.matchAll(/(\d+)\s*([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ""] ?? 0), 0);
}

/** Parses `owner/repository#12`, `#12` or `12`. @returns undefined for anything else */
export function readTypedIssue(typed: string, here: { readonly ownerName: string; readonly name: string }) {
  const [, owner = here.ownerName, repository = here.name, number] = /^(?:([\w.-]+)\/([\w.-]+))?#?(\d{1,9})$/.exec(typed.trim()) ?? [];
  return number === undefined ? undefined : { owner, repository, number: Number(number) };
}

/** Parses `ada, ben`. */
export const readTypedNames = (typed: string): readonly string[] => typed.split(/[\s,]+/).filter((name) => name !== "");
