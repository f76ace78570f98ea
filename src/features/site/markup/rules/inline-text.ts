import type { Env, MarkdownIt, StateCore, Token } from "markdown-it";
import { escapeHtml } from "../../../../core/escape-html.ts";
import { findEmoji } from "../emoji.ts";
import { type Rendering, renderingOf } from "../environment.ts";
import { type FoundReference, findReferences, maxReferences } from "../references.ts";

/** Further emoji stay plain characters. */
const maxEmoji = 2_000;

/** Turns words into references and emoji. Skips code; link texts get only emoji, because a link has its own target. */
export function inlineText(md: MarkdownIt): void {
  // Runs after links are found, and before escaped characters are merged with their surroundings: `\#1` is not a reference.
  md.core.ruler.before("text_join", "inline_text", (state) => {
    const rendering = renderingOf(state.env);
    const counts = { emoji: 0 };
    for (const token of state.tokens) {
      if (token.type === "inline" && token.children !== null) token.children = replaceIn(token.children, state, rendering, counts);
    }
  });
  md.renderer.rules.reference = (tokens, index, _options, env) => renderReference(tokens[index] as Token, env);
  md.renderer.rules.emoji = (tokens, index) => renderEmoji(tokens[index] as Token);
}

function replaceIn(tokens: readonly Token[], state: StateCore, rendering: Rendering, counts: { emoji: number }): Token[] {
  const result: Token[] = [];
  let linkDepth = 0;
  for (const token of tokens) {
    linkDepth += linkNesting(token);
    if (token.type !== "text") {
      result.push(token);
      continue;
    }
    const parts = linkDepth > 0 ? [token.content] : findReferences(token.content, rendering.context);
    for (const part of parts) {
      if (typeof part !== "string") result.push(referenceToken(part, token, state, rendering));
      else result.push(...emojiTokens(part, token, state, rendering, counts));
    }
  }
  return result;
}

function linkNesting(token: Token): number {
  if (token.type === "link_open") return 1;
  if (token.type === "link_close") return -1;
  if (token.type !== "html_inline") return 0;
  return /^<a[\s>]/i.test(token.content) ? 1 : /^<\/a\s*>/i.test(token.content) ? -1 : 0;
}

function referenceToken(found: FoundReference, origin: Token, state: StateCore, { references }: Rendering): Token {
  if (references.length >= maxReferences) return textToken(found.text, origin, state);
  const token = new state.Token("reference", "", 0);
  token.content = found.text;
  token.level = origin.level;
  token.meta = { index: references.length };
  references.push(found);
  return token;
}

function emojiTokens(text: string, origin: Token, state: StateCore, { emoji }: Rendering, counts: { emoji: number }): Token[] {
  if (emoji === undefined) return [textToken(text, origin, state)];
  return findEmoji(text, emoji).map((part) => {
    if (typeof part === "string") return textToken(part, origin, state);
    counts.emoji++;
    if (counts.emoji > maxEmoji) return textToken(part.character, origin, state);
    const token = new state.Token("emoji", "", 0);
    token.content = part.character;
    token.level = origin.level;
    token.meta = { description: part.description };
    return token;
  });
}

function textToken(content: string, origin: Token, state: StateCore): Token {
  const token = new state.Token("text", "", 0);
  token.content = content;
  token.level = origin.level;
  return token;
}

const renderReference = (token: Token, env: Env | undefined): string => renderingOf(env).mark((token.meta as { index: number }).index);

const renderEmoji = (token: Token): string =>
  `<span class="emoji" aria-label="${escapeHtml((token.meta as { description: string }).description)}">${token.content}</span>`;
