import { createHash } from "node:crypto";
import { Result } from "../../src/wire/actions-protocol/runner.ts";
import { createBrowser } from "./browser.ts";
import type { TestForge, TestUser } from "./forge.ts";
import { jobOf } from "./job.ts";
import { agree, authorizePath, registerApplication, registerForOrganization } from "./oauth.ts";
import { registerRunner, sendSummary } from "./runner.ts";

/** The resources of a user that URLs identify by a number or an object id. */
export interface OwnedResources {
  readonly user: TestUser;
  /** The user's repository; its issue is number 1, its pull request number 2. */
  readonly owner: string;
  readonly repo: string;
  /** The user's organization. */
  readonly org: string;
  readonly ids: Readonly<Record<ResourceKind, string>>;
}

export type ResourceKind =
  | "repository"
  | "commit"
  | "blob"
  | "label"
  | "milestone"
  | "comment"
  | "time"
  | "issueAsset"
  | "commentAsset"
  | "attachment"
  | "review"
  | "reviewComment"
  | "commitComment"
  | "release"
  | "releaseAsset"
  | "tagProtection"
  | "deletedBranch"
  | "deployKey"
  | "lock"
  | "workflow"
  | "run"
  | "job"
  | "artifact"
  | "cache"
  | "runner"
  | "hook"
  | "delivery"
  | "orgLabel"
  | "orgHook"
  | "orgApplication"
  | "orgDelivery"
  | "orgRunner"
  | "team"
  | "deletedRepository"
  | "userHook"
  | "userDelivery"
  | "userRunner"
  | "key"
  | "principal"
  | "application"
  | "grant"
  | "session"
  | "reply"
  | "search"
  | "starList"
  | "thread";

type Ids = Record<string, unknown>;
const lfs = { accept: "application/vnd.git-lfs+json", "content-type": "application/vnd.git-lfs+json" };

/** An Ed25519 key generated from the text. */
const keyOf = (text: string): string => {
  const head = Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20", "latin1");
  return `ssh-ed25519 ${Buffer.concat([head, createHash("sha256").update(text).digest()]).toString("base64")}`;
};

/** A form with a file. */
function upload(user: TestUser, path: string, name: string) {
  const head = `--form\r\nContent-Disposition: form-data; name="attachment"; filename="${name}"\r\n\r\n`;
  return user.post(path, Buffer.from(`${head}${name}\r\n--form--\r\n`), { "content-type": "multipart/form-data; boundary=form" }).expect(201);
}

/**
 * Creates one resource of each kind for a user. Their texts contain the user's name.
 * @param friend writes to the repository, and takes actions that owners cannot take on their own resources
 * @param receiver URL for the user's webhooks
 */
export async function createResources(forge: TestForge, user: TestUser, friend: TestUser, receiver: string): Promise<OwnedResources> {
  const org = `${user.name}-org`;
  const R = `/repos/${user.name}/own`;
  const { id: repository } = await user.post("/user/repos", { name: "own", private: true, auto_init: true, default_branch: "main" }).expect(201);
  await user.put(`${R}/collaborators/${friend.name}`, { permission: "write" }).expect(204);
  const personal = await ofPerson(forge, user);
  const organized = await ofOrganization(forge, user, org, receiver);
  const { id: deletedRepository } = await user.post<{ id: number }>("/user/repos", { name: "gone" }).expect(201);
  await user.delete(`/repos/${user.name}/gone`).expect(204);
  const userHook = await hookAt(user, "/user/hooks", receiver, ["repository"]);
  const hook = await hookAt(user, `${R}/hooks`, receiver, ["issues"]);
  const tracked = await ofTracker(user, friend, R);
  const code = await ofCode(user, friend, R);
  const commitComment = await commentOnCommit(forge, user, code.commit);
  const actions = await ofActions(forge, user, { R, org });
  // Events for the webhooks of the user and of the organization.
  await user.post("/user/repos", { name: "second", private: true }).expect(201);
  await user.post(`/orgs/${org}/repos`, { name: "second", private: true }).expect(201);
  await forge.settled();
  const [thread] = await user.get<{ id: number }[]>("/notifications?all=true").expect(200);
  const deliveryOf = async (path: string): Promise<unknown> => (await user.get(`${path}/deliveries`).expect(200))[0]?.id;
  const messages: Ids = {
    repository,
    commitComment,
    hook,
    deletedRepository,
    userHook,
    thread: thread?.id,
    delivery: await deliveryOf(`${R}/hooks/${hook}`),
    userDelivery: await deliveryOf(`/user/hooks/${userHook}`),
    orgDelivery: await deliveryOf(`/orgs/${org}/hooks/${organized.orgHook}`),
  };
  const ids = Object.entries({ ...personal, ...organized, ...tracked, ...code, ...actions, ...messages }).map(([name, id]) => {
    if (id === undefined) throw new Error(`${user.name} has no ${name}`);
    return [name, String(id)] as const;
  });
  return { user, owner: user.name, repo: "own", org, ids: Object.fromEntries(ids) as Record<ResourceKind, string> };
}

