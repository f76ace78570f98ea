import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../../test/kit/forge.ts";
import type { Job } from "../../../../wire/admin.ts";

// No worker handles jobs of this kind, so they keep their state.
const kind = "test.nobody";

eachDialect((dialect) => {
  let forge: TestForge;
  beforeAll(async () => {
    forge = await startForge({ dialect });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const put = (dedupeKey: string) =>
    forge.context.db.tx(async (tx) => {
      const { id } = await tx.sql
        .insertInto("jobs")
        .values({
          kind,
          payload: "{}",
          dedupe_key: dedupeKey,
          state: "failed",
          run_at_ms: 5,
          attempts: 8,
          lease_until_ms: null,
          created_ms: 1_000,
          last_error: "broken",
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return Number(id);
    });
  const idsOf = async (state: string): Promise<readonly number[]> => {
    const jobs = await forge.admin.get<Job[]>(`/admin/jobs?state=${state}&limit=50`).expect(200);
    return jobs.filter((job) => job.kind === kind).map(({ id }) => id);
  };

  describe("failed jobs", () => {
    test("are listed newest first, in pages", async () => {
      const ids = [await put("a"), await put("b"), await put("c")];
      const { headers, json } = await forge.admin.get<Job[]>("/admin/jobs?limit=2&page=2");
      expect([json, headers.get("x-total-count")]).toMatchObject([[{ id: ids[0], kind, state: "failed", attempts: 8, last_error: "broken" }], "3"]);
      expect((await forge.admin.get("/admin/jobs?limit=2&page=9")).headers.get("x-total-count")).toBe("3");
      expect(await idsOf("failed")).toEqual(ids.toReversed());
      expect(await idsOf("running")).toEqual([]);
    });

    test("are retried or dropped, and an identical waiting job makes a retry unnecessary", async () => {
      const [first, second, third] = [await put("same"), await put("same"), await put("same")];
      await forge.admin.post(`/admin/jobs/${first}/retry`).expect(204);
      await forge.admin.post(`/admin/jobs/${second}/retry`).expect(204);
      await forge.admin.delete(`/admin/jobs/${third}`).expect(204);
      expect(await idsOf("waiting")).toEqual([first]);
      for (const gone of [first, second, third]) await forge.admin.post(`/admin/jobs/${gone}/retry`).expect(404);
      const { entries } = await forge.admin.get("/admin/audit?action=job").expect(200);
      expect(entries).toHaveLength(3);
    });
  });
});
