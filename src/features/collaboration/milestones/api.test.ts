import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { tableScans } from "../../../../test/kit/plans.ts";
import { countInMilestone, milestonesByIds } from "./service.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "demo" }).expect(201);
    await alice.post("/user/repos", { name: "other" }).expect(201);
    await alice.put("/repos/alice/demo/collaborators/bob", { permission: "write" }).expect(204);
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const base = "/repos/alice/demo/milestones";
  const titles = async (path: string): Promise<string[]> => (await forge.anonymous.get(path).expect(200)).map(({ title }: { title: string }) => title);
  const events = async (): Promise<unknown[]> => (await eventsOf(forge, { type: "milestone.*" })).map(({ type, payload }) => [type, payload]);

  test("creates, shows, edits, closes, reopens and deletes milestones and publishes an event for each change", async () => {
    const made = await alice.post(base, { title: "v1", description: "first", due_on: "2033-05-06T00:00:00Z" }).expect(201);
    expect(differences(made, "Milestone")).toEqual([]);
    expect(made).toEqual({
      id: made.id,
      title: "v1",
      description: "first",
      state: "open",
      open_issues: 0,
      closed_issues: 0,
      created_at: made.created_at,
      updated_at: made.created_at,
      closed_at: null,
      due_on: "2033-05-06T00:00:00Z",
    });
    const path = `${base}/${made.id}`;
    expect(await forge.anonymous.get(path).expect(200)).toEqual(made);
    const edited = await bob.patch(path, { title: "v1.0", description: "", due_on: "2033-06-07T12:00:00+02:00" }).expect(200);
    expect(edited).toMatchObject({ title: "v1.0", description: "", state: "open", due_on: "2033-06-07T23:59:59Z" });
    const closed = await alice.patch(path, { state: "closed", due_on: "2033-06-07T00:00:00Z" }).expect(200);
    expect(closed).toEqual({ ...edited, state: "closed", closed_at: expect.any(String), updated_at: expect.any(String) });
    expect(await alice.patch(path, { state: "closed" }).expect(200)).toMatchObject({ closed_at: closed.closed_at, due_on: null });
    expect(await alice.patch(path, { state: "weird" }).expect(200)).toMatchObject({ state: "open", closed_at: null });
    await alice.delete(path).expect(204);
    await alice.delete(path).expect(404);

    const { id: repoId } = await alice.get("/repos/alice/demo").expect(200);
    const payload = { repoId, milestoneId: made.id, title: "v1.0" };
    expect(await events()).toEqual([
      ["milestone.created", { ...payload, title: "v1" }],
      ["milestone.updated", { ...payload, formerTitle: "v1" }],
      ["milestone.closed", payload],
      ["milestone.updated", { ...payload, formerTitle: "v1.0" }],
      ["milestone.reopened", payload],
      ["milestone.deleted", payload],
    ]);
  });

  test("lists milestones by state, without due date first, then by date and title, at the same cost for every page", async () => {
    await alice.post("/user/repos", { name: "plan" }).expect(201);
    const path = "/repos/alice/plan/milestones";
    for (const [title, due, state] of [
      ["late", "2040-01-01T00:00:00Z"],
      ["b", undefined],
      ["soon", "2030-01-01T00:00:00Z"],
      ["a", undefined],
      ["Done 100%", undefined, "closed"],
      ["Élan", "2035-01-01T00:00:00Z", "odd"],
    ]) {
      await alice.post(path, { title, due_on: due, state }).expect(201);
    }
    expect(await titles(path)).toEqual(["a", "b", "soon", "Élan", "late"]);
    expect(await titles(`${path}?state=odd`)).toEqual(["a", "b", "soon", "Élan", "late"]);
    expect(await titles(`${path}?state=closed`)).toEqual(["Done 100%"]);
    expect(await titles(`${path}?state=all`)).toEqual(["Done 100%", "a", "b", "soon", "Élan", "late"]);
    expect(await titles(`${path}?state=all&name=${encodeURIComponent("éLA")}`)).toEqual(["Élan"]);
    expect(await titles(`${path}?state=all&name=${encodeURIComponent("0%")}`)).toEqual(["Done 100%"]);
    expect(await titles(`${path}?state=all&name=_`)).toEqual([]);
    const page = await alice.get(`${path}?limit=2&page=2`);
    expect([page.headers.get("x-total-count"), page.headers.get("link"), (page.json as unknown[]).length]).toEqual(["5", null, 2]);
    const one = await forge.cost(() => alice.get(`${path}?limit=1`).expect(200));
    const all = await forge.cost(() => alice.get(`${path}?limit=50&state=all`).expect(200));
    expect([one.statements.length <= 4, all.statements.length <= one.statements.length, one.processes + all.processes]).toEqual([true, true, 0]);
    if (dialect.name === "sqlite") expect(await tableScans(forge.context.db, [...one.statements, ...all.statements])).toEqual([]);
    expect((await forge.cost(() => alice.get(`${path}/a`).expect(200))).statements).toHaveLength(2);
  });

  test("finds a milestone by id first, then by title; the oldest milestone with a title wins", async () => {
    const first = await alice.post(base, { title: "twice" }).expect(201);
    await alice.post(base, { title: "twice" }).expect(201);
    const numbered = await alice.post(base, { title: String(first.id) }).expect(201);
    const future = await alice.post(base, { title: "2077" }).expect(201);
    const odd = await alice.post(base, { title: "release 1/2" }).expect(201);
    expect(await alice.get(`${base}/twice`).expect(200)).toEqual(first);
    expect(await alice.get(`${base}/${first.id}`).expect(200)).toEqual(first);
    expect(await alice.get(`${base}/2077`).expect(200)).toEqual(future);
    expect(await alice.get(`${base}/release%201%2F2`).expect(200)).toEqual(odd);
    for (const name of ["TWICE", "nosuch", "999999", "0", "-1", "%25"]) await alice.get(`${base}/${name}`).expect(404);
    expect(await alice.patch(`${base}/twice`, { title: "once" }).expect(200)).toMatchObject({ id: first.id });
    await alice.delete(`${base}/once`).expect(204);
    expect(await alice.get(`${base}/${first.id}`).expect(200)).toEqual(numbered);
    await alice.get(`/repos/alice/other/milestones/${numbered.id}`).expect(404);
    await alice.patch(`/repos/alice/other/milestones/${numbered.id}`, { title: "x" }).expect(404);
    await alice.delete(`/repos/alice/other/milestones/${numbered.id}`).expect(404);
  });

  test("accepts an empty title and rejects invalid milestones", async () => {
    expect(await alice.post(base, {}).expect(201)).toMatchObject({ title: "", state: "open", due_on: null });
    expect(await alice.post(base, { title: "was", state: "closed" }).expect(201)).toMatchObject({ state: "closed", closed_at: expect.any(String) });
    const before = await alice.get(`${base}?state=all`).expect(200);
    for (const body of [
      { title: "v3", due_on: "tomorrow" },
      { title: "v3", due_on: "2033-02-30T00:00:00Z" },
      { title: "x".repeat(256) },
      { title: ["x"] },
      { title: "a\0b" },
      { description: "x".repeat(65_536) },
    ]) {
      await alice.post(base, body).expect(422);
      await alice.patch(`${base}/was`, body).expect(422);
    }
    expect(await alice.get(`${base}?state=all`).expect(200)).toEqual(before);
  });

  test("lets only users who can write issues or pull requests change milestones", async () => {
    const { id } = await alice.post(base, { title: "guarded" }).expect(201);
    for (const [user, status] of [
      [carol, 403],
      [forge.anonymous, 401],
    ] as const) {
      expect((await user.post(base, { title: "x" })).status).toBe(status);
      expect((await user.patch(`${base}/${id}`, { title: "x" })).status).toBe(status);
      expect((await user.delete(`${base}/${id}`)).status).toBe(status);
    }
    await alice.post("/user/repos", { name: "closed", private: true }).expect(201);
    await bob.get("/repos/alice/closed/milestones").expect(404);
    await bob.get("/repos/alice/closed/milestones/1").expect(404);
  });

  describe("milestones of issues", () => {
    test("keeps the counts of a milestone correct under concurrent updates", async () => {
      const { db } = forge.context;
      const { id } = await alice.post(base, { title: "counted" }).expect(201);
      await Promise.all(Array.from({ length: 20 }, () => db.tx((tx) => countInMilestone(tx, id, { open: 1, closed: 0 }))));
      await Promise.all(Array.from({ length: 7 }, () => db.tx((tx) => countInMilestone(tx, id, { open: -1, closed: 1 }))));
      expect(await alice.get(`${base}/${id}`).expect(200)).toMatchObject({ open_issues: 13, closed_issues: 7 });
      expect(await alice.patch(`${base}/${id}`, { title: "still counted" }).expect(200)).toMatchObject({ open_issues: 13, closed_issues: 7 });
    });

    test("finds milestones by their ids only", async () => {
      const { db } = forge.context;
      const { id } = await alice.post(base, { title: "two" }).expect(201);
      expect([...(await milestonesByIds(db, [id, 999_999])).keys()]).toEqual([id]);
    });
  });
});
