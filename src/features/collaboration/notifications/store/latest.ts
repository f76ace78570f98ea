import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";
import type { LatestNews } from "../model.ts";

/** Characters of a comment that an excerpt is made of. */
const readLength = 500;

interface Row {
  readonly id: number;
  readonly content: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatar: string | null;
}

/** The latest comment of threads, the author of an issue without comments, or a release with its author, by thread. One statement, none without threads. */
export async function loadLatest(db: Reader, threadIds: readonly number[]): Promise<ReadonlyMap<number, LatestNews>> {
  if (threadIds.length === 0) return new Map();
  const { rows } = await sql<Row>`select n.id, substr(coalesce(c.content, rl.note), 1, ${readLength}) as content, a.name, a.email, a.avatar
    from notifications n
    left join comments c on c.id = n.comment_id
    left join issues i on i.id = n.issue_id
    left join releases rl on rl.id = n.release_id
    left join accounts a on a.id = case when c.id is not null then c.poster_id else coalesce(i.poster_id, rl.author_id) end
    where ${anyOf(db, sql.ref<number>("n.id"), threadIds)}`.execute(db.sql);
  return new Map(
    rows.flatMap(({ id, content, name, email, avatar }) =>
      name === null ? [] : [[id, { author: { name, email: email ?? "", avatar: avatar ?? "" }, content: content ?? "" }] as const],
    ),
  );
}
