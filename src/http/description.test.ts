import SwaggerParser from "@apidevtools/swagger-parser";
import { expect, test } from "vitest";
import { Branch, CreateBranchRepoOption } from "../wire/branch.ts";
import { Repository } from "../wire/repository.ts";
import { inPlace, list, named, nullable, option, record, text } from "../wire/schema.ts";
import { User } from "../wire/user.ts";
import { account, anyone, repository, siteAdmin } from "./access.ts";
import { empty, json, list as listOf, raw, variant } from "./answers.ts";
import { describeApi } from "./description.ts";
import { query } from "./query.ts";
import { defineRoute, type Route } from "./route.ts";
import type { SwaggerSchema } from "./swagger.ts";

const handle = () => {
  throw new Error("the description calls no handler");
};

const listBranches = defineRoute({
  id: "repoListBranches",
  method: "GET",
  path: "/repos/{owner}/{repo}/branches",
  tag: "repository",
  summary: "List the branches of a repository",
  access: repository.reader("repo.code"),
  scope: "repository",
  query: { q: query.text("part of a name"), sort: query.text("the order", ["name", "age"]), topics: query.texts("topics"), since: query.time("from when") },
  answers: listOf(Branch, "links"),
  handle,
});
const createBranch = defineRoute({
  id: "repoCreateBranch",
  method: "POST",
  path: "/repos/{owner}/{repo}/branches",
  tag: "repository",
  summary: "Create a branch",
  access: repository.writer("repo.code", { archived: "refused" }),
  scope: "repository",
  body: CreateBranchRepoOption,
  answers: json(201, Branch),
  refusals: { 409: "conflict" },
  handle,
});
const rawFile = defineRoute({
  id: "repoGetRawFile",
  method: "GET",
  path: "/repos/{owner}/{repo}/raw/{filepath+}",
  tag: "repository",
  summary: "Get a file",
  access: repository.visible,
  scope: "repository",
  answers: raw(["application/octet-stream"]),
  handle,
});
const getRepo = defineRoute({
  id: "repoGet",
  method: "GET",
  path: "/repos/{owner}/{repo}",
  tag: "repository",
  summary: "Get a repository",
  access: repository.visible,
  scope: "repository",
  answers: variant([200, 202], Repository),
  handle,
});
const deleteUser = defineRoute({
  id: "adminDeleteUser",
  method: "DELETE",
  path: "/admin/users/{username}",
  tag: "admin",
  summary: "Delete a user",
  access: siteAdmin,
  scope: "admin",
  isDeprecated: true,
  answers: empty(),
  handle,
});
const searchUsers = defineRoute({
  id: "userSearch",
  method: "GET",
  path: "/users/search",
  tag: "user",
  summary: "Search for users",
  access: anyone,
  scope: "none",
  answers: json(200, inPlace({ data: list(User) })),
  handle,
});
const page: Route = { ...searchUsers, id: "page", path: "/", mount: "root" };
const alias: Route = { ...searchUsers, id: "beyond", path: "/users/find", isUnlisted: true };

const routes: readonly Route[] = [listBranches, createBranch, rawFile, getRepo, deleteUser, searchUsers, page, alias];
const document = describeApi(routes);

test("is valid Swagger 2.0", async () => {
  const parsed = await SwaggerParser.validate(JSON.parse(JSON.stringify(document)));
  expect(parsed.info).toMatchObject({ title: "Hearth API", version: "1.1.1", license: { name: "MIT" } });
  expect(parsed).toHaveProperty("basePath", "/api/v1");
});

test("contains exactly the listed API routes", () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.sort()).toEqual(["adminDeleteUser", "repoCreateBranch", "repoGet", "repoGetRawFile", "repoListBranches", "userSearch"]);
});

test("describes an operation from its route", () => {
  expect(document.paths["/repos/{owner}/{repo}/branches"]?.post).toEqual({
    operationId: "repoCreateBranch",
    tags: ["repository"],
    summary: "Create a branch",
    description: "For users with write access to the repository's code. A token needs `write:repository`.",
    produces: ["application/json"],
    parameters: [
      { name: "owner", in: "path", type: "string", description: "owner of the repository", required: true, maxLength: 4_096 },
      { name: "repo", in: "path", type: "string", description: "name of the repository", required: true, maxLength: 4_096 },
      { name: "body", in: "body", required: true, schema: { $ref: "#/definitions/CreateBranchRepoOption" } },
    ],
    responses: {
      201: { description: "Done.", schema: { $ref: "#/definitions/Branch" } },
      301: { $ref: "#/responses/redirect" },
      307: { $ref: "#/responses/redirect" },
      401: { $ref: "#/responses/unauthenticated" },
      403: { $ref: "#/responses/forbidden" },
      404: { $ref: "#/responses/notFound" },
      409: { $ref: "#/responses/conflict" },
      413: { $ref: "#/responses/tooLarge" },
      415: { $ref: "#/responses/unsupportedMedia" },
      422: { $ref: "#/responses/validationError" },
      423: { $ref: "#/responses/repoArchivedError" },
    },
  });
  expect(document.paths["/admin/users/{username}"]?.delete).toMatchObject({ deprecated: true, responses: { 204: { $ref: "#/responses/empty" } } });
  expect(Object.keys(document.paths["/repos/{owner}/{repo}"]?.get?.responses ?? {})).toEqual(expect.arrayContaining(["200", "202"]));
});

