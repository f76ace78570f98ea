import { afterAll, describe, expect, test } from "vitest";
import { createLogRecorder } from "../../../../../test/kit/logs.ts";
import { createWorkerPool } from "../../../site/markup/worker-pool.ts";
import { parseConfig } from "./config.ts";
import { mayBeTemplate, parseTemplate } from "./template.ts";
import { createYamlReader } from "./yaml.ts";

const workers = createWorkerPool({ log: createLogRecorder() });
afterAll(() => workers.close());
const readYaml = createYamlReader(workers);

const form = (body: string, head = "name: Form\nabout: A form\n"): string => `${head}body:\n${body}`;

describe("an issue template", () => {
  test("has front matter in Markdown", async () => {
    expect(
      await parseTemplate("x/bug.md", '---\nname: Bug\nabout: Report\ntitle: "[Bug] "\nlabels: bug, help wanted\nref: main\n---\nSteps\n---\n', readYaml),
    ).toEqual({
      name: "Bug",
      title: "[Bug] ",
      about: "Report",
      labels: ["bug", "help wanted"],
      assignees: null,
      ref: "refs/heads/main",
      content: "Steps\n---\n",
      fields: null,
      fileName: "x/bug.md",
    });
  });

  test("has fields with ids as a form", async () => {
    const { fields, labels, assignees, ref } = await parseTemplate(
      "x/form.yaml",
      form(
        "- type: markdown\n  attributes:\n    value: Hi\n- type: input\n  id: ver\n  attributes:\n    label: Version\n  validations:\n    required: true\n",
        "name: Form\ndescription: A form\nlabels: [form]\nassignees:\n- x\n",
      ),
      readYaml,
    );
    expect({ labels, assignees, ref }).toEqual({ labels: ["form"], assignees: ["x"], ref: "refs/heads/" });
    expect(fields).toEqual([
      { type: "markdown", id: "0", attributes: { value: "Hi" }, validations: null, visible: ["form"] },
      { type: "input", id: "ver", attributes: { label: "Version" }, validations: { required: true }, visible: ["form", "content"] },
    ]);
  });

  test.each([
    ["a.md", "no head"],
    ["a.md", "---\nname: x\n"],
    ["a.md", "---\nname: x\n---\n"],
    ["a.md", "---\nabout: x\n---\n"],
    ["a.md", "---\n- x\n---\n"],
    ["a.md", "---\nname: [\nabout: x\n---\n"],
    ["a.md", "---\nname: {a: 1}\nabout: x\n---\n"],
    ["a.yaml", "name: x\nabout: y\n"],
    ["a.yaml", form("- type: unknown\n")],
    ["a.yaml", form("- type: input\n")],
    ["a.yaml", form("- type: dropdown\n  attributes: {label: x}\n")],
    ["a.yaml", form("- type: checkboxes\n  attributes: {label: x, options: [a]}\n")],
    ["a.yaml", form("- {type: input, id: a, attributes: {label: x}}\n- {type: input, id: a, attributes: {label: y}}\n")],
    ["a.yaml", form("- {type: input, id: 'a b', attributes: {label: x}}\n")],
    ["a.yaml", form("- {type: input, attributes: {label: x}, visible: [page]}\n")],
    ["a.yaml", `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n${form("- {type: input, attributes: {label: x}}\n")}`],
    ["a.yaml", "[".repeat(50_000)],
    ["a.yaml", "&a ".repeat(20_000)],
  ])("rejects %s %j", (name, text) => expect(parseTemplate(name, text, readYaml)).rejects.toThrow());

  test.each([
    ["bug.md", true],
    ["form.yml", true],
    ["config.yaml", false],
    ["config.yml", false],
    ["readme.txt", false],
  ])("recognizes %s: %s", (name, expected) => expect(mayBeTemplate(name)).toBe(expected));
});

describe("the issue configuration", () => {
  const link = "contact_links:\n- {name: Chat, url: 'https://chat.example', about: Talk}\n";

  test("has a blank issue setting and contact links", async () => {
    expect(await parseConfig(`blank_issues_enabled: false\n${link}`, readYaml)).toEqual({
      allowsBlank: false,
      contactLinks: [{ name: "Chat", url: "https://chat.example", about: "Talk" }],
    });
    expect(await parseConfig("", readYaml)).toEqual({ allowsBlank: true, contactLinks: [] });
  });

  test.each([
    "blank_issues_enabled: 7",
    "contact_links: nope",
    "contact_links:\n- {name: Chat, url: 'https://chat.example'}",
    "contact_links:\n- {name: Chat, url: 'javascript:alert(1)', about: x}",
    "- x",
    "{",
  ])("rejects %j", (text) => expect(parseConfig(text, readYaml)).rejects.toThrow());
});
