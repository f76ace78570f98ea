import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { operator } from "../../../access/actor.ts";
import { beginTrial, endTrial } from "../../../db/trial.ts";
import { Result } from "../../../wire/actions-protocol/runner.ts";
import { findRepositoryById } from "../../repositories/repos/service/find.ts";
import { startForTime } from "./listener/events.ts";
import { cronAt, nextTime } from "./service/cron.ts";
import { approve } from "./service/manage.ts";

const job = "jobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n";
const encode = (text: string): string => Buffer.from(text).toString("base64");

describe("times of schedules", () => {
  const at = Date.UTC(2026, 0, 31, 23, 58);

  test("are computed in UTC, the earliest of several expressions first", () => {
    expect(nextTime(["0 6 * * 1", "*/15 * * * *"], at)).toBe(Date.UTC(2026, 1, 1, 0, 0));
    expect(nextTime(["0 6 * * 1"], at)).toBe(Date.UTC(2026, 1, 2, 6, 0));
    expect(cronAt(["0 6 * * 1", "*/15 * * * *"], Date.UTC(2026, 1, 1, 0, 0))).toBe("*/15 * * * *");
  });

  test("do not exist for dates that never come, and for invalid expressions", () => {
    expect(nextTime(["0 0 30 2 *"], at)).toBeUndefined();
    expect(nextTime(["61 * * * *", "* * * * * *"], at)).toBeUndefined();
  });
});

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  async function repository(triggers: string) {
    number += 1;
    const name = `r${number}`;
    const path = `/repos/alice/${name}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    const write = (file: string, text: string, more: object = {}) =>
      alice.post(`${path}/contents/.gitea/workflows/${file}`, { content: encode(text), message: `add ${file}`, ...more }).expect(201);
    await write("w.yml", `name: Follow\non:\n${triggers}${job}`);
    await forge.settled();
    return { name, path, write };
  }

  const runsOf = async (repo: string) => {
    await forge.settled();
    const rows = await forge.context.db.sql
      .selectFrom("action_runs as a")
      .innerJoin("repositories as r", "r.id", "a.repo_id")
      .selectAll("a")
      .where("r.name", "=", repo)
      .orderBy("a.id")
      .execute();
    return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) }));
  };
  const shortly = async (repo: string) => (await runsOf(repo)).map(({ trigger, payload, title, ref }) => [trigger, payload.action, title, ref]);

  describe("triggers of workflows", () => {
    test("issues and comments start the workflows of the default branch, for the selected activity types", async () => {
      const { name, path } = await repository("  issues: {types: [opened, labeled, unlabeled, closed, pinned, milestoned]}\n  issue_comment:\n");
      const label = await alice.post(`${path}/labels`, { name: "bug", color: "#ff0000" }).expect(201);
      const milestone = await alice.post(`${path}/milestones`, { title: "1.0" }).expect(201);
      await bob.post(`${path}/issues`, { title: "Broken" }).expect(201);
      await alice.post(`${path}/issues/1/labels`, { labels: [label.id] }).expect(200);
      await alice.delete(`${path}/issues/1/labels/${label.id}`).expect(204);
      await alice.patch(`${path}/issues/1`, { milestone: milestone.id, body: "edited" }).expect(201);
      await alice.post(`${path}/issues/1/pin`).expect(204);
      const comment = await bob.post(`${path}/issues/1/comments`, { body: "too" }).expect(201);
      await bob.patch(`/repos/alice/${name}/issues/comments/${comment.id}`, { body: "me too" }).expect(200);
      await bob.delete(`/repos/alice/${name}/issues/comments/${comment.id}`).expect(204);
      await alice.patch(`${path}/issues/1`, { state: "closed" }).expect(201);
      // Events of one moment can start runs in any order.
      expect((await shortly(name)).sort()).toEqual(
        [
          ["issues", "opened", "Broken", "refs/heads/main"],
          ["issues", "labeled", "Broken", "refs/heads/main"],
          ["issues", "unlabeled", "Broken", "refs/heads/main"],
          ["issues", "milestoned", "Broken", "refs/heads/main"],
          ["issues", "pinned", "Broken", "refs/heads/main"],
          ["issue_comment", "created", "Broken", "refs/heads/main"],
          ["issue_comment", "edited", "Broken", "refs/heads/main"],
          ["issue_comment", "deleted", "Broken", "refs/heads/main"],
          ["issues", "closed", "Broken", "refs/heads/main"],
        ].sort(),
      );
      const runs = await runsOf(name);
      const payloadOf = (action: string) => runs.find(({ payload }) => payload.action === action)?.payload;
      expect(payloadOf("labeled")).toMatchObject({ label: { name: "bug" }, issue: { number: 1, title: "Broken" }, repository: { full_name: `alice/${name}` } });
      expect(payloadOf("created")).toMatchObject({ comment: { id: comment.id }, sender: { login: "bob" } });
      const opened = runs.find(({ payload }) => payload.action === "opened");
      expect(opened).toMatchObject({ actor_id: bob.id, oid: (await alice.get(`${path}/branches/main`).expect(200)).commit.id });
    });

    test("activities and reviews of pull requests start the workflows of the head; code of a fork waits although a writer labels it", async () => {
      const { name, path } = await repository("  pull_request: {types: [labeled, ready_for_review, closed]}\n  pull_request_review: {types: [submitted]}\n");
      const change = (branch: string) => ({ content: encode("x"), message: "change", new_branch: branch });
      await alice.post(`${path}/contents/own.txt`, change("own")).expect(201);
      await alice.post(`${path}/pulls`, { title: "WIP: Own", head: "own", base: "main" }).expect(201);
      await alice.patch(`${path}/pulls/1`, { title: "Own" }).expect(201);
      await bob.post(`${path}/forks`, { name: `fork${number}` }).expect(202);
      await bob.post(`/repos/bob/fork${number}/contents/theirs.txt`, change("theirs")).expect(201);
      await bob.post(`${path}/pulls`, { title: "Theirs", head: "bob:theirs", base: "main" }).expect(201);
      const label = await alice.post(`${path}/labels`, { name: "bug", color: "#ff0000" }).expect(201);
      await alice.post(`${path}/issues/2/labels`, { labels: [label.id] }).expect(200);
      await alice.post(`${path}/pulls/2/reviews`, { event: "APPROVED", body: "fine" }).expect(200);
      await alice.post(`${path}/pulls/1/merge`, { Do: "merge" }).expect(200);
      const runs = (await runsOf(name)).sort((a, b) => (a.event_id ?? 0) - (b.event_id ?? 0));
      expect(runs.map(({ trigger, payload, ref, status, is_from_fork }) => [trigger, payload.action, ref, status, is_from_fork])).toEqual([
        ["pull_request", "ready_for_review", "refs/pull/1/head", "queued", 0],
        ["pull_request", "labeled", "refs/pull/2/head", "waiting", 1],
        ["pull_request_review", "submitted", "refs/pull/2/head", "waiting", 1],
        ["pull_request", "closed", "refs/pull/1/head", "queued", 0],
      ]);
      expect(runs[2]?.payload).toMatchObject({ review: { state: "approved", body: "fine", user: { login: "alice" } }, pull_request: { number: 2 } });
      const { statuses } = await alice.get(`${path}/commits/${runs[2]?.oid}/status`).expect(200);
      expect(statuses.map(({ context }: { context: string }) => context)).toContain("Follow / a (pull_request_review)");
      // An approval is for the commit: other runs of it do not wait.
      await forge.context.db.tx((tx) =>
        tx.sql
          .updateTable("action_runs")
          .set({ needs_approval: 0, approver_id: alice.id })
          .where("id", "=", runs[1]?.id ?? 0)
          .execute(),
      );
      await alice.post(`${path}/pulls/2/reviews`, { event: "COMMENT", body: "again" }).expect(200);
      expect((await runsOf(name)).at(-1)).toMatchObject({ trigger: "pull_request_review", status: "queued", needs_approval: 0, is_from_fork: 1 });
    });

    test("no event, actor or permission gives a secret or a writing token to the code of a fork", async () => {
      const activities = "opened, edited, closed, reopened, synchronize, labeled, unlabeled, assigned, unassigned, milestoned, demilestoned, locked, unlocked";
      const more = "review_requested, review_request_removed, converted_to_draft, ready_for_review, auto_merge_enabled, auto_merge_disabled";
      const { name, path } = await repository(
        `  pull_request: {types: [${activities}, ${more}]}\n  pull_request_review:\n  pull_request_target: {types: [${activities}, ${more}]}\n  issue_comment:\npermissions: write-all\n`,
      );
      await alice.put(`${path}/actions/secrets/KEY`, { data: "hidden-word" }).expect(201);
      await alice.put("/user/actions/secrets/OWN", { data: "hidden-word-2" }).expect(201);
      const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
      const runner = await registerRunner(forge.url, token);
      const label = await alice.post(`${path}/labels`, { name: "bug", color: "#ff0000" }).expect(201);
      const milestone = await alice.post(`${path}/milestones`, { title: "1.0" }).expect(201);
      await bob.post(`${path}/forks`, { name: `fork${number}` }).expect(202);
      const fork = `/repos/bob/fork${number}`;
      await bob.post(`${fork}/contents/theirs.txt`, { content: encode("x"), message: "change", new_branch: "theirs" }).expect(201);
      await bob.post(`${path}/pulls`, { title: "Theirs", head: "bob:theirs", base: "main" }).expect(201);
      const issue = `${path}/issues/1`;
      // The author, and a user with write access.
      for (const user of [bob, alice]) {
        await user.patch(`${path}/pulls/1`, { title: `WIP: by ${user.name}` }).expect(201);
        await user.patch(`${path}/pulls/1`, { title: `by ${user.name}` }).expect(201);
        await user.patch(`${path}/pulls/1`, { state: "closed" }).expect(201);
        await user.patch(`${path}/pulls/1`, { state: "open" }).expect(201);
        await user.post(`${issue}/comments`, { body: "text" }).expect(201);
        await user.post(`${path}/pulls/1/reviews`, { event: "COMMENT", body: "text" }).expect(200);
      }
      await alice.post(`${issue}/labels`, { labels: [label.id] }).expect(200);
      await alice.delete(`${issue}/labels/${label.id}`).expect(204);
      await alice.patch(issue, { milestone: milestone.id }).expect(201);
      await alice.patch(issue, { milestone: 0 }).expect(201);
      await alice.patch(issue, { assignees: ["alice"] }).expect(201);
      await alice.patch(issue, { assignees: [] }).expect(201);
      await alice.put(`${issue}/lock`, {}).expect(204);
      await alice.delete(`${issue}/lock`).expect(204);
      await bob.post(`${fork}/contents/more.txt`, { content: encode("x"), message: "more", branch: "theirs" }).expect(201);
      const runs = await runsOf(name);
      const ofFork = runs.filter(({ trigger }) => trigger === "pull_request" || trigger === "pull_request_review");
      const seen = new Set(ofFork.map(({ payload }) => payload.action));
      for (const activity of activities.split(", ")) expect([activity, seen.has(activity)]).toEqual([activity, true]);
      expect(new Set(ofFork.map(({ is_from_fork, needs_approval, status, problems }) => `${is_from_fork} ${needs_approval} ${status} ${problems}`))).toEqual(
        new Set(["1 1 waiting []"]),
      );
      const place = await findRepositoryById(forge.context, runs[0]?.repo_id ?? 0, operator);
      for (const { id } of ofFork) await approve({ db: forge.context.db }, { ...operator, id: alice.id }, place, id);
      await forge.settled();
      const base = (await alice.get(`${path}/branches/main`).expect(200)).commit.id;
      let forkTasks = 0;
      for (let task = await runner.fetch(); task !== undefined; task = await runner.fetch(0)) {
        const names = Object.keys(task.secrets).sort();
        if (["pull_request", "pull_request_review"].includes(String(task.context?.event_name))) {
          forkTasks += 1;
          expect(names).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
          const answer = await fetch(`${forge.url}/api/v1${path}/issues/1/comments`, {
            method: "POST",
            headers: { authorization: `token ${task.secrets.GITHUB_TOKEN}`, "content-type": "application/json" },
            body: '{"body":"x"}',
          });
          expect(answer.status).toBe(403);
        } else expect([task.context?.sha, names]).toEqual([base, ["GITEA_TOKEN", "GITHUB_TOKEN", "KEY", "OWN"]]);
        await runner.report(task.id, Result.SUCCESS);
        await forge.settled();
      }
      expect(forkTasks).toBe(ofFork.length);
    });

    test("code of a fork cancels no run of its concurrency group before its approval", async () => {
      const { name, path } = await repository("  push:\n  pull_request:\nconcurrency: {group: deploy, cancel-in-progress: true}\n");
      expect((await runsOf(name)).map(({ trigger, status }) => [trigger, status])).toEqual([["push", "queued"]]);
      await bob.post(`${path}/forks`, { name: `fork${number}` }).expect(202);
      await bob.post(`/repos/bob/fork${number}/contents/theirs.txt`, { content: encode("x"), message: "change", new_branch: "theirs" }).expect(201);
      await bob.post(`${path}/pulls`, { title: "Theirs", head: "bob:theirs", base: "main" }).expect(201);
      const runs = await runsOf(name);
      expect(runs.map(({ trigger, status }) => [trigger, status])).toEqual([
        ["push", "queued"],
        ["pull_request", "waiting"],
      ]);
      const place = await findRepositoryById(forge.context, runs[0]?.repo_id ?? 0, operator);
      await approve({ db: forge.context.db }, { ...operator, id: alice.id }, place, runs[1]?.id ?? 0);
      expect((await runsOf(name)).map(({ trigger, status, result }) => [trigger, status, result])).toEqual([
        ["push", "done", "cancelled"],
        ["pull_request", "queued", null],
      ]);
    });

    test("releases, refs, forks, labels, milestones and statuses start workflows; results of runs and hidden drafts do not", async () => {
      const { name, path } = await repository("  release:\n  create:\n  delete:\n  fork:\n  label:\n  milestone: {types: [created, closed]}\n  status:\n");
      await alice.post(`${path}/branches`, { new_branch_name: "one", old_branch_name: "main" }).expect(201);
      await alice.post(`${path}/branches`, { new_branch_name: "two", old_branch_name: "main" }).expect(201);
      await alice.delete(`${path}/branches/one`).expect(204);
      await alice.delete(`${path}/branches/two`).expect(204);
      await bob.post(`${path}/forks`, { name: `fork${number}` }).expect(202);
      await alice.post(`${path}/labels`, { name: "bug", color: "#ff0000" }).expect(201);
      const milestone = await alice.post(`${path}/milestones`, { title: "1.0" }).expect(201);
      await alice.patch(`${path}/milestones/${milestone.id}`, { state: "closed" }).expect(200);
      const draft = await alice.post(`${path}/releases`, { tag_name: "v1", name: "First", draft: true }).expect(201);
      await alice.patch(`${path}/releases/${draft.id}`, { draft: false }).expect(200);
      const { commit } = await alice.get(`${path}/branches/main`).expect(200);
      await alice.post(`${path}/statuses/${commit.id}`, { state: "success", context: "other" }).expect(200);
      const runs = await runsOf(name);
      expect(runs.map(({ trigger, payload, ref }) => [trigger, payload.action, ref]).sort()).toEqual(
        [
          ["create", undefined, "refs/heads/one"],
          ["create", undefined, "refs/heads/two"],
          ["delete", undefined, "refs/heads/main"],
          ["delete", undefined, "refs/heads/main"],
          ["fork", undefined, "refs/heads/main"],
          ["label", "created", "refs/heads/main"],
          ["milestone", "created", "refs/heads/main"],
          ["milestone", "closed", "refs/heads/main"],
          // Publishing creates the tag.
          ["create", undefined, "refs/tags/v1"],
          ["release", "published", "refs/tags/v1"],
          ["status", undefined, "refs/heads/main"],
        ].sort(),
      );
      const payloadOf = (trigger: string) => runs.find((run) => run.trigger === trigger)?.payload;
      expect(payloadOf("delete")).toMatchObject({ ref: "one", ref_type: "branch" });
      expect(payloadOf("fork")).toMatchObject({ forkee: { full_name: `alice/${name}` }, repository: { full_name: `bob/fork${number}` } });
      expect(payloadOf("label")).toMatchObject({ label: { name: "bug" }, sender: { login: "alice" } });
      expect(payloadOf("milestone")).toMatchObject({ milestone: { title: "1.0" } });
      expect(payloadOf("release")).toMatchObject({ release: { tag_name: "v1" } });
      expect(payloadOf("status")).toMatchObject({ context: "other", state: "success" });
    });

    test("a push that deletes several branches starts a run for each, and its event once", async () => {
      const { name, path } = await repository("  delete:\n");
      const { updates, event } = await (async () => {
        for (const branch of ["one", "two"]) await alice.post(`${path}/branches`, { new_branch_name: branch, old_branch_name: "main" }).expect(201);
        for (const branch of ["one", "two"]) await alice.delete(`${path}/branches/${branch}`).expect(204);
        await forge.settled();
        const rows = await forge.context.db.sql.selectFrom("events").selectAll().where("type", "=", "refs.changed").orderBy("id", "desc").limit(2).execute();
        const payloads = rows.map(({ payload }) => JSON.parse(payload));
        return { updates: payloads.flatMap((payload) => payload.updates), event: { ...rows[0], payload: payloads[0] } };
      })();
      expect(await runsOf(name)).toHaveLength(2);
      const { startForPush } = await import("./listener/pushes.ts");
      const again = { id: 1_000_000, type: "refs.changed", repoId: event.repo_id, actorId: alice.id, createdMs: 0, payload: { ...event.payload, updates } };
      await startForPush(forge.context, again as never);
      await startForPush(forge.context, again as never);
      expect((await runsOf(name)).map(({ payload }) => payload.ref)).toEqual(["one", "two", "two", "one"]);
    });

    test("a schedule starts a run once at each of its times, by the user who pushed it, and follows changes of the default branch", async () => {
      const { name, path, write } = await repository("  schedule:\n    - cron: '0 6 * * *'\n");
      const start = Date.now();
      const next = nextTime(["0 6 * * *"], start) ?? 0;
      const later = (ms: number) => ({ ...forge.context, clock: { now: () => ms } });
      await startForTime(later(next - 1));
      expect(await runsOf(name)).toEqual([]);
      await Promise.all([startForTime(later(next)), startForTime(later(next))]);
      await startForTime(later(next + 60_000));
      const runs = await runsOf(name);
      expect(runs).toMatchObject([{ trigger: "schedule", ref: "refs/heads/main", actor_id: alice.id, payload: { schedule: "0 6 * * *" } }]);
      // Nothing starts during the trial of an imported server. Of the missed times, one starts a run.
      await forge.context.db.tx(beginTrial);
      await startForTime(later(next + 5 * 86_400_000));
      expect(await runsOf(name)).toHaveLength(1);
      await forge.context.db.tx(endTrial);
      await startForTime(later(next + 5 * 86_400_000));
      expect(await runsOf(name)).toHaveLength(2);
      await write("other.yml", `on: {schedule: [{cron: '30 7 * * *'}]}\n${job}`, { new_branch: "next" });
      await alice.patch(path, { default_branch: "next" }).expect(200);
      await forge.settled();
      const rows = await forge.context.db.sql
        .selectFrom("action_workflows as w")
        .innerJoin("repositories as r", "r.id", "w.repo_id")
        .select(["w.file", "w.next_run_ms"])
        .where("r.name", "=", name)
        .orderBy("w.file")
        .execute();
      expect(rows.map(({ file }) => file)).toEqual(["other.yml", "w.yml"]);
      expect(new Date(rows[0]?.next_run_ms ?? 0).toISOString()).toMatch(/T07:30:00/);
      await alice.patch(path, { has_actions: false }).expect(200);
      await startForTime(later(next + 10 * 86_400_000));
      expect(await runsOf(name)).toHaveLength(2);
    });

    test("a workflow starts after another one, with its result; chains of workflows end", async () => {
      const { name, path, write } = await repository("  workflow_dispatch:\n");
      await write("after.yml", `name: After\non: {workflow_run: {workflows: [Follow, After], types: [completed], branches: [main]}}\n${job}`);
      await forge.settled();
      const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
      const runner = await registerRunner(forge.url, token);
      await alice.post(`${path}/actions/workflows/w.yml/dispatches`, { ref: "main" }).expect(204);
      for (let run = 0; run < 4; run += 1) {
        await runner.runOne();
        await forge.settled();
      }
      expect(await runner.fetch(0)).toBeUndefined();
      const runs = await runsOf(name);
      expect(runs.map(({ trigger, depth, status, result }) => [trigger, depth, status, result])).toEqual([
        ["workflow_dispatch", 0, "done", "success"],
        ["workflow_run", 1, "done", "success"],
        ["workflow_run", 2, "done", "success"],
        ["workflow_run", 3, "done", "success"],
      ]);
      expect(runs[1]?.payload).toMatchObject({
        action: "completed",
        workflow_run: { id: runs[0]?.id, name: "Follow", conclusion: "success", head_branch: "main", event: "workflow_dispatch" },
      });
    });

    test("an event costs one statement if no workflow has its trigger, and none without workflows", async () => {
      const { path } = await repository("  push:\n");
      await alice.post(`${path}/issues`, { title: "first" }).expect(201);
      await forge.settled();
      const about = async (work: () => Promise<unknown>) => {
        const { statements } = await forge.cost(work);
        return statements.filter((sql) => /^(select|insert|update|delete)\b.*"(action_\w+|jobs)"/s.test(sql) && !sql.includes('"events"')).length;
      };
      expect(await about(() => alice.post(`${path}/issues/1/comments`, { body: "x" }).expect(201))).toBe(1);
      await alice.post("/user/repos", { name: `plain${number}`, auto_init: true }).expect(201);
      await alice.post(`/repos/alice/plain${number}/issues`, { title: "first" }).expect(201);
      await forge.settled();
      expect(await about(() => alice.post(`/repos/alice/plain${number}/issues/1/comments`, { body: "x" }).expect(201))).toBe(0);
    });
  });
});
