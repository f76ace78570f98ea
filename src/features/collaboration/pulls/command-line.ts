import { shellWord } from "../../../core/shell-word.ts";

/** Commands for a clone of the base repository: to check out the head of a pull request, and to merge it. */
export function commandsOf({ number, baseBranch }: { readonly number: number; readonly baseBranch: string }): {
  readonly checkOut: string;
  readonly merge: string;
} {
  const head = `pull-${number}`;
  const base = shellWord(baseBranch);
  return {
    checkOut: `git fetch origin pull/${number}/head:${head}\ngit checkout ${head}`,
    merge: `git checkout ${base}\ngit pull --ff-only origin ${base}\ngit merge --no-ff ${head}\ngit push origin ${base}`,
  };
}
