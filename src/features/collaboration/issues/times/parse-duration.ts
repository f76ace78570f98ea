const unitSeconds: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** `1h 30m` or `90m`, as people write times; a number alone is minutes. @returns seconds; undefined for what is none */
export function readTypedTime(typed: string): number | undefined {
  const text = typed.trim().toLowerCase();
  if (!/^(?:\d{1,6}\s*[wdhms]\s*)+$|^\d{1,6}$/.test(text)) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 60;
  return [...text.matchAll(/(\d+)\s*([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ""] ?? 0), 0);
}

/** `owner/repository#12`, `#12` or `12`. @returns undefined for what names no issue */
export function readTypedIssue(typed: string, here: { readonly ownerName: string; readonly name: string }) {
  const [, owner = here.ownerName, repository = here.name, number] = /^(?:([\w.-]+)\/([\w.-]+))?#?(\d{1,9})$/.exec(typed.trim()) ?? [];
  return number === undefined ? undefined : { owner, repository, number: Number(number) };
}

/** `ada, ben`. */
export const readTypedNames = (typed: string): readonly string[] => typed.split(/[\s,]+/).filter((name) => name !== "");
