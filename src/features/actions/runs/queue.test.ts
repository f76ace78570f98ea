import { CompiledQuery, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { rowsRead } from "../../../../test/kit/plans.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");

/** Jobs of one repository, each with a rank of its own. */
const queued = 10_000;

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice"]);
  const { alice } = users;

  describe("the queue of jobs", () => {
    test("finding a job among 10,000 costs one statement, which reads the head of the queue from an index", async () => {
      const { db } = forge.context;
      await alice.post("/user/repos", { name: "r", auto_init: true, default_branch: "main" }).expect(201);
      await alice.patch("/repos/alice/r", { has_actions: true }).expect(200);
      const { token } = await alice.post("/repos/alice/r/actions/runners/registration-token", {}).expect(200);
      const runner = await registerRunner(forge.url, token);
      const text = "on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n";
      await alice.post("/repos/alice/r/contents/.gitea/workflows/w.yml", { content: encode(text), message: "add" }).expect(201);
      await forge.settled();
      const columns = sql.raw(
        "run_id, repo_id, position, name, needs, payload, labels, step_names, first_label, timeout_ms, continues_on_error, fails_fast, status, outputs, created_ms",
      );
      await db.tx(async (tx) => {
        await sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < ${sql.lit(queued - 1)})
          insert into action_jobs (${columns}, key, queue_rank) select ${columns}, 'j' || k, 1 + k from n, action_jobs`.execute(tx.sql);
        if (db.dialect === "postgres") await sql`analyze action_jobs`.execute(tx.sql);
      });
      const waiting = await db.sql
        .selectFrom("action_jobs")
        .select((eb) => eb.fn.countAll().as("n"))
        .where("status", "=", "waiting")
        .executeTakeFirstOrThrow();
      expect(Number(waiting.n)).toBe(queued);
      const { result: task, statements, parameters } = await forge.cost(() => runner.fetch());
      expect(task).toBeDefined();
      const finding = statements.flatMap((statement, at) => (statement.includes('order by "j"."queue_rank"') ? [at] : []));
      expect(finding).toHaveLength(1);
      const [at = 0] = finding;
      const [statement = "", values = []] = [statements[at], parameters[at]];
      if (db.dialect === "postgres") expect(await rowsRead(db, statement, values)).toBeLessThan(1_000);
      else {
        const plan = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`, [...values]));
        const details = plan.rows.map(({ detail }) => detail);
        expect(details.filter((detail) => /INDEX action_jobs_(?:repo_)?queue/.test(detail))).toHaveLength(1);
        expect(details.filter((detail) => /^SCAN \w+$|TEMP B-TREE/.test(detail))).toEqual([]);
      }
    });
  });
});
