import type { Answers } from "./answers.ts";
import type { QueryDeclaration, QueryParameter } from "./query.ts";
import type { SwaggerValueParameter } from "./swagger.ts";

/** Maximum length of a path parameter: the longest path that git checks out. Longer values are not found. */
export const maxParameterLength = 4_096;

interface PathParameter {
  readonly type: "string" | "integer";
  readonly description: string;
  readonly values?: readonly string[];
}

const text = (description: string, values?: readonly string[]): PathParameter => ({ type: "string", description, ...(values && { values }) });
const number = (description: string): PathParameter => ({ type: "integer", description });

/** Descriptions of path parameters. A name has one meaning in the whole API, except for those in {@link meaningsAfter}. */
const pathParameters: Readonly<Record<string, PathParameter>> = {
  archive: text("a branch, tag or commit, and the format: `main.zip`, `v1.0.tar.gz`, `main.bundle`"),
  base: text("target branch"),
  basehead: text("base and head to compare: `base...head`, where the head may be `owner:branch`"),
  attachment_id: number("id of the attachment"),
  branch: text("name of a branch"),
  collaborator: text("name of the collaborator"),
  diffType: text("format: `diff` or `patch`", ["diff", "patch"]),
  delivery_id: number("id of the delivery"),
  filepath: text("path of a file or directory in the repository"),
  head: text("head branch, `user:branch` for a branch of a fork"),
  id: number("its number"),
  index: number("its number in the repository"),
  artifact_id: text("id of the artifact"),
  job_id: number("id of the job"),
  name: text("its name"),
  org: text("name of the organization"),
  owner: text("owner of the repository"),
  pageName: text("name of the wiki page, as in its URL"),
  position: number("the place, from 1"),
  ref: text("a branch, tag or commit"),
  repo: text("name of the repository"),
  run: number("id of the run"),
  runner_id: text("id of the runner"),
  secretname: text("name of the secret"),
  sha: text("a commit, or a ref that resolves to one"),
  tag: text("name of the tag"),
  task: text("name of the scheduled task"),
  team: text("name of the team"),
  target: text("name of the followed user"),
  variablename: text("name of the variable"),
  workflow_id: text("file name of the workflow"),
  template_owner: text("owner of the template repository"),
  template_repo: text("name of the template repository"),
  token: text("id or name of the token"),
  topic: text("name of the topic"),
  user: text("name of the user"),
  username: text("name of the user"),
};

/** Descriptions of parameters that follow a certain path segment. */
const meaningsAfter: Readonly<Record<string, PathParameter>> = {
  "git/{id}": text("name of a hook script"),
};

/** Allowed values of a path parameter, if they are limited. */
export const valuesOfPathParameter = (name: string): readonly string[] | undefined => pathParameters[name]?.values;

/** A route's path in the description: `{filepath+}` and `{filepath*}` become `{filepath}`. */
export const publishedPath = (path: string): string => path.replace(/[+*]\}/g, "}");

/** @throws Error for a path parameter without a description */
export function pathParametersOf(path: string): SwaggerValueParameter[] {
  return [...publishedPath(path).matchAll(/(?:([\w-]+)\/)?\{(\w+)\}/g)].map(([, segment, name = ""]) => {
    const known = meaningsAfter[`${segment}/{${name}}`] ?? pathParameters[name];
    if (known === undefined) throw new Error(`description: path ${path}: the meaning of {${name}} is not declared`);
    const { type, description, values } = known;
    return {
      name,
      in: "path",
      type,
      ...(type === "integer" && { format: "int64" }),
      description,
      required: true,
      ...(values && { enum: values }),
      ...(type === "string" && { maxLength: maxParameterLength }),
    };
  });
}

const page: SwaggerValueParameter = { name: "page", in: "query", type: "integer", description: "page number, starting at 1" };
const limit: SwaggerValueParameter = { name: "limit", in: "query", type: "integer", description: "items on a page" };

/** The declared query parameters plus the paging parameters of lists. */
export function queryParametersOf(query: QueryDeclaration, answers: Answers): SwaggerValueParameter[] {
  const declared = Object.entries(query).map(([name, parameter]) => queryParameter(name, parameter));
  const pages = "paging" in answers && answers.paging !== "none" && answers.paging !== "own" ? [page, limit] : [];
  return [...declared, ...pages.filter(({ name }) => !Object.hasOwn(query, name))];
}

function queryParameter(name: string, { type, description, values, maxLength, isRequired }: QueryParameter<unknown>): SwaggerValueParameter {
  const shared = { name, in: "query", description, ...(isRequired && ({ required: true } as const)) } as const;
  switch (type) {
    case "time":
      return { ...shared, type: "string", format: "date-time" };
    case "strings":
      return { ...shared, type: "array", items: { type: "string", ...(values && { enum: values }), maxLength }, collectionFormat: "multi" };
    case "integers":
      return { ...shared, type: "array", items: { type: "integer", format: "int64" }, collectionFormat: "multi" };
    default:
      return { ...shared, type, ...(values && { enum: values }), ...(type === "string" && { maxLength }) };
  }
}
