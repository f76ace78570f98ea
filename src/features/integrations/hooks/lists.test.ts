import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type Receiver, startReceiver } from "../../../../test/kit/receiver.ts";
import { pruneDeliveries } from "./service/prune.ts";

eachDialect((dialect) => {
  let clock: TestClock;
  let receiver: Receiver;
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  const base = "/repos/alice/demo";
  beforeAll(async () => {
    clock = createTestClock(Date.now());
    receiver = await startReceiver();
    forge = await startForge({ dialect, clock, environment: { HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback" } });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "demo", auto_init: true, default_branch: "main" }).expect(201);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });
  const addHook = (path: string, events: readonly string[], more: object = {}) =>
    alice.post(`${base}/hooks`, { type: "gitea", config: { url: receiver.url + path, content_type: "json" }, events, active: true, ...more }).expect(201);
  const open = (title: string) => alice.post(`${base}/issues`, { title }).expect(201);

  test("deliveries are listed, filtered, shown with their payload and resent unchanged", async () => {
    const { id } = await addHook("/listed", ["issues"]);
    receiver.answers = ({ body }) => ({ status: body.includes('"refused"') ? 422 : 200, body: "seen" });
    for (const title of ["a", "refused", "b"]) await open(title);
    await forge.settled();
    const list = `${base}/hooks/${id}/deliveries`;
    const page = await alice.get(`${list}?limit=2`);
    expect([page.headers.get("x-total-count"), page.headers.get("link")?.includes("page=2")]).toEqual(["3", true]);
    const all = await alice.get(list).expect(200);
    expect(all.map(({ sequence, status }: { sequence: number; status: string }) => `${sequence} ${status}`)).toEqual([
      "3 delivered",
      "2 refused",
      "1 delivered",
    ]);
    const [refused] = await alice.get(`${list}?status=refused&event=issues`).expect(200);
    expect(differences(refused, "HookDelivery")).toEqual([]);
    expect(refused).toMatchObject({ event: "issues", event_type: "issues", attempts: 1, response_status: 422, response_body: "seen", error: "422" });
    expect(await alice.get(`${list}?event=push`).expect(200)).toEqual([]);
    const shown = await alice.get(`${list}/${refused.id}`).expect(200);
    expect(JSON.parse(shown.payload).issue.title).toBe("refused");

    receiver.answers = () => ({ status: 200 });
    await alice.post(`${list}/${refused.id}/redeliver`).expect(202);
    await alice.post(`${list}/${all[2].id}/redeliver`).expect(202);
    await forge.settled();
    const sent = receiver.at("/listed");
    const again = sent.slice(3).map(({ body, headers }) => `${headers["x-hearth-sequence"]} ${headers["webhook-id"]} ${body}`);
    const before = sent.slice(0, 3).map(({ body, headers }) => `${headers["x-hearth-sequence"]} ${headers["webhook-id"]} ${body}`);
    expect(again.sort()).toEqual([before[0], before[1]]);
    expect((await alice.get(`${list}?status=delivered`).expect(200)).length).toBe(3);

    const second = await addHook("/second", ["issues"]);
    for (const path of [`${list}/${refused.id}`, `${list}/99999`]) await alice.get(path.replace(`/${id}/`, `/${second.id}/`)).expect(404);
    await alice.post(`${base}/hooks/${second.id}/deliveries/${refused.id}/redeliver`).expect(404);
    await bob.get(list).expect(403);
    await alice.get("/user/hooks/99999/deliveries").expect(404);
    await alice.get(`/user/hooks/${id}/deliveries`).expect(404);
    await alice.delete(`${base}/hooks/${second.id}`).expect(204);
  });

  test("lists cost a constant number of statements", async () => {
    const [{ id }] = await alice.get(`${base}/hooks`).expect(200);
    const one = await forge.cost(() => alice.get(`${base}/hooks/${id}/deliveries?limit=1`).expect(200));
    const all = await forge.cost(() => alice.get(`${base}/hooks/${id}/deliveries`).expect(200));
    expect([one.statements.length, all.statements.length]).toEqual([3, 3]);
  });

  test("an unreachable receiver fetches events after a sequence number", async () => {
    const { id } = await alice
      .post(`${base}/hooks`, { type: "gitea", config: { content_type: "json", delivery: "pull" }, events: ["issues"], active: true })
      .expect(201);
    const feed = `${base}/hooks/${id}/events`;
    expect(await alice.get(feed).expect(200)).toEqual([]);
    for (const title of ["one", "two", "three"]) await open(title);
    await forge.settled();
    const all = await alice.get(feed).expect(200);
    expect(differences(all[0], "HookEvent")).toEqual([]);
    expect(all.map(({ sequence, payload }: { sequence: number; payload: { issue: { title: string } } }) => `${sequence} ${payload.issue.title}`)).toEqual([
      "1 one",
      "2 two",
      "3 three",
    ]);
    expect((await alice.get(`${feed}?since=1&limit=1`).expect(200)).map(({ sequence }: { sequence: number }) => sequence)).toEqual([2]);
    expect(await alice.get(`${feed}?since=3`).expect(200)).toEqual([]);
    expect((await alice.get(`${base}/hooks/${id}/deliveries?status=kept`).expect(200)).length).toBe(3);
    await bob.get(feed).expect(403);
  });

  test("a webhook can be tested on a branch of its filter, active or not", async () => {
    const { id } = await addHook("/tried", ["issues"], { active: false, branch_filter: "main" });
    await alice.post(`${base}/branches`, { new_branch_name: "topic" }).expect(201);
    await alice.post(`${base}/hooks/${id}/tests`).expect(204);
    await alice.post(`${base}/hooks/${id}/tests?ref=topic`).expect(204);
    await alice.post(`${base}/hooks/${id}/tests?ref=nothing`).expect(404);
    await alice.post(`${base}/hooks/99999/tests`).expect(404);
    await bob.post(`${base}/hooks/${id}/tests`).expect(403);
    await forge.settled();
    const [tried, ...others] = receiver.at("/tried");
    expect(others).toEqual([]);
    const { commit } = await alice.get(`${base}/branches/main`).expect(200);
    expect(tried?.headers).toMatchObject({ "x-gitea-event": "push" });
    expect(JSON.parse(tried?.body ?? "")).toMatchObject({
      ref: "refs/heads/main",
      before: commit.id,
      after: commit.id,
      total_commits: 1,
      commits: [{ id: commit.id, added: null, verification: { verified: false, reason: "gpg.error.not_signed_commit" } }],
      head_commit: { id: commit.id, verification: { verified: false, signature: "" } },
      sender: { login: "alice" },
    });
  });

  test("a webhook of an organization, a user or the server is tested with a push of its last updated or a named repository", async () => {
    await alice.post("/orgs", { username: "acme" }).expect(201);
    const [, otherOwner] = await Promise.all([alice.post("/orgs", { username: "empty" }).expect(201), forge.createUser("carol")]);
    const option = (path: string, more: object = {}) => ({
      type: "gitea",
      config: { url: receiver.url + path, content_type: "json", ...more },
      events: ["issues"],
      active: true,
    });
    const nothingToPush = await alice.post("/orgs/empty/hooks", option("/none")).expect(201);
    expect((await alice.post(`/orgs/empty/hooks/${nothingToPush.id}/tests`)).status).toBe(422);
    for (const name of ["first", "second"]) await alice.post("/orgs/acme/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    clock.advance(60_000);
    await alice.patch("/repos/acme/first", { description: "changed" }).expect(200);

    const places = [
      { path: "/orgs/acme/hooks", caller: alice, latest: "acme/first", named: "acme/second" },
      { path: "/user/hooks", caller: alice, latest: "alice/demo", named: "alice/demo" },
      { path: "/admin/hooks", caller: forge.admin, latest: "acme/first", named: "alice/demo" },
    ];
    for (const { path, caller, latest, named } of places) {
      const { id } = await caller.post(path, option(path, { is_system_webhook: "true" })).expect(201);
      await caller.post(`${path}/${id}/tests`).expect(204);
      await caller.post(`${path}/${id}/tests?repository=${named}&ref=main`).expect(204);
      for (const query of ["?repository=acme/nothing", `?repository=${named}&ref=nothing`]) await caller.post(`${path}/${id}/tests${query}`).expect(404);
      await caller.post(`${path}/99999/tests`).expect(404);
      await forge.settled();
      const delivered = receiver.at(path).map(({ headers, body }) => [headers["x-gitea-event"], JSON.parse(body).repository.full_name, JSON.parse(body).ref]);
      const wanted = [latest, named].map((name) => ["push", name, "refs/heads/main"]);
      expect(delivered.toSorted()).toEqual(wanted.toSorted());
      expect((await otherOwner.post(`${path}/${id}/tests`)).status).toBe(path === "/user/hooks" ? 404 : 403);
      await caller.delete(`${path}/${id}`).expect(204);
    }
    const { id } = await forge.admin.post("/admin/hooks", option("/template")).expect(201);
    expect((await forge.admin.post(`/admin/hooks/${id}/tests`)).status).toBe(422);
    await forge.admin.delete(`/admin/hooks/${id}`).expect(204);
    const { id: ofOrganization } = await alice.post("/orgs/acme/hooks", option("/other")).expect(201);
    expect((await alice.post(`/orgs/acme/hooks/${ofOrganization}/tests?repository=alice/demo`)).status).toBe(404);
  });

  test("a deactivated webhook gets none of the waiting deliveries", async () => {
    const { id } = await addHook("/off", ["issues"]);
    receiver.answers = ({ path }) => (path === "/off" ? { status: 503 } : { status: 200 });
    await open("waits");
    await forge.settled();
    await alice.patch(`${base}/hooks/${id}`, { active: false, events: ["issues"] }).expect(200);
    receiver.answers = () => ({ status: 200 });
    await forge.settled();
    expect(receiver.at("/off")).toHaveLength(1);
    expect(await alice.get(`${base}/hooks/${id}/deliveries`).expect(200)).toMatchObject([{ status: "failed", error: "the webhook was deactivated" }]);
  });

  test("old deliveries are deleted with their payloads", async () => {
    const [{ id }] = await alice.get(`${base}/hooks`).expect(200);
    await pruneDeliveries(forge.context, Date.now() - 60_000);
    expect((await alice.get(`${base}/hooks/${id}/deliveries`).expect(200)).length).toBeGreaterThan(0);
    await pruneDeliveries(forge.context, Date.now() + 60_000);
    expect(await alice.get(`${base}/hooks/${id}/deliveries`).expect(200)).toEqual([]);
    expect(await forge.context.db.sql.selectFrom("hook_messages").select("id").execute()).toEqual([]);
  });
});
