import type { Tx } from "../../../../../db/db.ts";
import { hasSearchText, insertSearchText } from "../store/search.ts";
import { listEntryTexts, listIssueTexts } from "../store/texts.ts";

const limit = 500;

/** Adds all issues and comments to the search index, which must be empty. */
export async function buildSearchIndex(tx: Tx): Promise<void> {
  for (let after = 0; ; ) {
    const issues = await listIssueTexts(tx, { after, limit });
    for (const { id, title, content } of issues) await insertSearchText(tx, "issue_texts", id, `${title}\n${content}`);
    const last = issues.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  for (let after = 0; ; ) {
    const entries = await listEntryTexts(tx, { after, limit });
    for (const entry of entries) if (hasSearchText(entry)) await insertSearchText(tx, "comment_texts", entry.id, entry.content);
    const last = entries.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
}
