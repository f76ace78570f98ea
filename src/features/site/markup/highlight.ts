import highlighter from "highlight.js/lib/core";
import { aliases, grammars } from "./highlight-languages.ts";

/** Larger code is shown without colours. */
const maxCodeLength = 200_000;

/** Grammars that others hand parts of their text to. */
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

/** Makes the grammars of some languages ready, and of those they embed. Names without a grammar are ignored. */
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
 * Colours code by the language that it is said to be in; never by guessing.
 * @returns HTML of spans, or undefined for a language whose grammar is not loaded
 */
export function highlightCode(code: string, language: string): string | undefined {
  const grammar = grammarOf(language);
  if (grammar === undefined || code.length > maxCodeLength || highlighter.getLanguage(grammar) === undefined) return undefined;
  return highlighter.highlight(code, { language: grammar, ignoreIllegals: true }).value;
}
