import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import { checkIssueCounts } from "./check.ts";

eachDialect((dialect) => {
  test("reports a wrong count", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site" }).expect(201);
    const milestone = await alice.post("/repos/alice/site/milestones", { title: "v1" }).expect(201);
    const label = await alice.post("/repos/alice/site/labels", { name: "bug", color: "#f00" }).expect(201);
    await alice.post("/repos/alice/site/issues", { title: "one", milestone: milestone.id, labels: [label.id], assignees: ["alice"] }).expect(201);
    await alice.post("/repos/alice/site/issues", { title: "two", closed: true }).expect(201);
    await alice.post("/repos/alice/site/issues/1/comments", { body: "x" }).expect(201);
    const { db } = forge.context;
    expect(await checkIssueCounts({ db })).toEqual([]);
    await db.tx(async (tx) => {
      await tx.sql.updateTable("repositories").set({ open_issues_count: 7 }).execute();
      await tx.sql.updateTable("issue_totals").set({ n: 5 }).execute();
      await tx.sql.updateTable("milestones").set({ closed_issues_count: 2 }).execute();
      await tx.sql.updateTable("issues").set({ comments_count: 3 }).where("number", "=", 1).execute();
      await tx.sql.updateTable("issue_labels").set({ is_closed: 1, name: "bags" }).execute();
      await tx.sql.updateTable("issues").set({ milestone_title: "v2" }).where("milestone_id", "is not", null).execute();
    });
    const problems = await checkIssueCounts({ db });
    expect(problems.map((line) => line.replace(/\d+:/, "#:"))).toEqual([
      "repository #: open_issues_count is stored as 7, counted 1",
      "audience #: open_issues_count is stored as 5, counted 7",
      "audience #: closed_issues_count is stored as 5, counted 1",
      "milestone #: closed_issues_count is stored as 2, counted 0",
      "issue #: comments is stored as 3, counted 1",
      "label #: wrongly listed issues is stored as 0, counted 1",
      "label #: wrongly named issues is stored as 0, counted 1",
      "milestone #: wrongly named issues is stored as 0, counted 1",
    ]);
  });
});
