import type { Unit } from "../access/repository.ts";
import { asSchema, isRecord } from "../wire/schema.ts";
import type { Access, RepositoryNeed } from "./access.ts";
import { pathParametersOf, publishedPath, queryParametersOf } from "./description-parameters.ts";
import { collectResponses } from "./description-responses.ts";
import { collectDefinitions, type Definitions } from "./description-schema.ts";
import type { Route } from "./route.ts";
import type { SwaggerBody, SwaggerDocument, SwaggerOperation, SwaggerParameter } from "./swagger.ts";

/** Version of the API, not of the server (which `GET /version` returns). */
const interfaceVersion = "1.1.1";
const json = "application/json";
const plainText = "text/plain";
const html = "text/html";

/** In the order in which the credentials of a request are checked. */
const securityDefinitions = {
  AuthorizationHeaderToken: { type: "apiKey", name: "Authorization", in: "header", description: "`token <access token>` or `Bearer <access token>`" },
  BasicAuth: { type: "basic" },
  AccessToken: { type: "apiKey", name: "access_token", in: "query", description: "deprecated: URLs end up in logs; send the header" },
  Token: { type: "apiKey", name: "token", in: "query", description: "deprecated: URLs end up in logs; send the header" },
  SudoHeader: { type: "apiKey", name: "Sudo", in: "header", description: "acts as the named user; for site administrators" },
  SudoParam: { type: "apiKey", name: "sudo", in: "query", description: "acts as the named user; for site administrators" },
  TOTPHeader: {
    type: "apiKey",
    name: "X-GITEA-OTP",
    in: "header",
    description: "one-time code, in addition to Basic credentials of a user with two-factor authentication",
  },
} as const;

const tagDescriptions: Readonly<Record<string, string>> = {
  admin: "site administration",
  issue: "issues, their labels, milestones and comments",
  miscellaneous: "rendering, templates, version",
  notification: "notifications of a user",
  organization: "organizations and teams",
  package: "packages",
  repository: "repositories and their contents",
  settings: "settings and facts of this server",
  user: "users and their resources",
};

/**
 * The Swagger 2.0 description of the listed API routes, generated from their declarations alone.
 * @throws Error when the declarations contradict each other: two operations with one id or path, two records with one name
 */
export function describeApi(routes: readonly Route[]): SwaggerDocument {
  const definitions = collectDefinitions();
  const responses = collectResponses(definitions);
  const paths: Record<string, Record<string, SwaggerOperation>> = {};
  const ids = new Set<string>();
  const tags = new Set<string>();

  for (const route of routes.filter(isPublished).flatMap(withAlias)) {
    const path = publishedPath(route.path);
    const method = route.method.toLowerCase();
    paths[path] ??= {};
    if (paths[path][method] !== undefined || ids.has(route.id)) throw new Error(`description: ${route.id} (${route.method} ${path}) occurs twice`);
    ids.add(route.id);
    tags.add(route.tag);
    paths[path][method] = { ...operation(route, definitions), responses: responses.of(route) };
  }

  return {
    swagger: "2.0",
    info: { title: "Hearth API", description: "The REST API of this Hearth server.", version: interfaceVersion, license: { name: "MIT" } },
    schemes: ["http", "https"],
    basePath: "/api/v1",
    consumes: [json, plainText],
    produces: [json, html],
    securityDefinitions,
    security: Object.keys(securityDefinitions).map((name) => ({ [name]: [] })),
    tags: [...tags].sort().map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    // After the paths and before the definitions, because the bodies of refusals are definitions.
    responses: responses.all(),
    definitions: definitions.all(),
  };
}

const isPublished = (route: Route): boolean => route.mount === "api" && !route.isUnlisted;

/** A route and its first alias, if the alias is a separate operation. */
function withAlias(route: Route): readonly Route[] {
  const { aliasId, aliases } = route;
  return aliasId === undefined ? [route] : [route, ...aliases.slice(0, 1).map((path): Route => ({ ...route, id: aliasId, path }))];
}