async function hookAt(user: TestUser, path: string, receiver: string, events: readonly string[]): Promise<number> {
  const body = { type: "gitea", config: { url: `${receiver}/${user.name}`, content_type: "json" }, events, active: true };
  return (await user.post<{ id: number }>(path, body).expect(201)).id;
}

async function ofPerson(forge: TestForge, user: TestUser): Promise<Ids> {
  const { id: key } = await user.post("/user/keys", { title: `${user.name}'s`, key: keyOf(user.name) }).expect(201);
  const application = await registerApplication(user, { name: `${user.name}'s` });
  const browser = createBrowser(forge.url);
  await browser.signIn(user);
  await agree(browser, authorizePath(application));
  const [grant] = await user.get("/user/applications/grants").expect(200);
  const [session] = await user.get("/user/sessions").expect(200);
  const replies = "/user/settings/replies";
  await browser.submit(await browser.get(replies), replies, { title: `${user.name}'s`, content: `${user.name}'s text` });
  const reply = /edit=(\d+)#form/.exec((await browser.get(replies)).text)?.[1];
  const searches = "/user/settings/searches";
  await browser.submit(await browser.get(searches), searches, { name: `${user.name}'s`, kind: "issues", query: "is:open" });
  const search = /edit=(\d+)#form/.exec((await browser.get(searches)).text)?.[1];
  const lists = "/user/settings/star_lists";
  await browser.submit(await browser.get(lists), lists, { name: `${user.name}'s`, is_private: "true" });
  const starList = /edit=(\d+)#form/.exec((await browser.get(lists)).text)?.[1];
  const keys = "/user/settings/keys";
  await browser.submit(await browser.get(keys), `${keys}/principals`, { principal: user.name });
  const principal = /principals\/(\d+)\/remove/.exec((await browser.get(keys)).text)?.[1];
  return { key, principal, application: application.id, grant: grant.id, session: session.id, reply, search, starList };
}

async function ofOrganization(forge: TestForge, user: TestUser, org: string, receiver: string): Promise<Ids> {
  await user.post("/orgs", { username: org, visibility: "private" }).expect(201);
  const { id: orgLabel } = await user.post(`/orgs/${org}/labels`, { name: `${user.name}'s`, color: "00aabb" }).expect(201);
  const { id: team } = await user.post(`/orgs/${org}/teams`, { name: "team", units_map: { "repo.code": "write" } }).expect(201);
  const browser = createBrowser(forge.url);
  await browser.signIn(user);
  const { id: orgApplication } = await registerForOrganization(browser, org, `${user.name}'s`);
  return { orgLabel, team, orgApplication, orgHook: await hookAt(user, `/orgs/${org}/hooks`, receiver, ["repository"]) };
}

async function ofTracker(user: TestUser, friend: TestUser, R: string): Promise<Ids> {
  const text = `${user.name}'s text`;
  const { id: label } = await user.post(`${R}/labels`, { name: text, color: "00aabb" }).expect(201);
  const { id: milestone } = await user.post(`${R}/milestones`, { title: text }).expect(201);
  await friend.post(`${R}/issues`, { title: text, body: text, labels: [label], milestone }).expect(201);
  const { id: comment } = await user.post(`${R}/issues/1/comments`, { body: text }).expect(201);
  const { id: time } = await user.post(`${R}/issues/1/times`, { time: 60 }).expect(200);
  const { id: issueAsset, uuid: attachment } = await upload(user, `${R}/issues/1/assets`, "issue.txt");
  const { id: commentAsset } = await upload(user, `${R}/issues/comments/${comment}/assets`, "comment.txt");
  return { label, milestone, comment, time, issueAsset, attachment, commentAsset };
}

