import * as linguist from "linguist-languages";

interface Language {
  readonly name: string;
  readonly type: "programming" | "markup" | "data" | "prose";
  readonly group?: string;
  readonly extensions?: readonly string[];
  readonly filenames?: readonly string[];
  readonly interpreters?: readonly string[];
}

/**
 * The most common language of an extension or interpreter that several languages claim. `-`: ambiguous, or a language that does not count.
 * Other extensions belong to the first language that lists them.
 */
const preferred: Readonly<Record<string, string>> = parsePairs(`
  .asc - .b - .bas BASIC .bb - .bf Brainfuck .bs BrighterScript .ch xBase .cl OpenCL .cls TeX .cp C++ .d D .e Eiffel .es JavaScript
  .f Fortran .fcgi - .for Fortran .fpp Fortran .fr - .frag GLSL .fs F# .ftl FreeMarker .fx HLSL .g - .gd GDScript .gml - .gs JavaScript
  .h C .hh C++ .html HTML .i - .inc - .j Objective-J .k - .ks - .l Lex .lp - .ls LiveScript .m Objective-C .md - .ml OCaml .mo Modelica
  .mod - .moo - .ms - .n - .nl - .nu Nushell .p - .php PHP .pl Perl .pm Perl .pp Puppet .pro - .q q .r R .re Reason .rs Rust .s Assembly
  .sc Scala .scm Scheme .sls - .sol Solidity .spec - .sql - .st Smalltalk .t Perl .toc - .tpl Smarty .tst - .txt - .uc UnrealScript
  .v Verilog .w - .workflow - .x - bun TypeScript deno TypeScript node JavaScript perl Perl perl6 Raku`);

function parsePairs(text: string): Record<string, string> {
  const words = text.trim().split(/\s+/);
  return Object.fromEntries(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""]] : [])));
}

type Claim = { readonly language: Language; readonly rank: number };

/**
 * src/features/repositories/repos/data/languages.json: the language of each extension, file name and interpreter, for languages that count
 * in statistics.
 */
export function makeProgrammingLanguages(): string {
  const languages: readonly Language[] = Object.values(linguist).filter(
    (value): value is typeof value & Language => typeof value === "object" && "name" in value,
  );
  const tables = {
    extensions: settle(languages, (language) => language.extensions),
    filenames: settle(languages, (language) => language.filenames),
    interpreters: settle(languages, (language) => language.interpreters),
  };
  return `${JSON.stringify(tables, null, 2)}\n`;
}

function settle(languages: readonly Language[], claimed: (language: Language) => readonly string[] | undefined): Record<string, string> {
  const claims = new Map<string, Claim[]>();
  for (const language of languages) {
    for (const [rank, key] of (claimed(language) ?? []).entries()) claims.set(key, [...(claims.get(key) ?? []), { language, rank }]);
  }
  const settled = [...claims].flatMap(([key, candidates]): [string, string][] => {
    const { language } = choose(key, candidates);
    return language?.type === "programming" || language?.type === "markup" ? [[key, language.group ?? language.name]] : [];
  });
  return Object.fromEntries(settled.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function choose(key: string, candidates: readonly Claim[]): { language: Language | undefined } {
  const wanted = preferred[key];
  if (wanted === "-") return { language: undefined };
  const named = candidates.find(({ language }) => language.name === wanted);
  if (wanted !== undefined && named === undefined) throw new Error(`${key} has no language named ${wanted}`);
  const [first] = [...candidates].sort((a, b) => a.rank - b.rank || (a.language.name < b.language.name ? -1 : 1));
  return { language: (named ?? first)?.language };
}
