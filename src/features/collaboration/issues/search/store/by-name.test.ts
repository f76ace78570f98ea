import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  test("lists issues of several repositories by the current names of labels and milestones, for a caller who reads many or few", async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob", { restricted: true })];
    await alice.post("/orgs", { username: "acme" }).expect(201);
    const post = async (path: string, body: object): Promise<number> => (await alice.post(path, body).expect(201)).id;
    await alice.post("/user/repos", { name: "one" }).expect(201);
    await alice.post("/orgs/acme/repos", { name: "two", private: true }).expect(201);
    await alice.put("/repos/alice/one/collaborators/bob", { permission: "read" }).expect(204);
    const color = "#abcdef";
    const [bug, twice] = [await post("/repos/alice/one/labels", { name: "bug", color }), await post("/repos/alice/one/labels", { name: "bug", color })];
    const [theirs, ofOrg] = [await post("/repos/acme/two/labels", { name: "bug", color }), await post("/orgs/acme/labels", { name: "shared", color })];
    const [v1, other] = [await post("/repos/alice/one/milestones", { title: "V1" }), await post("/repos/acme/two/milestones", { title: "v1" })];
    const ids = [
      await post("/repos/alice/one/issues", { title: "both", labels: [bug, twice], milestone: v1 }),
      await post("/repos/acme/two/issues", { title: "theirs", labels: [theirs, ofOrg], milestone: other }),
      await post("/repos/alice/one/issues", { title: "closed", labels: [bug], closed: true }),
      await post("/repos/alice/one/issues", { title: "none" }),
    ];
    const list = async (query: string, caller: Pick<typeof alice, "get"> = alice) => {
      const answer = await caller.get(`/repos/issues/search?${query}`);
      return [(answer.json as readonly { readonly id: number }[]).map(({ id }) => ids.indexOf(id)), answer.headers.get("x-total-count")];
    };
    for (const [query, ofAlice, ofBob] of [
      ["labels=bug", [1, 0], [0]],
      ["labels=bug&state=all", [2, 1, 0], [2, 0]],
      ["labels=bug,shared&state=all&limit=2", [2, 1], [2, 0]],
      ["labels=bug,shared&state=all&limit=2&page=2", [0], []],
      ["labels=shared", [1], []],
      ["labels=bug&type=pulls", [], []],
      ["labels=bug&state=all&sort=oldest", [0, 1, 2], [0, 2]],
      ["milestones=v1", [1, 0], [0]],
      ["milestones=V1&labels=shared", [1], []],
      ["labels=bug&q=theirs", [1], []],
      ["labels=bug,shared&q=theirs&type=issues", [1], []],
      ["labels=bug&state=all&q=clo", [2], [2]],
      ["labels=bug&milestones=v1&q=the", [1], []],
      ["labels=bug&q=the th", [1], []],
      ["labels=bug&q=th", [1, 0], [0]],
      ["labels=bug&created=true", [1, 0], []],
      // Names that no readable repository has are ignored.
      ["labels=unknown", [3, 1, 0], [3, 0]],
      ["labels=unknown&milestones=v1", [1, 0], [0]],
    ] as const) {
      expect([query, (await list(query))[0], (await list(query, bob))[0]]).toEqual([query, ofAlice, ofBob]);
    }
    expect([(await list("labels=bug&state=all&limit=1"))[1], (await list("labels=bug&state=all&page=9"))[1]]).toEqual(["3", "3"]);

    await alice.patch(`/repos/alice/one/labels/${bug}`, { name: "defect" }).expect(200);
    await alice.patch(`/repos/alice/one/milestones/${v1}`, { title: "v2" }).expect(200);
    await alice.patch("/repos/acme/two/issues/1", { milestone: 0 }).expect(201);
    expect([await list("labels=defect&state=all"), await list("labels=bug"), await list("milestones=v2")]).toEqual([
      [[2, 0], "2"],
      [[1, 0], "2"],
      [[0], "1"],
    ]);
    expect((await list("milestones=v1"))[0]).toEqual([]);
    await alice.delete(`/repos/alice/one/milestones/${v1}`).expect(204);
    expect(await db.sql.selectFrom("issues").select("id").where("milestone_title", "is not", null).execute()).toEqual([]);
  });

  if (dialect.name === "sqlite") {
    test("a search for a word and a label reads each label from one entry of an index", async () => {
      await using forge = await startForge({ dialect });
      const { db } = forge.context;
      const alice = await forge.createUser("alice");
      await alice.post("/user/repos", { name: "one" }).expect(201);
      const { id: bug } = await alice.post<{ id: number }>("/repos/alice/one/labels", { name: "bug", color: "#abcdef" }).expect(201);
      await alice.post("/repos/alice/one/issues", { title: "theirs", labels: [bug] }).expect(201);
      const { statements } = await forge.cost(() => alice.get("/repos/issues/search?labels=bug&q=theirs").expect(200));
      const search = statements.find((one) => one.startsWith("with found ")) ?? "";
      const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${search}`));
      const labels = rows.map(({ detail }) => detail).filter((step) => /^SEARCH [dl] /.test(step));
      expect(new Set(labels)).toEqual(new Set(["SEARCH d USING COVERING INDEX issue_labels_facts (issue_id=? AND name=? AND is_closed=?)"]));
    });
  }

  test("counts at most a thousand issues with a label name after the page", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const { id: repo_id } = await alice.post("/user/repos", { name: "one" }).expect(201);
    const label = (await alice.post("/repos/alice/one/labels", { name: "bug", color: "#abcdef" }).expect(201)).id as number;
    await forge.context.db.tx(async ({ sql }) => {
      const common = { repo_id, is_pull: 0, title: "", content: "", ref: "", created_ms: 1 } as const;
      for (let from = 0; from < 1_200; from += 200) {
        const rows = Array.from({ length: 200 }, (_, at) => ({ ...common, number: from + at + 1, updated_ms: from + at }));
        const inserted = await sql.insertInto("issues").values(rows).returning("id").execute();
        await sql
          .insertInto("issue_labels")
          .values(inserted.map(({ id }) => ({ issue_id: id, label_id: label })))
          .execute();
      }
      await sql.updateTable("repositories").set({ open_issues_count: 1_200, last_issue_number: 1_200 }).where("id", "=", repo_id).execute();
    });
    const list = async (query: string) => {
      const answer = await alice.get(`/repos/issues/search?labels=bug&limit=10&${query}`);
      return [(answer.json as readonly { readonly number: number }[]).map(({ number }) => number)[0], answer.headers.get("x-total-count")];
    };
    expect(await Promise.all(["page=1", "page=10", "page=100", "page=120", "page=121"].map(list))).toEqual([
      [1_200, "1010"],
      [1_110, "1100"],
      [210, "1200"],
      [10, "1200"],
      [undefined, "1200"],
    ]);
    expect([await list("sort=recentupdate"), await list("sort=leastupdate"), await list("sort=oldest&page=2")]).toEqual([
      [1_200, "1010"],
      [1, "1010"],
      [11, "1020"],
    ]);
    if (dialect.name === "postgres") return;
    // SQLite sorts each part of a union that is not in the order of an index, and has to read it as a whole before.
    const { statements } = await forge.cost(() => list("labels=bug,feature&state=all"));
    const [statement = ""] = statements.filter((text) => text.startsWith("with ahead"));
    const { rows } = await forge.context.db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
    const steps = rows.map(({ detail }) => detail);
    expect(steps).toContain("MERGE (UNION)");
    expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });
});
