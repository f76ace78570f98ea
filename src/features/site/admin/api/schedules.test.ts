import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import type { Cron } from "../../../../wire/admin.ts";

eachDialect((dialect) => {
  describe("scheduled tasks", () => {
    test("are listed with their times and can be run at once", async () => {
      await using forge = await startForge({ dialect });
      const { admin } = forge;
      const all = await admin.get<Cron[]>("/admin/cron?limit=50").expect(200);
      const find = async (): Promise<Cron | undefined> =>
        (await admin.get<Cron[]>("/admin/cron?limit=50").expect(200)).find(({ name }) => name === "retention");
      expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).toSorted());
      for (const { name, schedule, next } of all) {
        expect(name).toMatch(/^[a-z_]+$/);
        if (schedule === "-") {
          expect(next).toBe("0001-01-01T00:00:00Z");
          continue;
        }
        expect(schedule).toMatch(/^@every \d+[hm]$/);
        expect(Date.parse(next)).toBeGreaterThan(Date.now());
      }
      const before = await find();
      expect(before).toEqual({ name: "retention", schedule: "@every 24h", next: expect.any(String), prev: "0001-01-01T00:00:00Z", exec_times: 0 });

      await admin.post("/admin/cron/retention").expect(204);
      await forge.settled();
      expect(await find()).toMatchObject({ next: before?.next, exec_times: 1, prev: expect.stringMatching(/^20/) });
      const { db } = forge.context;
      expect(await db.sql.selectFrom("jobs").select("id").where("kind", "=", "schedule.retention").execute()).toEqual([]);
      await admin.post("/admin/cron/none").expect(404);
    });

    test("include all task names of the contract, which run the matching schedules", async () => {
      await using forge = await startForge({ dialect });
      const { admin } = forge;
      const names =
        "update_mirrors repo_health_check check_repo_stats archive_cleanup sync_external_users deleted_branches_cleanup update_migration_poster_id cleanup_hook_task_table cleanup_packages sync_repo_licenses delete_inactive_accounts delete_repo_archives git_gc_repos resync_all_sshkeys resync_all_sshprincipals resync_all_hooks reinit_missing_repos delete_missing_repos delete_generated_repository_avatars delete_old_actions update_checker delete_old_system_notices rebuild_issue_indexer gc_lfs start_schedule_tasks cleanup_actions stop_zombie_tasks stop_endless_tasks cancel_abandoned_jobs".split(
          " ",
        );
      const all = async (): Promise<Map<string, Cron>> =>
        new Map((await admin.get<Cron[]>("/admin/cron?limit=50").expect(200)).map((task) => [task.name, task]));
      const before = await all();
      expect(names.filter((name) => !before.has(name))).toEqual([]);
      // A task whose schedule does not exist would return 404 here.
      for (const name of names) expect([name, (await admin.post(`/admin/cron/${name}`)).status]).toEqual([name, 204]);
      await forge.settled();
      const after = await all();
      expect(after.get("resync_all_hooks")).toMatchObject({ schedule: "-", exec_times: 0 });
      for (const [task, schedule] of [
        ["gc_lfs", "sweep_files"],
        ["delete_missing_repos", "repo_health_check"],
        ["delete_generated_repository_avatars", "sweep_avatars"],
        ["start_schedule_tasks", "start_scheduled_workflows"],
      ] as const) {
        const runs = after.get(schedule)?.exec_times ?? 0;
        expect([task, runs > 0, after.get(task)?.exec_times]).toEqual([task, true, runs]);
      }
    });

    test("are paged without links, in one statement, for administrators only", async () => {
      await using forge = await startForge({ dialect });
      const alice = await forge.createUser("alice");
      const { headers, json } = await forge.admin.get<Cron[]>("/admin/cron?limit=2&page=2");
      expect(json).toHaveLength(2);
      expect(Number(headers.get("x-total-count"))).toBeGreaterThan(4);
      expect(headers.get("link")).toBeNull();
      expect((await forge.cost(() => forge.admin.get("/admin/cron").expect(200))).statements.length).toBeLessThanOrEqual(3);
      expect(await alice.get("/admin/cron").expect(403)).toMatchObject({ message: "user should be the site admin" });
      await alice.post("/admin/cron/retention").expect(403);
      await forge.anonymous.get("/admin/cron").expect(401);
    });
  });
});
