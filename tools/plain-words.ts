/**
 * Words that the project does not use in comments, test names, interface texts and documentation (STYLE.md, 11). Each has a plain
 * replacement; words with a legitimate use elsewhere are not listed.
 */

/** A word that has to be replaced, with its line. */
export interface WordFault {
  readonly line: number;
  readonly word: string;
  readonly advice: string;
}

interface WordRule {
  readonly finds: RegExp;
  readonly advice: string;
}

const rules: readonly WordRule[] = [
  { finds: /\b(?:whoever|whomever|whosever|whom)\b/gi, advice: "name the role: the author, the caller, users who" },
  { finds: /\b(?:somebody|nobody)(?:'s)?\b/gi, advice: "a user, another user, no user" },
  // The singular pronoun for people; also as a possessive.
  { finds: /(?<![\w'-])(?:he|him|his|himself)(?![\w'-])/g, advice: "they, them, the user" },
  { finds: /\b(?:told|tells?)\b/gi, advice: "says, shows, reports, notifies" },
  { finds: /\bstands?\b(?! for\b)(?!-)/gi, advice: "is, exists" },
  { finds: /\b(?:anew|thrice|therein|hereby)\b/gi, advice: "again, three times, in it" },
  { finds: /\bwish(?:es|ed)?\b/gi, advice: "request, input, want" },
  { finds: /(?<!\bthere )\b(?:is|are|was|were) none\b/gi, advice: "does not exist; is not a ..." },
  { finds: /\bof what\b/gi, advice: "name the thing" },
  { finds: /\bletters?\b/gi, advice: "email; for the alphabet, lower-case letters, letters and digits" },
];

/** Uses of a listed word in its ordinary meaning. */
const ordinary =
  /\b(?:(?:upper|lower)[- ]case|capital|ASCII|Latin|Greek|Cyrillic|single|first|several|hex) letters?\b|\bletters?(?:, (?:a )?| and | or )(?:a )?(?:digits?|numbers?|marks?|underscores?)\b|\bletters? (?:A|a)-|\bletter case\b|\bcase of (?:its |the )?letters?\b/gi;

/** A sentence that begins with a relative clause in place of a noun. */
const relativeStart = /(?:^|[.!:] +)(?:What|Who|Whose|Of) (?![^.]*\?)[a-z]/g;
const relativeAdvice = "begin the sentence with its subject";

/** The faults of a file; none for a file without prose. @param file path from the root */
export function findWords(file: string, text: string): readonly WordFault[] {
  return proseOf(file, text).flatMap(({ line, words }) => {
    const plain = words.replace(ordinary, "");
    return [
      ...rules.flatMap(({ finds, advice }) => [...plain.matchAll(finds)].map(([word]) => ({ line, word, advice }))),
      ...[...plain.matchAll(relativeStart)].map(([start]) => ({ line, word: `${start.replace(/^[.!:] +/, "").slice(0, -2)} ...`, advice: relativeAdvice })),
    ];
  });
}

interface Prose {
  readonly line: number;
  readonly words: string;
}

function proseOf(file: string, text: string): readonly Prose[] {
  if (file.endsWith(".md")) return proseOfMarkdown(text);
  if (!/\.(ts|tsx|mjs|js)$/.test(file)) return [];
  return [...comments(text), ...(/\.test\.tsx?$/.test(file) ? testNames(text) : []), ...(file.endsWith("/english.ts") ? sentences(text) : [])];
}

/** Lines without code, quotations and targets of links. */
function proseOfMarkdown(text: string): readonly Prose[] {
  let isCode = false;
  return text.split("\n").map((content, at) => {
    if (/^\s*```/.test(content)) isCode = !isCode;
    const words = isCode ? "" : unquoted(content.replace(/\]\([^)]*\)/g, "]")).replace(/^[\s|>#*-]+/, "");
    return { line: at + 1, words };
  });
}

/** Quoted words belong to others: messages, names, terms. */
const unquoted = (text: string): string => text.replace(/`[^`]*`|"[^"]*"/g, "x");

function comments(text: string): readonly Prose[] {
  const found: Prose[] = [];
  let isOpen = false;
  for (const [at, content] of text.split("\n").entries()) {
    const begin = isOpen ? 0 : content.search(/(?:^|(?<=\s))\/[/*]/);
    if (begin < 0) continue;
    const comment = content.slice(begin);
    if (comment.startsWith("/*") || isOpen) isOpen = !comment.includes("*/");
    found.push({
      line: at + 1,
      words: unquoted(comment)
        .replace(/^[\s/*]+/, "")
        .replace(/@\w+(?: \{[^}]*\})? ?/g, ""),
    });
  }
  return found;
}

function testNames(text: string): readonly Prose[] {
  return text.split("\n").flatMap((content, at) => {
    const name = /(?:\b(?:test|describe)(?:\.\w+)*|\]|\)|`)\(\s*["`]((?:[^"`\\]|\\.){8,})["`]/.exec(content)?.[1];
    return name === undefined ? [] : [{ line: at + 1, words: name.replace(/\$\{[^}]*\}/g, "x") }];
  });
}

/** Literals of at least three words. */
function sentences(text: string): readonly Prose[] {
  return text.split("\n").flatMap((content, at) =>
    [...content.matchAll(/(["`])((?:(?!\1)[^\\]|\\.)*)\1/g)]
      .map(([, , words = ""]) => words.replace(/\$\{[^}]*\}/g, "x"))
      .filter((words) => words.split(" ").length >= 3)
      .map((words) => ({ line: at + 1, words })),
  );
}
