import type { MarkdownIt, Token } from "markdown-it";
import { codeBlock } from "../code-block.ts";
import { renderingOf } from "../environment.ts";

export const fenceLanguage = ({ info }: Token): string => info.trim().split(/[\s,{]/, 1)[0] ?? "";

/** Highlights fenced code by its language; indented code is plain. */
export function codeBlocks(md: MarkdownIt): void {
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index] as Token;
    return codeBlock(token.content, fenceLanguage(token), renderingOf(env).highlight);
  };
}
