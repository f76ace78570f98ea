import type { TSchema } from "typebox";
import { APIError, ForbiddenError, InvalidTopicError, InvalidTopicsError, NotFoundError, UnknownOwnerError } from "../wire/errors.ts";
import { asSchema, list, nullable, type Schema, named as underName } from "../wire/schema.ts";
import type { Answers } from "./answers.ts";
import type { Definitions } from "./description-schema.ts";
import { describePageHeaders, type PageHeader } from "./paging-headers.ts";
import type { Route } from "./route.ts";
import type { SwaggerReference, SwaggerResponse } from "./swagger.ts";

/** Named responses, with the names of the contract. A route's `refusals` refer to them. */
const namedResponses = {
  redirect: { description: "The resource is at another URL, given in `Location`." },
  notModified: { description: "The client's copy is current." },
  unsatisfiableRange: { description: "The requested range is beyond the end of the file. `Content-Range` has its size." },
  empty: { description: "Success, without content." },
  error: { description: "The request is refused.", body: APIError },
  unauthenticated: { description: "Credentials are missing or invalid.", body: APIError },
  forbidden: { description: "The caller lacks the permission, or the token lacks the scope.", body: ForbiddenError },
  notFound: { description: "The resource does not exist or is not visible to the caller.", body: NotFoundError },
  notFoundOrNull: { description: "The resource does not exist or is not visible to the caller. The body may be null.", body: nullable(NotFoundError) },
  unknownOwner: { description: "The resource, or the owner in the request, does not exist or is not visible to the caller.", body: UnknownOwnerError },
  tooLarge: { description: "The request body is larger than this server accepts.", body: APIError },
  unsupportedMedia: { description: "The request body is compressed or of a media type that is not supported.", body: APIError },
  conflict: { description: "The name or number is already in use, or the resource has changed in the meantime.", body: APIError },
  validationError: { description: "The input is invalid.", body: APIError },
  invalidTopicsError: { description: "A topic is invalid, or there are too many topics.", body: InvalidTopicsError },
  invalidTopicError: { description: "The topic is invalid.", body: InvalidTopicError },
  repoArchivedError: { description: "The repository is archived.", body: APIError },
} as const satisfies Record<string, { readonly description: string; readonly body?: Schema }>;
/** Names of the list definitions, by the name of the item. */
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

/** Gives a list body the definition name that the contract uses for it. */
function underListName(body: Schema): Schema {
  const name = body.nullable ? undefined : listNames[body.items?.title ?? ""];
  return name === undefined ? body : underName(name, body);
}

type ResponseName = keyof typeof namedResponses;

const isResponseName = (name: string): name is ResponseName => Object.hasOwn(namedResponses, name);

/** Collects the named responses that operations refer to. */
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

  const alternativeOf = (schema: TSchema | undefined): Pick<SwaggerResponse, "x-alternative"> =>
    schema === undefined ? {} : { "x-alternative": definitions.use(asSchema(schema)) };

  const successes = (answers: Answers): [number, SwaggerResponse | SwaggerReference][] => {
    switch (answers.kind) {
      case "json":
        return [[answers.status, { ...withBody("Done.", asSchema(answers.schema)), ...alternativeOf(answers.alternative) }]];
      case "variant":
        return answers.statuses.map((status) => [status, withBody("Done.", asSchema(answers.schema))]);
      case "list":
        return [
          [
            200,
            {
              ...withBody("One page of the list.", answers.isNullable ? nullable(list(asSchema(answers.items))) : list(asSchema(answers.items))),
              ...alternativeOf(answers.alternative),
              ...pagingHeaders(answers.paging, answers.pageHeaders),
            },
          ],
        ];
      case "envelope":
        return [
          [200, { ...withBody("One page of the list.", asSchema(answers.schema)), ...alternativeOf(answers.alternative), ...pagingHeaders(answers.paging) }],
        ];
      case "empty":
        return [[answers.status, named("empty")]];
      case "raw":
        return [answers.status, ...(answers.furtherStatuses ?? [])].map((status) => {
          if (answers.isEmpty) return [status, named("empty")];
          if (answers.schema !== undefined) return [status, withBody("The content.", asSchema(answers.schema))];
          return [status, { description: status === 206 ? "The requested range of the content." : "The content.", schema: { type: "file" } }];
        });
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
  const total = { "X-Total-Count": { type: "integer", format: "int64", description: "total number of items that are visible to the caller" } };
  const links = paging === "links" ? { Link: { type: "string", description: "URLs of the first, previous, next and last page (RFC 8288)" } } : {};
  return { headers: { ...total, ...links, ...describePageHeaders(pageHeaders) } };
}

/** Refusals that follow from the other declarations of a route. */
function impliedRefusals({ access, ignoresCredentials, body, uploadField, query }: Route): Record<number, ResponseName> {
  const isOfOwner = access.kind === "repository" || access.kind === "account" || access.kind === "organization";
  return {
    ...(access.kind === "repository" && { 301: "redirect" }),
    ...(isOfOwner && { 307: "redirect" }),
    // Credentials can be wrong, of an account that may not sign in, or ask to act as a user who does not exist.
    ...(!ignoresCredentials && { 401: "unauthenticated", 403: "forbidden", 404: "notFound" }),
    ...((body !== undefined || uploadField !== undefined) && { 413: "tooLarge", 415: "unsupportedMedia" }),
    ...((body !== undefined || Object.keys(query).length > 0) && { 422: "validationError" }),
    ...(access.kind === "repository" && access.writable && { 423: "repoArchivedError" }),
  };
}
