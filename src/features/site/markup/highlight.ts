import highlighter from "highlight.js/lib/core";
import { aliases, grammars } from "./highlight-languages.ts";

/** Larger code is not highlighted. */
const maxCodeLength = 200_000;

/** Grammars that delegate parts of their text to others. */
const embedded: Readonly<Record<string, readonly string[]>> = {
  django: ["xml"],
  dockerfile: ["bash"],
  erb: ["xml", "ruby"],
  haml: ["ruby"],
  handlebars: ["xml"],
  http: ["json", "xml"],
  javascript: ["xml", "css"],
  markdown: ["xml"],
  "php-template": ["xml", "php"],
  php: ["xml"],
  shell: ["bash"],
  twig: ["xml"],
  typescript: ["xml", "css"],
  xml: ["css", "javascript"],
};

const grammarOf = (language: string): string | undefined => {
  const name = language.toLowerCase();
  const grammar = aliases[name] ?? name;
  return Object.hasOwn(grammars, grammar) ? grammar : undefined;
};

/** Loads the grammars of some languages and of those that they embed. Unknown names are ignored. */
export async function loadGrammars(languages: Iterable<string>): Promise<void> {
  const wanted = new Set<string>();
  for (const language of languages) {
    const grammar = grammarOf(language);
    if (grammar !== undefined) for (const name of [grammar, ...(embedded[grammar] ?? [])]) wanted.add(name);
  }
  for (const name of wanted) {
    if (highlighter.getLanguage(name) !== undefined) continue;
    const grammar = await grammars[name]?.();
    if (grammar !== undefined) highlighter.registerLanguage(name, grammar.default);
  }
}

/**
 * Highlights code in a named language, without guessing.
 * @returns HTML of spans, or undefined for a language whose grammar is not loaded
 */
export function highlightCode(code: string, language: string): string | undefined {
  const grammar = grammarOf(language);
  if (grammar === undefined || code.length > maxCodeLength || highlighter.getLanguage(grammar) === undefined) return undefined;
  return highlighter.highlight(code, { language: grammar, ignoreIllegals: true }).value;
}
