import { expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  test("templates and configuration come from the default branch, broken ones are left out", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const site = "/repos/alice/site";
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    expect(await alice.get(`${site}/issue_templates`).expect(200)).toBeNull();
    expect(await alice.get(`${site}/issue_config`).expect(200)).toEqual({ blank_issues_enabled: true, contact_links: [] });
    const create = (path: string, text: string) => ({ operation: "create", path, content: base64(text) });
    await alice
      .post(`${site}/contents`, {
        message: "templates",
        files: [
          create(".gitea/ISSUE_TEMPLATE/bug.md", "---\nname: Bug\nabout: Report\n---\nSteps\n"),
          create(".gitea/ISSUE_TEMPLATE/form.yaml", "name: Form\nabout: A form\nbody:\n- type: input\n  attributes: {label: Version}\n"),
          create(".gitea/ISSUE_TEMPLATE/broken.yaml", "name: ["),
          create(".gitea/ISSUE_TEMPLATE/config.yaml", "blank_issues_enabled: 7\n"),
        ],
      })
      .expect(201);
    const templates = await forge.anonymous.get(`${site}/issue_templates`).expect(200);
    expect(templates.map(({ file_name }: { file_name: string }) => file_name)).toEqual([".gitea/ISSUE_TEMPLATE/bug.md", ".gitea/ISSUE_TEMPLATE/form.yaml"]);
    expect(templates[0]).toMatchObject({ name: "Bug", content: "Steps\n", body: null, labels: null });
    expect(templates[1].body).toEqual([{ type: "input", id: "0", attributes: { label: "Version" }, validations: null, visible: ["form", "content"] }]);
    expect(await alice.get(`${site}/issue_config/validate`).expect(200)).toEqual({ valid: false, message: "blank_issues_enabled must be true or false" });
    expect(await alice.get(`${site}/issue_config`).expect(200)).toEqual({ blank_issues_enabled: true, contact_links: [] });
    const read = await forge.cost(() => alice.get(`${site}/issue_templates`).expect(200));
    expect([read.processes, read.statements.length <= 4]).toEqual([0, true]);
  });

  test("an empty repository has none", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "bare" }).expect(201);
    expect(await alice.get("/repos/alice/bare/issue_templates").expect(200)).toBeNull();
    expect(await alice.get("/repos/alice/bare/issue_config/validate").expect(200)).toEqual({ valid: true, message: "" });
  });
});
