import type { MarkdownIt, Token } from "markdown-it";
import { codeBlock } from "../code-block.ts";
import { renderingOf } from "../environment.ts";

/** The language that a fence names. */
export const fenceLanguage = ({ info }: Token): string => info.trim().split(/[\s,{]/, 1)[0] ?? "";

/** Fenced code is coloured by its language; indented code is shown as it is. */
export function codeBlocks(md: MarkdownIt): void {
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index] as Token;
    return codeBlock(token.content, fenceLanguage(token), renderingOf(env).highlight);
  };
}
