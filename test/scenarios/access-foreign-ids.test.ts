import { afterAll, beforeAll, expect, test } from "vitest";
import { formTokenOf } from "../../src/http/session-cookie.ts";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";
import { createResources, type OwnedResources, type ResourceKind } from "../kit/owned-rows.ts";
import { timeless } from "../kit/page.ts";
import { type Receiver, startReceiver } from "../kit/receiver.ts";

/**
 * An id is only found below its own owner. Calls every path with an id using ids of another user's resources below the caller's own, and
 * expects the response for an unknown id.
 */

/** The kind of resource named by the last parameter of a path. The longest match counts. */
const named: Readonly<Record<string, ResourceKind>> = {
  "/repositories/{id}": "repository",
  "/{repo}/labels/{id}": "label",
  "/issues/{index}/labels/{id}": "label",
  "/milestones/{id}": "milestone",
  "/issues/comments/{id}": "comment",
  "/issues/{index}/comments/{id}": "comment",
  "/times/{id}": "time",
  "/branch_commits/{sha}": "commit",
  "/issues/{index}/assets/{attachment_id}": "issueAsset",
  "/issues/comments/{id}/assets/{attachment_id}": "commentAsset",
  "/attachments/{uuid}": "attachment",
  "/reviews/{id}": "review",
  "/pulls/comments/{id}": "reviewComment",
  "/pulls/{index}/files/comments/{id}": "reviewComment",
  "/commit_comments/{id}": "commitComment",
  "/releases/{id}": "release",
  "/releases/{id}/assets/{attachment_id}": "releaseAsset",
  "/tag_protections/{id}": "tagProtection",
  "/deleted_branches/{id}": "deletedBranch",
  "/{repo}/keys/{id}": "deployKey",
  "/locks/{id}": "lock",
  "/{repo}/hooks/{id}": "hook",
  "/{repo}/hooks/{id}/deliveries/{delivery_id}": "delivery",
  "/orgs/{org}/labels/{id}": "orgLabel",
  "/orgs/{org}/hooks/{id}": "orgHook",
  "/orgs/{org}/hooks/{id}/deliveries/{delivery_id}": "orgDelivery",
  "/teams/{id}": "team",
  "/user/hooks/{id}": "userHook",
  "/user/hooks/{id}/deliveries/{delivery_id}": "userDelivery",
  "/user/keys/{id}": "key",
  "/user/repos/deleted/{id}": "deletedRepository",
  "/user/settings/repos/{id}": "deletedRepository",
  "/user/applications/oauth2/{id}": "application",
  "/user/applications/grants/{id}": "grant",
  "/user/sessions/{id}": "session",
  "/user/saved_replies/{id}": "reply",
  "/user/settings/replies/{id}": "reply",
  "/user/settings/searches/{id}": "search",
  "/user/settings/star_lists/{id}": "starList",
  "/notifications/threads/{id}": "thread",
  "/notifications/{id}": "thread",
  "/{repo}/milestone/{id}": "milestone",
  "/{repo}/settings/keys/{id}": "deployKey",
  "/{repo}/settings/tags/{id}": "tagProtection",
  "/{repo}/settings/hooks/{id}": "hook",
  "/{repo}/settings/hooks/{id}/deliveries/{delivery_id}": "delivery",
  "/org/{org}/settings/labels/{id}": "orgLabel",
  "/org/{org}/settings/applications/oauth2/{id}": "orgApplication",
  "/org/{org}/settings/hooks/{id}": "orgHook",
  "/org/{org}/settings/hooks/{id}/deliveries/{delivery_id}": "orgDelivery",
  "/user/settings/keys/{id}": "key",
  "/user/settings/keys/principals/{id}": "principal",
  "/user/settings/applications/oauth2/{id}": "application",
  "/user/settings/hooks/{id}": "userHook",
  "/user/settings/hooks/{id}/deliveries/{delivery_id}": "userDelivery",
  "/{repo}/actions/workflows/{workflow_id}": "workflow",
  "/{repo}/actions/runs/{run}": "run",
  "/_apis/pipelines/workflows/{run}": "run",
  "/{repo}/actions/runs/{run}/jobs/{job_id}": "job",
  "/{repo}/actions/jobs/{job_id}": "job",
  "/{repo}/actions/artifacts/{artifact_id}": "artifact",
  "/{repo}/actions/runs/{run}/artifacts/{id}": "artifact",
  "/{repo}/actions/runs/{run}/jobs/{id}": "job",
  "/{repo}/actions/caches/{id}": "cache",
  "/{repo}/actions/runners/{runner_id}": "runner",
  "/orgs/{org}/actions/runners/{runner_id}": "orgRunner",
  "/user/actions/runners/{runner_id}": "userRunner",
  "/git/blobs/{sha+}": "blob",
  "/git/tags/{sha}": "commit",
  "/git/notes/{sha+}": "commit",
  "/git/trees/{sha+}": "commit",
  "/git/commits/{sha+}": "commit",
  "/commits/{sha+}": "commit",
  "/_cherrypick/{sha}": "commit",
  "/commit/{sha+}": "commit",
  "/statuses/{sha+}": "commit",
};
/** Ids that the tests of their features cover, because they need a keyring, another server, a signature or a form. Hook scripts never exist. */
const coveredElsewhere = [
  "/actions/artifacts/{artifact_id}/zip",
  "/user/gpg_keys/{id}",
  "/user/migrations/{id}",
  "/repo/migrations/{id}",
  "/user/identities/{id}",
  "/hooks/git/{id}",
  "/user/sessions/{id}/end",
  "/user/applications/{id}/revoke",
  "/user/settings/applications/{id}/remove",
  "/user/settings/gpg_keys/{id}/remove",
];

