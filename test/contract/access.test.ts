import { afterAll, beforeAll, expect, test } from "vitest";
import { guardMessages } from "../../src/http/access.ts";
import type { Route } from "../../src/http/route.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";

/**
 * Callers in order of increasing permission. The repository is public and belongs to `owner`, who also owns the organization and is the
 * account named in paths. `reader`, `writer` and `keeper` are collaborators with read, write and admin access; `member` is in a team of
 * the organization.
 */
const callers = ["anonymous", "stranger", "reader", "writer", "keeper", "member", "owner", "chief"] as const;
type Caller = (typeof callers)[number];

/** The least privileged caller that is authorized, and the status for anonymous callers. */
interface Rule {
  readonly least: Caller;
  readonly anonymous?: 401 | 403;
}

/** Requests of the contract and the least privileged caller of each, as in Gitea 1.26. The first matching line counts. */
const rules: readonly (readonly [method: RegExp, path: RegExp, least: Caller, anonymous?: 403])[] = [
  [/./, /^\/(version|settings\/|gitignore|licenses|label\/templates|signing-key|topics\/search|swagger)/, "anonymous"],
  [/./, /^\/(markup|markdown)/, "stranger"],
  [/./, /^\/admin\//, "chief"],
  [/./, /^\/(notifications|user)(\/|$)/, "stranger"],
  [/GET/, /^\/users\/(search|\{username\}(\/repos|\/heatmap|\/activities\/feeds)?)$/, "anonymous"],
  [/./, /^\/users\/\{username\}\/tokens/, "owner", 403],
  [/./, /^\/users\/\{username\}\//, "stranger"],
  [/GET/, /^\/orgs(\/\{org\}(\/repos|\/labels|\/public_members(\/\{username\})?|\/activities\/feeds)?)?$/, "anonymous"],
  [/POST/, /^\/(orgs|orgs?\/\{org\}\/repos)$/, "stranger"],
  [/GET/, /^\/orgs\/\{org\}\/(members(\/\{username\})?|labels\/\{id\})$/, "stranger"],
  [/GET/, /^\/orgs\/\{org\}\/teams(\/search)?$/, "member"],
  [/./, /^\/orgs\/\{org\}\/public_members/, "member"],
  [/GET/, /^\/orgs\/\{org\}\/actions\/(runs|jobs)$/, "member"],
  [/./, /^\/orgs\//, "owner"],
  [/GET/, /^\/teams\/\{id\}/, "member"],
  [/./, /^\/teams\/\{id\}\/repos/, "member"],
  [/./, /^\/teams\//, "owner"],
  [/GET/, /^\/repos\/(search|issues\/search)$/, "anonymous"],
  [/./, /^\/(repos\/migrate|repositories\/\{id\})$/, "stranger"],
  [/./, /^\/repos\/\{template_owner\}/, "stranger"],
  [/DELETE/, /^\/repos\/\{owner\}\/\{repo\}$/, "owner"],
  [/POST/, /\/transfer$/, "owner"],
  [/./, /\/transfer\/(accept|reject)$/, "stranger"],
  [/PATCH/, /^\/repos\/\{owner\}\/\{repo\}$/, "keeper"],
  [/./, /^\/repos\/\{owner\}\/\{repo\}\/(push_mirrors|push_mirrors-sync|avatar|topics\/\{topic\})(\/|$)/, "keeper", 403],
  [/./, /^\/repos\/\{owner\}\/\{repo\}\/(hooks|keys|branch_protections|tag_protections)(\/|$)/, "keeper"],
  [/PUT|DELETE/, /^\/repos\/\{owner\}\/\{repo\}\/(collaborators\/\{collaborator\}|teams\/\{team\}|topics)$/, "keeper"],
  [/DELETE/, /\/issues\/\{index\}$/, "keeper"],
  [/./, /\/issues\/\{index\}\/(lock|pin)(\/|$)/, "keeper"],
  [/./, /^\/repos\/\{owner\}\/\{repo\}\/actions\/(secrets|variables|runners)(\/|$)/, "owner"],
  [/GET/, /\/actions\/(runs$|jobs|workflows)/, "stranger"],
  [/POST|PUT|DELETE/, /\/actions\/(runs|workflows)\//, "writer"],
  [/DELETE/, /\/actions\/artifacts\//, "writer", 403],
  [/GET/, /\/\{repo\}\/reviewers$/, "reader"],
  [/GET/, /\/\{repo\}\/(collaborators|assignees|teams|subscription|times|notifications)(\/|$)/, "stranger"],
  [/GET/, /\/issues\/\{index\}\/(times|subscriptions\/check)$/, "stranger"],
  [/GET|HEAD/, /^\/repos\/\{owner\}\/\{repo\}/, "anonymous"],
  [
    /POST|PUT|PATCH|DELETE/,
    /\/\{repo\}\/(branches|tags|contents|diffpatch|merge-upstream|mirror-sync|statuses|releases|wiki|labels|milestones)(\/|$)/,
    "writer",
  ],
  [/POST/, /\/\{repo\}\/file-contents$/, "anonymous"],
  [/./, /^\/repos\/\{owner\}\/\{repo\}\//, "stranger"],
];

/** Operations outside the contract, and one that Hearth restricts (contract/deviations.md). */
const ofHearth: readonly (readonly [method: RegExp, path: RegExp, least: Caller, anonymous?: 403])[] = [
  [/GET/, /^\/users\/\{username\}\/orgs\/\{org\}\/permissions$/, "member"],
  [/GET/, /\/\{repo\}\/deleted_branches/, "writer"],
  [/POST/, /\/\{repo\}\/deleted_branches/, "writer"],
  [/DELETE/, /\/\{repo\}\/deleted_branches/, "keeper"],
  [/POST/, /\/issues\/\{index\}\/transfer$/, "stranger"],
];

const factOf = ({ method, path }: Route): Rule | undefined => {
  const found = [...ofHearth, ...rules].find(([methods, paths]) => methods.test(method) && paths.test(path));
  return found && { least: found[2], anonymous: found[3] ?? 401 };
};

const refusals = [...Object.values(guardMessages), "doer has no permission to get reviewers"];

/** Rejected by authorization. All other responses come from the handler. Teams do not exist for callers outside their organization. */
const isRefused = ({ path }: Route, caller: Caller, status: number, body: string): boolean =>
  (status === 401 && body.includes("token is required")) ||
  (status === 403 && refusals.some((text) => body.includes(text))) ||
  (status === 404 && path.startsWith("/teams/") && callers.indexOf(caller) < callers.indexOf("member"));

/** They would delete resources that other requests need. */
const destructive = new Set(["repoDelete", "orgDelete", "orgDeleteTeam", "orgRename"]);

let forge: TestForge;
let teamId: number;
const users = new Map<Caller, TestUser>();

beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  users.set("chief", forge.admin);
  for (const name of ["stranger", "reader", "writer", "keeper", "member", "owner"] as const) users.set(name, await forge.createUser(name));
  const owner = userOf("owner");
  await owner.post("/user/repos", { name: "site", auto_init: true }).expect(201);
  await owner.patch("/repos/owner/site", { has_actions: true }).expect(200);
  for (const [name, permission] of [
    ["reader", "read"],
    ["writer", "write"],
    ["keeper", "admin"],
  ]) {
    await owner.put(`/repos/owner/site/collaborators/${name}`, { permission }).expect(204);
  }
  await owner.post("/orgs", { username: "acme" }).expect(201);
  const team = await owner.post<{ id: number }>("/orgs/acme/teams", { name: "devs", permission: "read", units: ["repo.code"] }).expect(201);
  teamId = team.id;
  await owner.put(`/teams/${teamId}/members/member`).expect(204);
});
afterAll(() => forge[Symbol.asyncDispose]());

function userOf(caller: Caller): TestUser {
  const user = users.get(caller);
  if (user === undefined) throw new Error(`there is no ${caller}`);
  return user;
}

/** Names of existing resources where authorization looks them up, and of missing ones elsewhere. */
const addressOf = ({ path }: Route): string =>
  `/api/v1${path.replace(/\{(\w+)[+*]?\}/g, (_whole, name: string) => {
    if (name === "owner" || name === "template_owner") return path.startsWith("/admin") ? "zz-none" : "owner";
    if (name === "username") return path.startsWith("/admin") ? "zz-none" : "owner";
    if (name === "repo" || name === "template_repo") return "site";
    if (name === "org") return "acme";
    if (name === "diffType") return "diff";
    if (name === "id" && path.startsWith("/teams/{id}")) return String(teamId);
    return name === "id" || name === "index" ? "999999999" : "zz-none";
  })}`;

async function ask(route: Route, caller: Caller): Promise<{ readonly status: number; readonly isRefused: boolean }> {
  const headers = { "content-type": "application/json", ...(caller !== "anonymous" && { authorization: `token ${userOf(caller).token}` }) };
  const isRead = route.method === "GET" || route.method === "HEAD";
  const requested = { method: route.method as "GET", url: addressOf(route), headers, ...(!isRead && { payload: "{}" }) };
  const { statusCode, body } = await inject(forge.forge.http, requested);
  return { status: statusCode, isRefused: isRefused(route, caller, statusCode, body) };
}

test("every operation authorizes the callers given by the contract, and rejects all less privileged ones", { timeout: 120_000 }, async () => {
  const failures: string[] = [];
  for (const route of forge.forge.routes.filter(({ mount }) => mount === "api")) {
    const rule = factOf(route);
    const name = `${route.method} ${route.path}`;
    if (rule === undefined) {
      failures.push(`${name}: no line of the table fits it`);
      continue;
    }
    for (const caller of callers) {
      const isReached = caller === rule.least;
      if (isReached && destructive.has(route.id)) break;
      const answer = await ask(route, caller);
      if (answer.isRefused === isReached) failures.push(`${name}: ${caller} is ${isReached ? "refused" : "let through"} (${answer.status})`);
      if (isReached) break;
      if (caller === "anonymous" && answer.isRefused && answer.status !== rule.anonymous) failures.push(`${name}: anonymous callers get ${answer.status}`);
    }
  }
  expect(failures).toEqual([]);
});

test("anonymous callers get 401 before an account or a repository is looked up where the contract checks credentials first", async () => {
  for (const path of [
    "/users/zz-none/followers",
    "/users/zz-none/keys",
    "/user/following/zz-none",
    "/users/owner/orgs/zz-none/permissions",
    "/user/starred/zz-none/zz-none",
  ]) {
    expect([path, (await forge.anonymous.get(path)).status]).toEqual([path, 401]);
  }
  for (const path of ["/users/zz-none/orgs", "/users/zz-none/repos", "/repos/zz-none/zz-none/subscription"]) {
    expect([path, (await forge.anonymous.get(path)).status]).toEqual([path, 404]);
  }
});
