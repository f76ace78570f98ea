import { isMapping, type Mapping, type ReadYaml, requireMapping, TemplateProblem, textOf, textsOf } from "./yaml.ts";

export type FieldType = "markdown" | "textarea" | "input" | "dropdown" | "checkboxes";
export type Visibility = "form" | "content";

export interface FormField {
  readonly type: FieldType;
  /** Its own id, or its position in the form. */
  readonly id: string;
  readonly attributes: Mapping | null;
  readonly validations: Mapping | null;
  readonly visible: readonly Visibility[];
}

export interface IssueTemplateView {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly labels: readonly string[] | null;
  readonly assignees: readonly string[] | null;
  readonly ref: string;
  readonly content: string;
  /** Null for a template in Markdown. */
  readonly fields: readonly FormField[] | null;
  readonly fileName: string;
}

const fieldTypes: readonly FieldType[] = ["markdown", "textarea", "input", "dropdown", "checkboxes"];
const maxFields = 200;
/** Maximum number of choices in all fields of a form. */
const maxChoices = 1_000;

/** Markdown with front matter, or a form; other files in the folder are ignored. */
export const mayBeTemplate = (name: string): boolean => /\.(md|ya?ml)$/i.test(name) && !isConfigName(name);

export const isConfigName = (name: string): boolean => /^config\.ya?ml$/i.test(name);

/** A template that is not Markdown is a form. */
export const isForm = (fileName: string): boolean => !/\.md$/i.test(fileName);

/** @throws TemplateProblem for a file that is not a template */
export async function parseTemplate(fileName: string, text: string, readYaml: ReadYaml): Promise<IssueTemplateView> {
  const hasFields = isForm(fileName);
  const [head, content] = hasFields ? [text, ""] : splitHead(text);
  const values = requireMapping(await readYaml(head), "a template");
  const template = {
    name: textOf(values.name, "name").trim(),
    title: textOf(values.title, "title"),
    about: textOf(values.about ?? values.description, "about"),
    labels: textsOf(values.labels, "labels"),
    assignees: textsOf(values.assignees, "assignees"),
    ref: fullRef(textOf(values.ref, "ref")),
    content,
    fields: hasFields ? fieldsOf(values.body) : null,
    fileName,
  };
  if (template.name === "") throw new TemplateProblem("'name' is required");
  if (template.about === "") throw new TemplateProblem("'about' is required");
  return template;
}

/** @compat without a ref the bare prefix is returned (templates/templates.test.ts) */
const fullRef = (ref: string): string => (ref.startsWith("refs/") ? ref : `refs/heads/${ref}`);

/** Splits front matter and content. @throws TemplateProblem without front matter */
function splitHead(text: string): readonly [head: string, content: string] {
  const [, head, content = ""] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\n)---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === undefined) throw new TemplateProblem("a template must begin with front matter between lines of three dashes");
  return [head, content];
}

function fieldsOf(body: unknown): readonly FormField[] {
  if (!Array.isArray(body) || body.length === 0) throw new TemplateProblem("'body' is required");
  if (body.length > maxFields) throw new TemplateProblem(`a form can have at most ${maxFields} fields`);
  if (body.reduce((sum: number, item: unknown) => sum + choicesIn(item), 0) > maxChoices)
    throw new TemplateProblem(`a form can have at most ${maxChoices} options`);
  const ids = new Set<string>();
  return body.map((item: unknown, at) => {
    const position = `body[${at}]`;
    const field = fieldOf(requireMapping(item, position), at, position);
    if (ids.has(field.id)) throw new TemplateProblem(`${position}: 'id' should be unique`);
    ids.add(field.id);
    return field;
  });
}

function choicesIn(item: unknown): number {
  const attributes = isMapping(item) ? item.attributes : undefined;
  const options = isMapping(attributes) ? attributes.options : undefined;
  return Array.isArray(options) ? options.length : 0;
}

function fieldOf(item: Mapping, at: number, position: string): FormField {
  const given = textOf(item.type, `${position}.type`);
  const type = fieldTypes.find((one) => one === given);
  if (type === undefined) throw new TemplateProblem(`${position}: unknown type '${given}'`);
  const attributes = optionalMapping(item.attributes, `${position}.attributes`);
  const required = type === "markdown" ? "value" : "label";
  if (textOf(attributes?.[required], `${position}: '${required}'`) === "") throw new TemplateProblem(`${position}: '${required}' is required`);
  if ((type === "dropdown" || type === "checkboxes") && !(Array.isArray(attributes?.options) && attributes.options.length > 0))
    throw new TemplateProblem(`${position}: 'options' is required and should be a array`);
  if (type === "checkboxes") checkChoices(attributes?.options, position);
  const id = textOf(item.id, `${position}.id`);
  if (id !== "" && !/^[\w-]+$/.test(id)) throw new TemplateProblem(`${position}: 'id' should contain only alphanumeric, '-' and '_'`);
  return {
    type,
    id: id === "" ? String(at) : id,
    attributes,
    validations: optionalMapping(item.validations, `${position}.validations`),
    visible: visibleOf(item.visible, type, position),
  };
}

function checkChoices(options: unknown, position: string): void {
  for (const [at, option] of (options as readonly unknown[]).entries()) {
    if (!isMapping(option) || textOf(option.label, `${position}, option[${at}]: 'label'`) === "")
      throw new TemplateProblem(`${position}, option[${at}]: 'label' is required and should be a string`);
  }
}

const optionalMapping = (value: unknown, what: string): Mapping | null => (value === undefined || value === null ? null : requireMapping(value, what));

function visibleOf(value: unknown, type: FieldType, position: string): readonly Visibility[] {
  if (value === undefined || value === null) return type === "markdown" ? ["form"] : ["form", "content"];
  if (!Array.isArray(value) || !value.every((one) => one === "form" || one === "content"))
    throw new TemplateProblem(`${position}: 'visible' should be a list of 'form' and 'content'`);
  return value;
}
