import { expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  test("lists the templates and the configuration of the default branch, and reports invalid files", async () => {
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
    const { headers } = await forge.anonymous.get(`${site}/issue_templates`);
    expect(headers.get("x-gitea-warning")).toBe("error occurs when parsing issue template: count=1");
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const page = await browser.get("/alice/site/issues/new/choose");
    expect(page.text).toContain(".gitea/ISSUE_TEMPLATE/broken.yaml: yaml: ");
    expect(page.text).toContain("config: blank_issues_enabled must be true or false");
    const read = await forge.cost(() => alice.get(`${site}/issue_templates`).expect(200));
    expect([read.processes, read.statements.length <= 4]).toEqual([0, true]);
  });

  test("parses large templates on worker threads, within a total size, and once for each content", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const site = "/repos/alice/site";
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    const form = (name: string) => `name: ${name}\nabout: A form\nbody:\n- type: input\n  attributes: {label: Version}\nunused: "${"x".repeat(60_000)}"\n`;
    const slow = `name: Slow\nabout: Unique keys are compared in quadratic time\nunused: {${Array.from({ length: 12_000 }, (_, at) => at.toString(36)).join(",")}}\n`;
    const files = Array.from({ length: 20 }, (_, at) => ({
      operation: "create",
      path: `.gitea/ISSUE_TEMPLATE/${String(at).padStart(2, "0")}.yaml`,
      content: base64(at === 0 ? slow : form(`Form ${at}`)),
    }));
    await alice.post(`${site}/contents`, { message: "templates", files }).expect(201);
    const { workers } = forge.context;
    const before = workers.counters.jobs;
    const [first, second] = await Promise.all([forge.anonymous.get(`${site}/issue_templates`), forge.anonymous.get(`${site}/issue_templates`)]);
    expect(first.json.map(({ name }: { name: string }) => name)).toEqual(["Form 1", "Form 2", "Form 3", "Form 4"]);
    expect([first, second].map(({ headers }) => headers.get("x-gitea-warning"))).toEqual(Array(2).fill("error occurs when parsing issue template: count=16"));
    expect(workers.counters.jobs - before).toBe(5);
    expect(await forge.anonymous.get(`${site}/issue_templates`).expect(200)).toHaveLength(4);
    expect(workers.counters.jobs - before).toBe(5);
  }, 30_000);

  test("lists no templates for an empty repository", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "bare" }).expect(201);
    expect(await alice.get("/repos/alice/bare/issue_templates").expect(200)).toBeNull();
    expect(await alice.get("/repos/alice/bare/issue_config/validate").expect(200)).toEqual({ valid: true, message: "" });
  });
});