function operation(route: Route, definitions: Definitions): Omit<SwaggerOperation, "responses"> {
  const body = bodyOf(route, definitions);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: `${accessText(route.access)} ${scopeText(route)}`,
    ...(route.isDeprecated && { deprecated: true }),
    ...(body?.consumes && { consumes: body.consumes }),
    ...(route.uploadField !== undefined && { consumes: ["multipart/form-data", ...(route.uploadsAlone ? ["application/octet-stream"] : [])] }),
    ...producesOf(route),
    parameters: [...pathParametersOf(route.path), ...queryParametersOf(route.query, route.answers), ...(body ? [body.parameter] : []), ...uploadOf(route)],
  };
}

/** Each operation with a response body names its media types, because the description has two defaults. Errors are JSON. */
function producesOf({ answers }: Route): Pick<SwaggerOperation, "produces"> {
  if (answers.kind === "empty") return {};
  if (answers.kind !== "raw") return { produces: [json] };
  if (answers.produces.length === 0) return {};
  return { produces: answers.produces.includes(json) ? answers.produces : [...answers.produces, json] };
}

const uploadOf = ({ uploadField: name }: Route): SwaggerParameter[] =>
  name === undefined ? [] : [{ name, in: "formData", type: "file", description: "the file", required: true }];

function bodyOf(route: Route, definitions: Definitions): { readonly parameter: SwaggerBody; readonly consumes?: readonly string[] } | undefined {
  if (route.body === undefined) return undefined;
  const schema = asSchema(route.body);
  const isRequired = !route.acceptsNoBody && ((schema.required?.length ?? 0) > 0 || !isRecord(schema));
  const parameter: SwaggerBody = { name: "body", in: "body", ...(isRequired && { required: true }), schema: definitions.use(schema) };
  return isRecord(schema) ? { parameter } : { parameter, consumes: [plainText] };
}

const needTexts: Readonly<Record<Exclude<RepositoryNeed["right"], "read" | "write" | "write-any">, string>> = {
  any: "users who can see the repository",
  edit: "users with write access to the code",
  admin: "administrators of the repository",
  owner: "owners of the repository",
};

const accountTexts = {
  visible: "users who can see the account",
  "signed-in": "signed-in users who can see the account",
  "self-or-admin": "the user and site administrators",
  "site-admin": "site administrators",
} as const;

const organizationTexts = {
  visible: "users who can see the organization",
  "signed-in": "signed-in users who can see the organization",
  member: "members of the organization",
  owner: "owners of the organization",
} as const;

function whoCan(need: RepositoryNeed): string {
  const named = (unit: Unit): string => unit.replace("repo.", "");
  if (need.right === "write-any") return `users with write access to the repository's ${need.units.map(named).join(" or ")}`;
  return need.right === "read" || need.right === "write" ? `users with ${need.right} access to the repository's ${named(need.unit)}` : needTexts[need.right];
}

function accessText(access: Access): string {
  const who = (): string => {
    switch (access.kind) {
      case "anyone":
        return "anyone";
      case "user":
        return "signed-in users";
      case "site-admin":
        return "site administrators";
      case "account":
        return accountTexts[access.need];
      case "organization":
        return organizationTexts[access.need];
      case "team":
        return access.need === "owner" ? "owners of the team's organization" : "members of the team and owners of its organization";
      case "repository": {
        const { need, signedIn } = access;
        const those = whoCan(need);
        return signedIn && need.right === "any" ? `signed-in ${those}` : those;
      }
    }
  };
  return `For ${who()}.`;
}

function scopeText({ scope, scopeLevel }: Route): string {
  const categories = scope === "none" ? [] : typeof scope === "string" ? [scope] : scope;
  if (categories.length === 0) return "Any token is accepted.";
  return `A token needs ${categories.map((category) => `\`${scopeLevel}:${category}\``).join(" and ")}.`;
}