/** Responses of the contract that distinguish existing ids from unknown ones and reveal nothing else. */
const distinguishable: readonly string[] = ["/notifications/threads/{id}"];

const isId = (parameter: string): boolean => /^(?:(?:\w+_)?id|uuid|sha|run)$/.test(parameter);
const parameters = /\{(\w+)[+*]?\}/g;
function kindAt(path: string, end: number): ResourceKind | undefined {
  const before = path.slice(0, end);
  return named[
    Object.keys(named)
      .filter((piece) => before.endsWith(piece))
      .sort((a, b) => b.length - a.length)[0] ?? ""
  ];
}
const idsOf = (path: string): readonly RegExpExecArray[] => [...path.matchAll(parameters)].filter(([, name = ""]) => isId(name));

/** A body that satisfies any write operation, so that the id decides. */
const anyBody = {
  name: "stolen",
  title: "stolen",
  body: "stolen",
  content: "+1",
  event: "COMMENT",
  message: "stolen",
  name_pattern: "stolen",
  state: "success",
  context: "stolen",
  tag_name: "stolen",
  color: "ff0000",
  permission: "admin",
  redirect_uris: ["https://stolen.example/"],
  confidential_client: true,
  active: false,
  disabled: true,
  ref: "main",
  which: "all",
};
const absent = (kind: ResourceKind): string =>
  kind === "commit" || kind === "blob"
    ? "0123456789abcdef0123456789abcdef01234567"
    : kind === "attachment"
      ? "01234567-89ab-4cde-8f01-23456789abcd"
      : "987654321";