async function ofCode(user: TestUser, friend: TestUser, R: string): Promise<Ids> {
  const text = `${user.name}'s text`;
  const change = { content: Buffer.from(`${text}\n`).toString("base64"), branch: "main", new_branch: "topic", message: text };
  const { commit, content } = await user.post(`${R}/contents/new.txt`, change).expect(201);
  await user.post(`${R}/pulls`, { base: "main", head: "topic", title: text }).expect(201);
  const comments = [{ path: "new.txt", new_position: 1, body: text }];
  const { id: review } = await friend.post(`${R}/pulls/2/reviews`, { event: "COMMENT", body: text, comments }).expect(200);
  const [line] = await user.get(`${R}/pulls/2/reviews/${review}/comments`).expect(200);
  const { id: release } = await user.post(`${R}/releases`, { tag_name: "v1", name: text }).expect(201);
  const { id: releaseAsset } = await upload(user, `${R}/releases/${release}/assets`, "release.txt");
  const { id: tagProtection } = await user.post(`${R}/tag_protections`, { name_pattern: "v9*", whitelist_usernames: [user.name] }).expect(201);
  await user.post(`${R}/branches`, { new_branch_name: text.replaceAll(/\W/g, "-"), old_ref_name: "main" }).expect(201);
  await user.delete(`${R}/branches/${text.replaceAll(/\W/g, "-")}`).expect(204);
  const [deletedBranch] = await user.get(`${R}/deleted_branches`).expect(200);
  const { id: deployKey } = await user.post(`${R}/keys`, { title: text, key: keyOf(`deploy ${user.name}`), read_only: true }).expect(201);
  const { lock } = await user.post(`//${user.name}/own.git/info/lfs/locks`, { path: "new.txt" }, lfs).expect(201);
  return {
    commit: commit.sha,
    blob: content.sha,
    review,
    reviewComment: line.id,
    release,
    releaseAsset,
    tagProtection,
    deletedBranch: deletedBranch.id,
    deployKey,
    lock: lock.id,
  };
}

/** A comment on a commit of the user's repository. */
async function commentOnCommit(forge: TestForge, user: TestUser, commit: unknown): Promise<string | undefined> {
  const browser = createBrowser(forge.url);
  await browser.signIn(user);
  const page = await browser.get(`/${user.name}/own/commit/${commit}`);
  const { location } = await browser.submit(page, `/${user.name}/own/commit_comments`, { content: `${user.name}'s text` });
  await browser.submit(await browser.get("/user/settings"), "/user/logout");
  return location?.split("#commitcomment-")[1];
}

/** A run that has ended, whose job has a log, and a runner of each owner. The file of the workflow has the name of the user. */
async function ofActions(forge: TestForge, user: TestUser, { R, org }: { readonly R: string; readonly org: string }): Promise<Ids> {
  const file = `${user.name}.yml`;
  const runnerAt = async (path: string, name: string) => {
    const { token } = await user.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    return registerRunner(forge.url, token, { name: `${user.name}'s ${name}` });
  };
  await user.patch(R, { has_actions: true }).expect(200);
  const jobs = "jobs: { one: { runs-on: linux, steps: [{ run: date }] } }";
  const content = Buffer.from(`name: ${user.name}'s\non: workflow_dispatch\n${jobs}\n`).toString("base64");
  await user.post(`${R}/contents/.gitea/workflows/${file}`, { content, branch: "main", message: "add a workflow" }).expect(201);
  await forge.settled();
  const started = await user.post(`${R}/actions/workflows/${file}/dispatches?return_run_details=true`, { ref: "main" }).expect(200);
  await forge.settled();
  const worker = await runnerAt(R, "worker");
  const task = await worker.fetch();
  if (task === undefined) throw new Error(`${user.name}'s job has no task`);
  await worker.log(task.id, 0, [`${user.name}'s line`], true);
  const { artifactId: artifact } = await jobOf(forge.url, task).upload(`${user.name}'s file`, ["content"]);
  const cache = await jobOf(forge.url, task).saveCache(`${user.name}'s cache`, "content");
  await sendSummary(task, forge.url, 0, `${user.name}'s summary`);
  await worker.report(task.id, Result.SUCCESS);
  await forge.settled();
  const run = started.workflow_run_id;
  const listed = await user.get(`${R}/actions/runs/${run}/jobs`).expect(200);
  return {
    workflow: file,
    run,
    job: listed.jobs[0]?.id,
    artifact,
    cache,
    // These runners make no request, thus their states do not change.
    runner: (await runnerAt(R, "runner")).id,
    orgRunner: (await runnerAt(`/orgs/${org}`, "runner")).id,
    userRunner: (await runnerAt("/user", "runner")).id,
  };
}
