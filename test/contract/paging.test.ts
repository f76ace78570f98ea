import { afterAll, beforeAll, expect, test } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { operationOf } from "../kit/contract.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";

/** Paths of GET requests below `/api/v1` by their paging headers, as in the contract. */
const withLinks = [
  "/admin/{users,orgs,emails}",
  "/users/search",
  "/users/{u}/{repos,keys,gpg_keys,followers,following,starred,subscriptions,orgs}",
  "/user/{repos,orgs,teams,keys,gpg_keys,followers,following,starred,subscriptions}",
  "/notifications",
  "/repos/{}/notifications",
  "/orgs",
  "/orgs/{}/{repos,members,public_members,teams}",
  "/orgs/{}/teams/search",
  "/teams/{}/{repos,members}",
  "/repos/search",
  "/repos/issues/search",
  "/repos/{}/{branches,commits,releases,issues,pulls}",
  "/repos/{}/issues/{}/dependencies",
  "/repos/{}/commits/{}/{status,statuses}",
  "/repos/{}/statuses/{}",
  "/repos/{}/wiki/pages",
  "/repos/{}/pulls/{}/{commits,files}",
];
const withTotal = [
  "/admin/{cron,hooks,unadopted}",
  "/users/{}/activities/feeds",
  "/repos/{}/activities/feeds",
  "/user/{times,stopwatches,hooks,blocks}",
  "/user/applications/oauth2",
  "/users/{}/tokens",
  "/orgs/{}/{hooks,labels}",
  "/topics/search",
  "/repos/{}/{tags,forks,hooks,keys,labels,milestones,stargazers,subscribers,topics,collaborators,push_mirrors,times}",
  "/repos/{}/issues/comments",
  "/repos/{}/issues/{}/{times,reactions,subscriptions,timeline,comments,blocks}",
  "/repos/{}/pulls/{}/reviews",
  "/repos/{}/wiki/revisions/{}",
];
const withoutHeaders = [
  "/user/emails",
  "/repos/{}/{branch_protections,tag_protections,assignees,reviewers,teams,issue_templates}",
  "/repos/{}/releases/{}/assets",
  "/repos/{}/git/refs",
  "/repos/{}/issues/pinned",
  "/repos/{}/issues/{}/{labels,assets}",
  "/repos/{}/pulls/{}/reviews/{}/comments",
  "/gitignore/templates",
  "/licenses",
  "/label/templates",
];

/** `/repos/{}/{branches,commits}` expands to `/repos/{}/branches` and `/repos/{}/commits`; a repository is one `{}`. */
function expand(pattern: string): readonly string[] {
  const choice = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (choice === null) return [pattern.replace(/\{\w*\}/g, "{}")];
  return (choice[1] ?? "").split(",").flatMap((name) => expand(pattern.replace(choice[0], name)));
}

const pathOf = ({ path }: Route): string => path.replace("{owner}/{repo}", "{}").replace(/\{\w+[+*]?\}/g, "{}");

let forge: TestForge;
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
});
afterAll(() => forge[Symbol.asyncDispose]());

test("every list sends the paging headers of the contract", () => {
  const stated = new Map([
    ...withLinks.flatMap(expand).map((path) => [path, "links"] as const),
    ...withTotal.flatMap(expand).map((path) => [path, "total"] as const),
    ...withoutHeaders.flatMap(expand).map((path) => [path, "none"] as const),
  ]);
  const lists = forge.forge.routes.filter(
    ({ mount, method, isUnlisted, answers }) => mount === "api" && method === "GET" && !isUnlisted && "paging" in answers,
  );
  const declared = new Map(
    lists.map((route) => [pathOf(route), "paging" in route.answers && (route.answers.paging === "own" ? "total" : route.answers.paging)]),
  );
  const known = [...stated].filter(([path]) => declared.has(path));
  expect(known.length).toBeGreaterThan(85);
  expect(
    known.filter(([path, paging]) => declared.get(path) !== paging).map(([path, paging]) => `${path}: ${declared.get(path)} instead of ${paging}`),
  ).toEqual([]);
  expect([...stated.keys()].filter((path) => !declared.has(path))).toEqual([]);
});

test("every paged list sends its total, including those outside the contract", () => {
  const described = forge.forge.routes.filter(({ mount, method, isUnlisted }) => mount === "api" && method === "GET" && !isUnlisted);
  const silent = described.filter(({ answers, query }) => "paging" in answers && answers.paging === "none" && Object.hasOwn(query, "page"));
  expect(silent.map(({ id }) => id)).toEqual([]);
  expect(described.filter(({ path, answers }) => operationOf("GET", path) === undefined && "paging" in answers).length).toBeGreaterThan(5);
});
