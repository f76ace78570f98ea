import { sql } from "kysely";
import type { Tx } from "../../../../db/db.ts";

/** Adds all repositories to the search index, which must be empty. Afterwards, triggers maintain it. */
export async function insertRepositoryTexts(tx: Tx): Promise<void> {
  const id = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  const joined = tx.dialect === "sqlite" ? sql`group_concat(t.name, ' ')` : sql`string_agg(t.name, ' ')`;
  await sql`insert into repository_texts (${id}, owner, name, topics, description)
    select r.id, o.name_folded, r.name_folded,
      coalesce((select ${joined} from repository_topics rt join topics t on t.id = rt.topic_id where rt.repo_id = r.id), ''),
      lower(r.description)
    from repositories r join accounts o on o.id = r.owner_id`.execute(tx.sql);
}
