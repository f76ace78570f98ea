import { sql } from "kysely";
import { expect, test } from "vitest";
import { onPostgres } from "../../../../../test/kit/databases.ts";
import { findFollowers, notify, notifyFollowersAmong, notifyOpenFollowers } from "./recipients.ts";

onPostgres((dialect) => {
  test("PostgreSQL keeps the plans of the statements that notify of one issue", async () => {
    await using database = await dialect.open();
    const news = { issueIds: [1], actorId: 1, commentId: null };
    const plans = await database.db.tx(async (tx) => {
      for (let at = 0; at < 20; at += 1) {
        await findFollowers(tx, news);
        await notifyOpenFollowers(tx, news);
        await notifyFollowersAmong(tx, news, [2]);
        await notify(tx, news, { mentionedIds: [2], askedIds: [], assigneeIds: [] });
      }
      const { rows } = await sql<{ custom: number; kept: number }>`select custom_plans as custom, generic_plans as kept
        from pg_prepared_statements where statement like '%notifications%' or statement like '%listening%'`.execute(tx.sql);
      return rows;
    });
    // PostgreSQL tries five plans for the values before it keeps one for all.
    expect(plans).toEqual(Array(4).fill({ custom: 5, kept: 15 }));
  });
});
