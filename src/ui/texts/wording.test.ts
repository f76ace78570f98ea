import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Words of pages that readers found odd, or that have another name on other pages. */

const sources = (language: string): readonly (readonly [file: string, text: string])[] =>
  globSync(`src/**/texts/**/${language}.ts`).map((file) => [file, readFileSync(file, "utf8")] as const);

const found = (language: string, odd: RegExp): readonly string[] =>
  sources(language).flatMap(([file, text]) => [...text.matchAll(odd)].map(([words]) => `${file}: ${words}`));

test("English texts have the usual words of forges", () => {
  const odd = [
    ...["watch no more", "take the star off", "came into", "took (?:this out|off|back)", "asked for (?:a review|changes)", "wait no more", "holds back"],
    ...["stopwatch", "throw (?:it|the)", "tick(?:ed)? all", "what is (?:told|ticked)", "no longer assign", "nothing fits", "somebody", "nobody", "everybody"],
    ...[
      "set this review aside",
      "let it count",
      "the customary one",
      "in spite of",
      "carry it over",
      "bring the branch back",
      "what you say",
      "comment at once",
    ],
    ...["begin with", "since they parted", "worked on last", "deleted lately", "keep no longer", "interface for programs", "your work", "take it over"],
    ...[
      "type x to go on",
      "let (?:somebody|no application) in",
      "send it again",
      "make a token",
      "what it may do",
      "front page",
      "not now",
      "letters? (?:about|is)",
    ],
  ];
  expect(sources("english").length).toBeGreaterThan(60);
  expect(found("english", new RegExp(`["\`][^"\`]*\\b(?:${odd.join("|")})\\b[^"\`]*["\`]`, "gi"))).toEqual([]);
});

test("German texts have one spelling of each term", () => {
  const odd = [
    "Repositories",
    "Pull Requests?",
    "Standard-Branch",
    "Ziel-Branch",
    "\\w*[Bb]ranchs",
    "Zugriffstokens",
    "Vorheriges Tag",
    "Statusprüfung(?:en)?",
    "[Zz]usammengeführt",
  ];
  odd.push("Loslösen", "losgelöst", "Neuer Issue", "Workflow-Läufe", "Briefe?");
  expect(sources("german").length).toBeGreaterThan(60);
  expect(found("german", new RegExp(`(?<![.\\w])(?:${odd.join("|")})(?![\\w:])`, "g"))).toEqual([]);
});

test("hints of fields are sentences, and describe the characters of names with the words that all forms share", () => {
  // A severity, and texts that are no hints below a field.
  const isOther = (name: string, hint: string): boolean => ["Hint", "Hinweis"].includes(hint) || ["searchHint", "migrateHint"].includes(name);
  const hints = ["english", "german"].flatMap((language) =>
    sources(language).flatMap(([file, text]) => [...text.matchAll(/(\w*[hH]int): "([^"]*)"/g)].map(([, name = "", hint = ""]) => ({ file, name, hint }))),
  );
  const own = hints.filter(({ name, hint }) => !isOther(name, hint));
  expect(own.length).toBeGreaterThan(200);
  expect(own.filter(({ hint }) => !/[.:?]$/.test(hint))).toEqual([]);
  expect(own.filter(({ hint }) => /(?<!lower-case )\bletters\b|\bBuchstaben\b/i.test(hint))).toEqual([]);
});
