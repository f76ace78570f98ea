import { APIError, InvalidTopicsError, NotFoundError } from "../wire/errors.ts";
import { asSchema, list, nullable, type Schema, named as underName } from "../wire/schema.ts";
import type { Answers } from "./answers.ts";
import type { Definitions } from "./description-schema.ts";
import { describePageHeaders, type PageHeader } from "./page-headers.ts";
import type { Route } from "./route.ts";
import type { SwaggerReference, SwaggerResponse } from "./swagger.ts";

/** The named responses, by the contract's names; a route's `refusals` refer to them. */
const namedResponses = {
  redirect: { description: "The answer is elsewhere: `Location` tells where." },
  empty: { description: "Done; there is nothing to show." },
  error: { description: "The request is refused.", body: APIError },
  unauthenticated: { description: "Credentials are missing or wrong.", body: APIError },
  forbidden: { description: "The caller lacks the right, or the token the scope.", body: APIError },
  notFound: { description: "There is no such thing for this caller.", body: NotFoundError },
  notFoundOrNull: { description: "There is no such thing for this caller; the body may be null.", body: nullable(NotFoundError) },
  tooLarge: { description: "The request body is larger than this server accepts.", body: APIError },
  conflict: { description: "Something of that name or number exists, or has changed meanwhile.", body: APIError },
  validationError: { description: "The input breaks a rule.", body: APIError },
  invalidTopicsError: { description: "A topic breaks a rule, or there are too many.", body: InvalidTopicsError },
  repoArchivedError: { description: "The repository is archived.", body: APIError },
} as const satisfies Record<string, { readonly description: string; readonly body?: Schema }>;
/** Names of lists in the interface document, by the name of an item. */
const listNames: Readonly<Record<string, string>> = {
  Attachment: "AttachmentList",
  Branch: "BranchList",
  Comment: "CommentList",
  CommitStatus: "StatusList",
  DeployKey: "DeployKeyList",
  Hook: "HookList",
  Issue: "IssueList",
  Label: "LabelList",
  Milestone: "MilestoneList",
  PullRequest: "PullRequestList",
  Release: "ReleaseList",
  Repository: "RepositoryList",
  Team: "TeamList",
  TrackedTime: "TrackedTimeList",
  User: "UserList",
};

/** A body as the description names it: a list of the interface document has a name of its own. */
function underListName(body: Schema): Schema {
  const name = body.nullable ? undefined : listNames[body.items?.title ?? ""];
  return name === undefined ? body : underName(name, body);
}

type ResponseName = keyof typeof namedResponses;

const isResponseName = (name: string): name is ResponseName => Object.hasOwn(namedResponses, name);

/** Collects the named responses of a description while operations refer to them. */
export interface Responses {
  of(route: Route): Readonly<Record<string, SwaggerResponse | SwaggerReference>>;
  all(): Readonly<Record<string, SwaggerResponse>>;
}

export function collectResponses(definitions: Definitions): Responses {
  const used = new Set<ResponseName>();

  const named = (name: string): SwaggerReference => {
    if (!isResponseName(name)) throw new Error(`description: no response is named ${name}`);
    used.add(name);
    return { $ref: `#/responses/${name}` };
  };

  const withBody = (description: string, schema: Schema): SwaggerResponse => ({ description, schema: definitions.use(underListName(schema)) });

  const successes = (answers: Answers): [number, SwaggerResponse | SwaggerReference][] => {
    switch (answers.kind) {
      case "json":
        return [[answers.status, withBody("Done.", asSchema(answers.schema))]];
      case "variant":
        return answers.statuses.map((status) => [status, withBody("Done.", asSchema(answers.schema))]);
      case "list":
        return [[200, { ...withBody("One page of the list.", list(asSchema(answers.items))), ...pagingHeaders(answers.paging, answers.pageHeaders) }]];
      case "envelope":
        return [[200, { ...withBody("One page of the list.", asSchema(answers.schema)), ...pagingHeaders(answers.paging) }]];
      case "empty":
        return [[answers.status, named("empty")]];
      case "raw":
        if (answers.isEmpty) return [[answers.status, named("empty")]];
        return [
          [
            answers.status,
            answers.schema === undefined ? { description: "The content.", schema: { type: "file" } } : withBody("The content.", asSchema(answers.schema)),
          ],
        ];
    }
  };

  return {
    of: (route) => {
      const refusals = Object.entries({ ...impliedRefusals(route), ...route.refusals }).map(([status, name]): [string, SwaggerReference] => [
        status,
        named(name),
      ]);
      return Object.fromEntries([...successes(route.answers).map(([status, response]) => [String(status), response] as const), ...refusals]);
    },
    all: () =>
      Object.fromEntries(
        [...used].sort().map((name) => {
          const response: { readonly description: string; readonly body?: Schema } = namedResponses[name];
          return [name, response.body === undefined ? { description: response.description } : withBody(response.description, response.body)];
        }),
      ),
  };
}

function pagingHeaders(paging: "links" | "total" | "own" | "none", pageHeaders: readonly PageHeader[] = []): Pick<SwaggerResponse, "headers"> {
  if (paging === "none") return {};
  const total = { "X-Total-Count": { type: "integer", format: "int64", description: "items on all pages, counted for what the caller may see" } };
  const links = paging === "links" ? { Link: { type: "string", description: "the first, previous, next and last page (RFC 8288)" } } : {};
  return { headers: { ...total, ...links, ...describePageHeaders(pageHeaders) } };
}

/** The refusals that follow from what a route declares anyway. */
function impliedRefusals({ access, scope, body, uploadField, query }: Route): Record<number, ResponseName> {
  const needsUser = access.kind === "repository" ? access.signedIn : access.kind !== "anyone" && (!("need" in access) || access.need !== "visible");
  return {
    ...(needsUser && { 401: "unauthenticated" }),
    ...((needsUser || scope !== "none") && { 403: "forbidden" }),
    ...(access.kind !== "anyone" && access.kind !== "user" && access.kind !== "site-admin" && { 404: "notFound" }),
    ...((body !== undefined || uploadField !== undefined) && { 413: "tooLarge" }),
    ...((body !== undefined || Object.keys(query).length > 0) && { 422: "validationError" }),
    ...(access.kind === "repository" && access.writable && { 423: "repoArchivedError" }),
  };
}
