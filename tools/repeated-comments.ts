/** A comment that adds nothing to the declaration behind it, with its line. */
export interface RepeatedComment {
  readonly line: number;
  readonly comment: string;
}

const comments = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/|^[ \t]*\/\/ (.*)\n(?![ \t]*\/\/)/gm;

const functionWords = new Set(
  "a an the of in on for to and or is are be its it that which this these with by from at as all each one has have who not if was were their".split(" "),
);

/** Two forms of a word have the same stem: "labels" and "label", "replaces" and "replace". */
function stemOf(word: string): string {
  const lower = word.toLowerCase();
  const ending = ["ing", "ies", "ed", "es", "s", "d"].find((end) => lower.endsWith(end) && lower.length - end.length >= 3) ?? "";
  return lower.slice(0, lower.length - ending.length).slice(0, 6);
}

const wordsOf = (text: string): readonly string[] => text.replace(/([a-z])([A-Z])/g, "$1 $2").match(/[A-Za-z]+/g) ?? [];

/** Finds comments of one plain phrase whose words are all in the first line of the code that follows. */
export function findRepeatedComments(text: string): readonly RepeatedComment[] {
  return [...text.matchAll(comments)].flatMap((match) => {
    const comment = (match[1] ?? match[2] ?? "").replace(/\n\s*\*/g, " ").trim();
    if (!/^[A-Z][A-Za-z ,'-]*\.$/.test(comment)) return [];
    const [code = ""] = text
      .slice(match.index + match[0].length)
      .trimStart()
      .split("\n", 1);
    const inCode = new Set(wordsOf(code).map(stemOf));
    const says = wordsOf(comment).filter((word) => !functionWords.has(word.toLowerCase()));
    if (says.length === 0 || says.some((word) => !inCode.has(stemOf(word)))) return [];
    return [{ line: text.slice(0, match.index).split("\n").length, comment }];
  });
}
