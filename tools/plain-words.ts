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
  { finds: /\b(?:whoever|whomever|whosever)\b/gi, advice: "name the role: the author, the caller, users who" },
  { finds: /\b(?:somebody|nobody)(?:'s)?\b/gi, advice: "a user, another user, no user" },
  // The singular pronoun for people; also as a possessive.
  { finds: /(?<![\w'-])(?:he|him|his|himself)(?![\w'-])/gi, advice: "they, them, the user" },
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
  /\b(?:(?:upper|lower)[- ]case|capital|ASCII|Latin|another) letters?\b|\bletters?(?:,| and| or) (?:a )?(?:digits?|numbers?|marks?|dashes)\b|\bletters? (?:of (?:the alphabet|a name|an?other scripts?|other scripts|every script)|that fold)\b/gi;

/** A sentence that begins with a relative clause in place of a noun, or a fragment such as "Of the first line." */
const relativeStarts = [/(?:^|[.!:] +)(?:What|Who|Whose) (?![^.]*\?)[a-z]/g, /(?:^|[.!:] +)Of [^,]*$/g];
const relativeAdvice = "begin the sentence with its subject";

/** The faults of a file. @param file path from the root @param read is called only for files with prose */
export function findWords(file: string, read: () => string): readonly WordFault[] {
  if (!/\.(md|ts|tsx|mjs|js)$/.test(file)) return [];
  const text = read();
  const prose = proseOf(file, text).flatMap(({ line, words }) => {
    const plain = words.replace(ordinary, "");
    return [
      ...rules.flatMap(({ finds, advice }) => [...plain.matchAll(finds)].map(([word]) => ({ line, word, advice }))),
      ...relativeStarts
        .flatMap((finds) => [...plain.matchAll(finds)])
        .map(([start]) => ({
          line,
          word: start
            .replace(/^[.!:] +/, "")
            .split(" ", 1)
            .join(""),
          advice: relativeAdvice,
        })),
    ];
  });
  return [...prose, ...findNames(file, text)];
}

interface Prose {
  readonly line: number;
  readonly words: string;
}

/** Words that names of the code do not contain, with the standard terms. */
const nameRules: Readonly<Record<string, string>> = {
  asked: "requested",
  nobody: "none, noActor",
  somebody: "user, other",
  stranger: "outsider, visitor",
  door: "route, entry",
  judged: "checked",
  told: "notified, reported",
  tell: "notify, report, announce",
};

/** A member of events that are stored in databases. */
const storedNames: ReadonlySet<string> = new Set(["askedIds"]);

/** The faults of the names that a source declares. */
function findNames(file: string, text: string): readonly WordFault[] {
  if (!/^(?:src|tools|bench)\/.*\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) return [];
  return text.split("\n").flatMap((content, at) =>
    [...content.matchAll(/^\s*(?:export )?(?:async )?(?:const|let|function\*?|interface|type|class|readonly) (\w+)/g)].flatMap(([, name = ""]) => {
      if (storedNames.has(name)) return [];
      const words = name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());
      return words.flatMap((word) => (Object.hasOwn(nameRules, word) ? [{ line: at + 1, word: name, advice: nameRules[word] ?? "" }] : []));
    }),
  );
}

function proseOf(file: string, text: string): readonly Prose[] {
  if (file.endsWith(".md")) return proseOfMarkdown(text);
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