/** Without an authority, accounts have no principals. */
const authority = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)}`;

eachDialect((dialect) => {
  let forge: TestForge;
  let receiver: Receiver;
  let carol: TestUser;
  let victims: OwnedResources;
  let own: OwnedResources;
  let routes: readonly { readonly method: string; readonly path: string; readonly isPage: boolean }[];
  /** Headers of a signed-in browser. */
  const signedIn = new Map<TestUser, Readonly<Record<string, string>>>();

  beforeAll(async () => {
    receiver = await startReceiver();
    forge = await startForge({ dialect, environment: { HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback", HEARTH_SSH_TRUSTED_USER_CA_KEYS: authority } });
    carol = await forge.createUser("carol");
    // A hidden user does not publish keys.
    victims = await createResources(forge, await forge.createUser("vera", { visibility: "private" }), carol, receiver.url);
    own = await createResources(forge, await forge.createUser("mallory"), carol, receiver.url);
    // The page of a run is also found by its number, which must not be the id of a foreign run here.
    await forge.context.db.tx((tx) => tx.sql.updateTable("action_runs").set({ number: 1_000_000 }).execute());
    routes = forge.forge.routes
      .filter(({ access, path }) => access.kind !== "site-admin" && !path.startsWith("/admin/") && !coveredElsewhere.some((piece) => path.includes(piece)))
      .map(({ mount, method, path, isPage }) => ({ method, path: (mount === "api" ? "/api/v1" : "") + path, isPage: isPage === true }))
      .filter(({ path }) => idsOf(path).length > 0);
    for (const user of [own.user, carol]) {
      const browser = createBrowser(forge.url);
      await browser.signIn(user);
      const secret = browser.cookie.split("=")[1] ?? "";
      signedIn.set(user, { cookie: browser.cookie, "sec-fetch-site": "same-origin", "x-csrf-token": formTokenOf(secret) });
    }
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  /** @param idAt the id for the parameter at an index of the path */
  function addressOf(path: string, resources: OwnedResources, idAt: (kind: ResourceKind, order: number) => string): string {
    const parameterValues: Readonly<Record<string, string>> = {
      owner: resources.owner,
      repo: resources.repo,
      org: resources.org,
      index: path.includes("/pulls/{index}") ? "2" : "1",
      username: carol.name,
      diffType: "diff",
      position: "1",
      user: carol.name,
    };
    let order = 0;
    return path.replace(parameters, (whole: string, name: string, at: number) => {
      if (!isId(name)) return parameterValues[name] ?? "main";
      const kind = kindAt(path, at + whole.length);
      if (kind === undefined) throw new Error(`what does ${whole} of ${path} name?`);
      return idAt(kind, order++);
    });
  }
  async function ask(
    user: TestUser,
    { method, isPage }: { readonly method: string; readonly isPage: boolean },
    url: string,
  ): Promise<{ readonly status: number; readonly response: string }> {
    const hasBody = method !== "GET" && method !== "HEAD";
    const type = url.includes("/info/lfs/") ? "application/vnd.git-lfs+json" : "application/json";
    const answer = await inject(forge.forge.http, {
      method: method as "GET",
      url,
      headers: { ...(isPage ? signedIn.get(user) : { authorization: `token ${user.token}` }), accept: type, ...(hasBody && { "content-type": type }) },
      ...(hasBody && { payload: JSON.stringify(anyBody) }),
    });
    const headers = Object.entries(answer.headers).filter(([name]) => !["date", "x-request-id", "keep-alive", "content-length"].includes(name));
    return { status: answer.statusCode, response: `${answer.statusCode} ${JSON.stringify(headers)} ${timeless(answer.body)}` };
  }
  /** The owner's response for each path. Relative times and download counts are removed. */
  async function shown(of: OwnedResources): Promise<Readonly<Record<string, string>>> {
    const pairs: [string, string][] = [];
    for (const route of routes) {
      const { method, path } = route;
      if (method !== "GET" || !path.startsWith("/api/")) continue;
      const { response } = await ask(
        of.user,
        route,
        addressOf(path, of, (kind) => of.ids[kind]),
      );
      pairs.push([path, response.replace(/"download_count":\d+/, "")]);
    }
    return Object.fromEntries(pairs);
  }

  test("every id in a path is known to this test and resolves for its owner", async () => {
    const unknown = routes.flatMap(({ path }) =>
      idsOf(path)
        .filter((match) => kindAt(path, match.index + match[0].length) === undefined)
        .map(() => path),
    );
    expect(unknown).toEqual([]);
    const answers = Object.entries(await shown(victims));
    expect(answers.length).toBeGreaterThan(40);
    // A commit is not a tag, and has neither notes nor a pull request that merged it.
    expect(
      answers.filter(([path, response]) => !response.startsWith("200") && !/\/git\/(?:tags|notes)\/|\/pull$|members\/\{username\}|repos\/\{org\}/.test(path)),
    ).toEqual([]);
  });

  test.each(["an owner of other resources", "a user with access to both repositories"])(
    "ids of another user's resources are unknown ids for %s",
    async (caller) => {
      const isFriend = caller === "a user with access to both repositories";
      const user = isFriend ? carol : own.user;
      const before = await shown(victims);
      const differences: string[] = [];
      for (const route of routes) {
        const { method, path } = route;
        // In the other cases the caller is the owner, and carol may read vera's resources there.
        if (isFriend && !path.includes("{repo}")) continue;
        const count = idsOf(path).length;
        // Below a resource of the caller, and below a resource of the same owner.
        for (const first of count > 1 ? [0, 1] : [0]) {
          const requested = new Set<string>();
          const address = (idOf: (kind: ResourceKind) => string): string =>
            addressOf(path, own, (kind, order) => {
              const id = order < first ? own.ids[kind] : idOf(kind);
              requested.add(id);
              return id;
            });
          const [there, nowhere] = [address((kind) => victims.ids[kind]), address(absent)];
          // A 404 response repeats the requested path.
          const withoutIds = (text: string): string => text.replace(new RegExp(`\\b(?:${[...requested].join("|")})\\b`, "g"), "ID");
          const [foreign, none] = [await ask(user, route, there), await ask(user, route, nowhere)];
          expect(foreign.response).not.toContain("/user/login?redirect_to");
          const same = withoutIds(foreign.response) === withoutIds(none.response);
          if (distinguishable.some((piece) => path.endsWith(piece))) expect([foreign.status, none.status]).toEqual([403, 404]);
          else if (!same) differences.push(`${method} ${there}\n  ${foreign.response}\n  ${none.response}`);
        }
      }
      expect(differences.join("\n")).toBe("");
      await forge.settled();
      expect(await shown(victims)).toEqual(before);
    },
  );

  test("ids of another user's resources in request bodies are unknown ids", async () => {
    const before = await shown(victims);
    const R = `/api/v1/repos/${own.owner}/${own.repo}`;
    const { ids } = victims;
    const send = async (method: string, url: string, payload: object): Promise<readonly [status: number, response: string]> => {
      const headers = { authorization: `token ${own.user.token}` };
      const answer = await inject(forge.forge.http, { method: method as "POST", url, headers, payload });
      return [answer.statusCode, timeless(answer.body)];
    };
    for (const [method, url, kind, bodyOf] of [
      ["PUT", `${R}/issues/1/labels`, "label", (id: number) => ({ labels: [id] })],
      ["POST", `${R}/issues/1/labels`, "label", (id: number) => ({ labels: [id] })],
      ["POST", `${R}/issues/1/labels`, "orgLabel", (id: number) => ({ labels: [id] })],
      ["PATCH", `${R}/issues/1`, "milestone", (id: number) => ({ milestone: id })],
      ["PATCH", `${R}/pulls/2`, "milestone", (id: number) => ({ milestone: id })],
      ["PATCH", `${R}/pulls/2`, "label", (id: number) => ({ labels: [id] })],
    ] as const) {
      const [foreign, none] = [await send(method, url, bodyOf(Number(ids[kind]))), await send(method, url, bodyOf(Number(absent(kind))))];
      expect([method, url, kind, foreign[0]]).toEqual([method, url, kind, none[0]]);
      expect(foreign[1]).not.toContain("vera");
    }
    // Creating with another repository's label or milestone ignores it or fails.
    for (const body of [{ labels: [Number(ids.label), Number(ids.orgLabel)] }, { milestone: Number(ids.milestone) }]) {
      const [, response] = await send("POST", `${R}/issues`, { title: "own", ...body });
      expect(response).not.toContain("vera");
    }
    await forge.settled();
    expect(await shown(victims)).toEqual(before);
  });

  test("ids of another user's resources in forms and page requests are unknown ids", async () => {
    const before = await shown(victims);
    const R = `/${own.owner}/${own.repo}`;
    const plan = { labels: [], assignees: "", milestone: 0, deadline: "" };
    const bulk = { numbers: [1], kind: "issues", query: "", page: 1, state: "", add_label: "", remove_label: "", milestone: "", assign: "", unassign: "" };
    const send = async (method: string, url: string, payload: object): Promise<string> => {
      const headers = { ...signedIn.get(own.user), "content-type": "application/json" };
      const answer = await inject(forge.forge.http, { method: method as "POST", url, headers, ...(method === "POST" && { payload }) });
      return `${answer.statusCode} ${answer.headers.location ?? ""} ${timeless(answer.body)}`;
    };
    for (const [method, part, kind, bodyOf] of [
      ["POST", "issues/1/side/labels", "label", (id: string) => ({ ...plan, labels: [Number(id)] })],
      ["POST", "issues/1/side/labels", "orgLabel", (id: string) => ({ ...plan, labels: [Number(id)] })],
      ["POST", "issues/2/side/labels", "label", (id: string) => ({ ...plan, labels: [Number(id)] })],
      ["POST", "issues/1/side/milestone", "milestone", (id: string) => ({ ...plan, milestone: Number(id) })],
      ["POST", "issues/bulk", "label", (id: string) => ({ ...bulk, add_label: id })],
      ["POST", "issues/bulk", "label", (id: string) => ({ ...bulk, remove_label: id })],
      ["POST", "issues/bulk", "milestone", (id: string) => ({ ...bulk, milestone: id })],
      ["POST", "issues/1/reactions", "comment", (id: string) => ({ comment: id, add: "heart", remove: "" })],
      ["POST", "issues/1/reactions", "comment", (id: string) => ({ comment: id, add: "", remove: "heart" })],
      ["POST", "issues/1/reactions", "reviewComment", (id: string) => ({ comment: id, add: "heart", remove: "" })],
      ["POST", "issues/1/dependencies", "repository", (id: string) => ({ other: `${victims.owner}/${victims.repo}#${id}`, remove: false })],
      ["POST", "pulls/2/files/suggestions", "reviewComment", (id: string) => ({ ids: [id], title: "" })],
      ["GET", "issues/1/history?comment=ID", "comment", () => ({})],
      ["GET", "issues/1/history?comment=ID", "reviewComment", () => ({})],
    ] as const) {
      // The existing issue has the number 1.
      const [there, nowhere] = [kind === "repository" ? "1" : victims.ids[kind], absent(kind)];
      const ask = async (id: string) => {
        const response = await send(method, `${R}/${part.replace("ID", id)}`, bodyOf(id));
        const plain = response.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "UUID").replaceAll(`${victims.owner}/${victims.repo}#${id}`, "OTHER");
        return plain.replace(new RegExp(`\\b(?:${there}|${nowhere})\\b`, "g"), "ID");
      };
      const [foreign, none] = [await ask(there), await ask(nowhere)];
      expect([part, kind, foreign]).toEqual([part, kind, none]);
      expect(foreign).not.toContain("vera");
    }
    for (const part of ["issues/1", "issues/2", "issues/1/dependencies"])
      expect(JSON.stringify(await own.user.get(`/repos${R}/${part}`).expect(200)), part).not.toContain("vera");
    await forge.settled();
    expect(await shown(victims)).toEqual(before);
  });
});