test("describes the query, paging parameters and paging headers of a list", () => {
  const operation = document.paths["/repos/{owner}/{repo}/branches"]?.get;
  expect(operation?.parameters.slice(2)).toEqual([
    { name: "q", in: "query", type: "string", description: "part of a name", maxLength: 4_096 },
    { name: "sort", in: "query", type: "string", description: "the order", enum: ["name", "age"], maxLength: 4_096 },
    { name: "topics", in: "query", type: "array", items: { type: "string", maxLength: 4_096 }, collectionFormat: "multi", description: "topics" },
    { name: "since", in: "query", type: "string", format: "date-time", description: "from when" },
    expect.objectContaining({ name: "page", type: "integer" }),
    expect.objectContaining({ name: "limit", type: "integer" }),
  ]);
  expect(operation?.responses[200]).toMatchObject({
    schema: { $ref: "#/definitions/BranchList" },
    headers: { "X-Total-Count": { type: "integer" }, Link: {} },
  });
  expect(document.definitions.BranchList).toEqual({ type: "array", items: { $ref: "#/definitions/Branch" } });
});

test("declares the schemes and default media types of the contract", () => {
  expect(document).toMatchObject({
    schemes: ["http", "https"],
    consumes: ["application/json", "text/plain"],
    produces: ["application/json", "text/html"],
  });
});

test("describes an alias with an id as a separate operation and omits other aliases", () => {
  const path = "/repos/{owner}/{repo}/issues/{index}/labels";
  const labels = defineRoute({
    id: "labels",
    method: "GET",
    path,
    tag: "issue",
    summary: "Labels",
    access: repository.visible,
    scope: "issue",
    answers: json(200, User),
    handle,
  });
  const described = (route: Route): readonly string[] =>
    Object.entries(describeApi([route]).paths).flatMap(([at, methods]) => Object.values(methods).map(({ operationId }) => `${operationId} ${at}`));
  expect(described(labels)).toEqual([`labels ${path}`]);
  expect(described({ ...labels, aliasId: "labelsAlias" })).toEqual(["labelsAlias /repos/{owner}/{repo}/issue/{index}/labels", `labels ${path}`]);
});

test("describes a named string type as a definition", () => {
  const described = describeApi([{ ...rawFile, answers: raw(["text/html"], 200, named("Rendered", text())) }]);
  expect(described.definitions.Rendered).toEqual({ type: "string" });
  expect(Object.values(described.paths)[0]?.get?.responses[200]).toMatchObject({ schema: { $ref: "#/definitions/Rendered" } });
});

test("describes a rest parameter as an ordinary one and a raw answer as a file", () => {
  const operation = document.paths["/repos/{owner}/{repo}/raw/{filepath}"]?.get;
  expect(operation).toMatchObject({ produces: ["application/octet-stream", "application/json"], responses: { 200: { schema: { type: "file" } } } });
});

test("includes only definitions that an operation references", () => {
  const text = JSON.stringify(document);
  expect(Object.keys(document.definitions)).toContain("ExternalTracker");
  for (const name of Object.keys(document.definitions)) expect(text).toContain(`"#/definitions/${name}"`);
  for (const name of Object.keys(document.responses)) expect(text).toContain(`"#/responses/${name}"`);
  const repositoryFields = document.definitions.Repository?.properties as Record<string, SwaggerSchema>;
  expect(repositoryFields).toMatchObject({
    parent: { $ref: "#/definitions/Repository" },
    owner: { $ref: "#/definitions/User", "x-nullable": true },
    topics: { type: "array", items: { type: "string" }, "x-nullable": true },
    object_format_name: { type: "string", enum: ["sha1", "sha256"] },
    created_at: { type: "string", format: "date-time" },
  });
  expect(document.definitions.Repository?.required).toContain("owner");
  expect(document.definitions.Repository?.required).not.toContain("parent");
  expect(document.definitions.CreateBranchRepoOption).toMatchObject({
    required: ["new_branch_name"],
    properties: { old_branch_name: { "x-deprecated": true } },
  });
});

test.each<[string, readonly Route[], RegExp]>([
  ["two operations of one id", [getRepo, { ...getRepo, path: "/repositories/{id}" }], /repoGet .*occurs twice/],
  ["two operations at one place", [getRepo, { ...getRepo, id: "other" }], /other .*occurs twice/],
  ["two records of one name", [getRepo, { ...searchUsers, answers: json(200, record("User", { login: text() })) }], /two records are named User/],
  ["a response without a name", [{ ...getRepo, refusals: { 418: "teapot" } }], /no response is named teapot/],
  ["a variable without a meaning", [{ ...searchUsers, path: "/users/{whim}" }], /\{whim\} is not declared/],
])("rejects %s", (_what, contradictory, message) => {
  expect(() => describeApi(contradictory)).toThrow(message);
});

test("accepts a record that is used as nullable, optional and plain", () => {
  const Wish = option("Wish", { who: nullable(User), others: list(User) });
  const described = describeApi([{ ...searchUsers, method: "POST", access: account.visible, path: "/users/{username}", body: Wish }]);
  expect(Object.keys(described.definitions)).toEqual(["APIError", "User", "Wish"]);
});
