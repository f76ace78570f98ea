import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository.ts";

/** A fenced block of a Markdown page. */
export interface FencedBlock {
  /** First word of the info string: `sh`, `toml`, `nginx`. */
  readonly language: string;
  /** The rest of the info string. */
  readonly mark: string;
  readonly text: string;
  readonly line: number;
}

/** The fenced blocks of a page of docs/, without the indentation of lists. */
export function readBlocks(page: string): FencedBlock[] {
  const lines = readFileSync(join(repositoryRoot, "docs", page), "utf8").split("\n");
  const blocks: FencedBlock[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, language, mark = ""] = /^( *)```(\w+)(?: (.+))?$/.exec(lines[at] ?? "") ?? [];
    if (indent === undefined || language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at);
    if (end < 0) throw new Error(`${page}:${at + 1}: the block is not closed`);
    blocks.push({
      language,
      mark,
      text: `${lines
        .slice(at + 1, end)
        .map((line) => line.slice(indent.length))
        .join("\n")}\n`,
      line: at + 1,
    });
    at = end;
  }
  return blocks;
}
