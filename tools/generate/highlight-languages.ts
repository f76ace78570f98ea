import highlighter from "highlight.js";

/** Languages whose grammars the server carries: those of everyday repositories, without the few giants. */
const chosen = `
ada apache applescript armasm asciidoc awk bash basic c capnproto clojure cmake coffeescript cpp crystal csharp css d dart delphi diff django
dockerfile dos elixir elm erb erlang fortran fsharp gherkin glsl go gradle graphql groovy haml handlebars haskell haxe http ini java javascript
json julia kotlin latex less lisp llvm lua makefile markdown matlab nginx nim nix objectivec ocaml openscad perl pgsql php php-template powershell
prolog properties protobuf puppet python r reasonml ruby rust sas scala scheme scss shell smalltalk sql stylus swift tcl thrift twig typescript
vala vbnet verilog vhdl vim wasm x86asm xml yaml`
  .trim()
  .split(/\s+/);

/** Names that people write and the grammars do not list. */
const furtherAliases: Readonly<Record<string, string>> = {
  "c#": "csharp",
  console: "shell",
  dockerfile: "dockerfile",
  "f#": "fsharp",
  "go-html-template": "handlebars",
  hcl: "ini",
  jsonc: "json",
  json5: "json",
  kts: "kotlin",
  "objective-c": "objectivec",
  protobuf: "protobuf",
  svelte: "xml",
  terraform: "ini",
  tf: "ini",
  toml: "ini",
  vue: "xml",
};

const key = (name: string): string => (/^[a-z][a-z0-9]*$/.test(name) ? name : JSON.stringify(name));

/** src/features/site/markup/highlight-languages.ts: how each grammar is loaded, and which names stand for it. */
export function makeHighlightLanguages(): string {
  const aliases = new Map<string, string>();
  for (const language of chosen) {
    for (const alias of highlighter.getLanguage(language)?.aliases ?? []) if (!chosen.includes(alias)) aliases.set(alias.toLowerCase(), language);
  }
  for (const [alias, language] of Object.entries(furtherAliases)) if (!chosen.includes(alias)) aliases.set(alias, language);
  const sorted = [...aliases].sort(([a], [b]) => (a < b ? -1 : 1));
  return `import type { LanguageFn } from "highlight.js";

// Made by tools/generate/highlight-languages.ts.

/** Loads a grammar. One import each, spelt out, so that a bundle holds them as parts of their own. */
export const grammars: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
${chosen.map((language) => `  ${key(language)}: () => import("highlight.js/lib/languages/${language}"),`).join("\n")}
};

/** Other names of the grammars, in lower case. */
export const aliases: Readonly<Record<string, string>> = {
${sorted.map(([alias, language]) => `  ${key(alias)}: ${JSON.stringify(language)},`).join("\n")}
};
`;
}
