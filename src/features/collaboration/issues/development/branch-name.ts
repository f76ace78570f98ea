const maxWordsLength = 60;

/**
 * The proposed name of a branch for an issue: its number and the words of its title.
 * @param taken names that cannot be used
 */
export function branchNameFor({ number, title }: { readonly number: number; readonly title: string }, taken: readonly string[]): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  let name = String(number);
  for (const word of words) {
    const fits = name.length + 1 + word.length <= maxWordsLength;
    // Some languages have no spaces between words.
    if (fits || name === String(number)) name += `-${fits ? word : [...word].slice(0, maxWordsLength / 2).join("")}`;
    if (!fits) break;
  }
  let free = name;
  for (let copy = 2; taken.includes(free); copy += 1) free = `${name}-${copy}`;
  return free;
}
