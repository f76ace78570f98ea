import { type ApiClient, createApiClient } from "../kit/api-client.ts";

/** The callers of the operations, by their headers. */
export interface Callers {
  readonly anonymous: undefined;
  readonly user: string;
  readonly administrator: string;
}

export const administratorToken = "d7".repeat(20);

/** Values of path parameters that exist on the site; the last value of numbers is for operations that delete something. */
export const values: Readonly<Record<string, readonly (string | number)[]>> = {
  owner: ["ann", "guild"],
  repo: ["garden", "empty"],
  template_owner: ["ann"],
  template_repo: ["garden"],
  org: ["guild"],
  username: ["ann", "ben"],
  user: ["ann", "ben"],
  collaborator: ["ben"],
  target: ["ben", "ann"],
  team: ["1", "Owners", "waterers"],
  index: [1, 2, 3, 4, 5],
  id: [1, 2, 3],
  attachment_id: [1, 2],
  delivery_id: [1, 2],
  position: [1],
  run: [1],
  job_id: [1, 2],
  runner_id: ["1"],
  artifact_id: ["1"],
  sha: ["main", "topic"],
  ref: ["main", "heads/main", "tags/v1"],
  branch: ["topic", "main"],
  base: ["main"],
  head: ["topic"],
  basehead: ["main...topic", "main..v1"],
  tag: ["v1"],
  filepath: ["README.md", "notes", "notes/soil.txt"],
  archive: ["main.zip", "v1.tar.gz"],
  diffType: ["diff", "patch"],
  pageName: ["Home"],
  topic: ["tea"],
  secretname: ["TAP"],
  variablename: ["LITRES"],
  workflow_id: ["water.yml"],
  token: ["1"],
};

/** The same for operations after which others would find nothing. */
export const spareValues: Readonly<Record<string, readonly string[]>> = { owner: ["ann"], repo: ["spare"], org: ["spares"], username: ["cid"] };

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const workflow = `name: Water
on: [push, workflow_dispatch]
jobs:
  beds: { runs-on: linux, steps: [{ run: echo wet }] }
  report: { runs-on: linux, needs: beds, steps: [{ run: echo done }] }
`;

async function createUser(admin: ApiClient, url: string, username: string): Promise<string> {
  const password = "correct horse battery";
  await admin.post("/admin/users", { username, email: `${username}@example.org`, password, must_change_password: false }).expect(201);
  const owner = createApiClient(url, `Basic ${base64(`${username}:${password}`)}`);
  const { sha1 } = await owner.post<{ sha1: string }>(`/users/${username}/tokens`, { name: "all", scopes: ["all"] }).expect(201);
  return sha1;
}

/** Creates rows of each kind that operations read, through the API. */
export async function fillSite(url: string): Promise<Callers> {
  const admin = createApiClient(url, `token ${administratorToken}`);
  const [token] = [await createUser(admin, url, "ann"), await createUser(admin, url, "ben"), await createUser(admin, url, "cid")];
  const ann = createApiClient(url, `token ${token}`);
  for (const username of ["guild", "spares"]) await ann.post("/orgs", { username }).expect(201);
  await ann.post("/orgs/guild/teams", { name: "waterers", units_map: { "repo.code": "write" } }).expect(201);
  for (const name of ["garden", "spare"]) await ann.post("/user/repos", { name, auto_init: true, default_branch: "main", template: true }).expect(201);
  await ann.post("/user/repos", { name: "empty", default_branch: "main" }).expect(201);
  await ann.post("/orgs/guild/repos", { name: "garden", auto_init: true, default_branch: "main", private: true }).expect(201);
  await ann.post("/orgs/guild/repos", { name: "empty", default_branch: "main" }).expect(201);
  for (const repository of ["/repos/ann/garden", "/repos/guild/garden"]) await fillRepository(ann, repository);
  const config = { url: "http://hooks.invalid/garden", content_type: "json" };
  for (const place of ["/orgs/guild", "/user"]) for (let at = 0; at < 2; at += 1) await ann.post(`${place}/hooks`, { type: "gitea", config }).expect(201);
  await admin.post("/admin/hooks", { type: "gitea", config }).expect(201);
  for (const name of ["spring", "autumn"]) await ann.post("/orgs/guild/labels", { name, color: "#2e7d32" }).expect(201);
  await ann.put("/user/starred/guild/garden").expect(204);
  await ann.put("/user/following/ben").expect(204);
  return { anonymous: undefined, user: `token ${token}`, administrator: `token ${administratorToken}` };
}

async function fillRepository(ann: ApiClient, path: string): Promise<void> {
  await ann.patch(path, { has_actions: true }).expect(200);
  for (const [file, text] of Object.entries({ "notes/soil.txt": "dry\n", ".gitea/workflows/water.yml": workflow }))
    await ann.post(`${path}/contents/${file}`, { content: base64(text), message: `Add ${file}` }).expect(201);
  await ann.post(`${path}/contents/topic.txt`, { content: base64("topic\n"), message: "Propose", branch: "main", new_branch: "topic" }).expect(201);
  for (const [name, color] of [
    ["bug", "#c62828"],
    ["idea", "#f9e79f"],
    ["old", "#000000"],
  ])
    await ann.post(`${path}/labels`, { name, color }).expect(201);
  for (const title of ["Spring", "Autumn", "Winter"]) await ann.post(`${path}/milestones`, { title }).expect(201);
  for (const title of ["dry", "wet", "spare"]) await ann.post(`${path}/issues`, { title, body: "See **#1**.", assignees: ["ann"] }).expect(201);
  for (const body of ["one", "two", "three"]) await ann.post(`${path}/issues/1/comments`, { body }).expect(201);
  await ann.post(`${path}/pulls`, { title: "Propose", head: "topic", base: "main" }).expect(201);
  await ann.post(`${path}/pulls/4/reviews`, { event: "COMMENT", body: "Nearly.", comments: [{ path: "topic.txt", new_position: 1, body: "?" }] }).expect(200);
  await ann.post(`${path}/releases`, { tag_name: "v1", name: "One", target_commitish: "main" }).expect(201);
  await ann.post(`${path}/wiki/new`, { title: "Home", content_base64: base64("# Home\n") }).expect(201);
  await ann.post(`${path}/branch_protections`, { rule_name: "release/*" }).expect(201);
  await ann.post(`${path}/tag_protections`, { name_pattern: "w*", whitelist_usernames: ["ann"] }).expect(201);
  const config = { url: "http://hooks.invalid/garden", content_type: "json" };
  for (let at = 0; at < 3; at += 1) await ann.post(`${path}/hooks`, { type: "gitea", config }).expect(201);
  await ann.put(`${path}/actions/secrets/TAP`, { data: "hidden" }).expect(201);
  await ann.post(`${path}/actions/variables/LITRES`, { value: "40" }).expect(201);
  await ann.put(`${path}/topics`, { topics: ["tea"] }).expect(204);
  await ann.put(`${path}/collaborators/ben`, { permission: "read" }).expect(204);
  await ann.post(`${path}/issues/1/times`, { time: 60 }).expect(200);
  await ann.post(`${path}/issues/1/reactions`, { content: "+1" }).expect(201);
}
