import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createBrowser } from "./browser.ts";
import { sqlite, sqliteCopiedFrom } from "./databases.ts";
import { startForge, type TestForge, type TestUser } from "./forge.ts";
import { createGitUser, type GitUser } from "./git-user.ts";
import { jobOf } from "./job.ts";
import { registerForOrganization } from "./oauth.ts";
import { registerRunner } from "./runner.ts";

/** A forge with content on every page, for browser tests and screenshots. */
export interface Showcase extends AsyncDisposable {
  readonly forge: TestForge;
  readonly owner: TestUser;
  readonly reader: TestUser;
  readonly work: GitUser;
  /** Ids and names in `ada/garden`, the repository with everything. */
  readonly garden: {
    readonly path: string;
    readonly issue: number;
    /** A comment of another user on the issue. */
    readonly comment: number;
    /** Has a long title, in Arabic. */
    readonly arabicIssue: number;
    readonly pull: number;
    /** The commit of the pull request. */
    readonly pullCommit: string;
    /** On a line of the pull request. */
    readonly lineComment: number;
    /** Another user has written it on the commit. */
    readonly commitComment: string;
    /** Changes 300 files. */
    readonly largePull: number;
    /** Conflicts with its base. */
    readonly conflictingPull: number;
    readonly commit: string;
  };
  /** The items in the settings of the repository, by id. */
  readonly settings: {
    readonly label: number;
    readonly milestone: number;
    readonly tagRule: number;
    readonly hook: number;
    readonly delivery: number;
    readonly organizationHook: number;
    readonly organizationLabel: number;
    readonly source: number;
    readonly serverHook: number;
    /** Belongs to the administrator, like the next one. */
    readonly userHook: number;
    readonly application: number;
    readonly organizationApplication: number;
    /** The first run in `ada/sprinkler`, and a job of it. */
    readonly run: number;
    readonly job: number;
  };
  /** An empty repository. */
  readonly emptyPath: string;
  /** A real repository with all its history; undefined if it is not requested or its bundle is missing. */
  readonly expressPath: string | undefined;
}

const bundle = fileURLToPath(new URL("../../../shared/data/express.bundle", import.meta.url));

const arabicTitle = "لا يمكن حفظ الملفات التي تحتوي أسماؤها على أحرف عربية طويلة جدًا عندما يكون المستودع مؤرشفًا ".repeat(2).trim();

const readme = `# Garden

Plans for beds that water themselves.

- [x] Measure the soil
- [ ] Order the valves

\`\`\`js
export const water = (bed) => bed.moisture < 0.3;
\`\`\`

| Bed | Plants |
| --- | --- |
| South | Tomatoes |
| North | Fern |

> Patience is part of it.
`;

const files = {
  "README.md": readme,
  LICENSE: "Permission is granted to water.\n",
  "src/water.js":
    "export const water = (bed) => bed.moisture < 0.3;\n\n// Beds are watered at dawn.\nexport function plan(beds) {\n  return beds.filter(water);\n}\n",
  "docs/beds.md": "# Beds\n\nSouth and north.\n",
  "data/leaf.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><ellipse cx="40" cy="30" rx="36" ry="20" fill="green"/></svg>\n',
  "data/soil.ipynb": JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: "python" } },
    cells: [
      { cell_type: "markdown", source: "# Soil\n\nOf the **north** bed." },
      { cell_type: "code", execution_count: 1, source: "dry(bed)", outputs: [{ output_type: "stream", name: "stdout", text: "0.2\n" }] },
    ],
  }),
  "data/long.txt": Array.from({ length: 5_000 }, (_, at) => `${at + 1}: moisture ${(at * 7) % 100} %\n`).join(""),
};

export interface ShowcaseOptions {
  /** Whether to include the real repository, whose push takes seconds. */
  readonly hasExpress?: boolean;
  /** Appended to every user-supplied text. */
  readonly ending?: string;
}

/** Settings have principals of SSH certificates only if the server trusts an authority. */
const authority = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)}`;

/** The server calls no other hosts, also not for the badges of a README. */
const environment = { HEARTH_IMAGES_ENABLED: "false", HEARTH_SSH_TRUSTED_USER_CA_KEYS: authority };

let usual: Promise<Showcase> | undefined;

/**
 * Each has its own forge. Without options it is a copy of the first one of this process, which takes a tenth of the time of its requests,
 * pushes and jobs.
 */
export async function openShowcase(options: ShowcaseOptions = {}): Promise<Showcase> {
  if (Object.keys(options).length > 0) return createShowcase(options);
  usual ??= createStopped();
  return copyShowcase(await usual);
}

/** A showcase whose forge has stopped. Its files are deleted with the folder of the test run. */
async function createStopped(): Promise<Showcase> {
  const showcase = await createShowcase({});
  await showcase.forge.forge[Symbol.asyncDispose]();
  return showcase;
}

async function copyShowcase(showcase: Showcase): Promise<Showcase> {
  const { admin, dataDirectory, databaseUrl } = showcase.forge;
  const forge = await startForge({
    dialect: sqliteCopiedFrom(databaseUrl),
    copiedData: dataDirectory,
    environment: { ...environment, HEARTH_ADMIN_TOKEN: admin.token },
  });
  const work = await showcase.work.copy();
  const users = { owner: forge.userAgain(showcase.owner), reader: forge.userAgain(showcase.reader) };
  return { ...showcase, forge, work, ...users, ...disposeWith(work, forge) };
}

const disposeWith = (work: GitUser, forge: TestForge): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    await work[Symbol.asyncDispose]();
    await forge[Symbol.asyncDispose]();
  },
});

async function createShowcase({ hasExpress = false, ending = "" }: ShowcaseOptions): Promise<Showcase> {
  const say = (text: string): string => text + ending;
  const forge = await startForge({ dialect: sqlite, environment });
  const work = await createGitUser();
  const owner = await forge.createUser("ada", { full_name: say("Ada Lane") });
  const reader = await forge.createUser("ben", { full_name: say("Ben Moor") });
  const path = "/ada/garden";
  await owner.post("/orgs", { username: "gardeners", full_name: say("Gardeners"), description: say("Who waters") }).expect(201);
  await owner.post("/orgs/gardeners/teams", { name: "waterers", description: say("Those with the cans"), units_map: { "repo.code": "write" } }).expect(201);
  await owner.post("/user/repos", { name: "garden", description: say("Beds that water themselves") }).expect(201);
  await owner.post("/user/repos", { name: "seedlings", description: say("Nothing yet") }).expect(201);
  await owner.put("/repos/ada/garden/topics", { topics: ["irrigation", "valves"] }).expect(204);
  const commit = await pushFiles(work, owner, say);
  const label = await idOf(owner, "/repos/ada/garden/labels", { name: "bug", color: "#c62828", description: say("Something is broken") });
  await owner.post("/repos/ada/garden/labels", { name: say("idea"), color: "#f9e79f" }).expect(201);
  const milestone = await idOf(owner, "/repos/ada/garden/milestones", { title: say("Spring"), description: say("Before the **first** seeds") });
  const issue = await openIssue(owner, {
    title: say("The north bed stays dry"),
    body: say("It had `0.2` yesterday.\n\n- [ ] Look at the valve\n- [ ] Ask @ben\n"),
    labels: [label],
    milestone,
    assignees: ["ben"],
  });
  const { id: comment } = await reader
    .post<{ id: number }>(`/repos/ada/garden/issues/${issue}/comments`, { body: say("The valve is **stuck**.\n\n```sh\nvalve --open north\n```\n") })
    .expect(201);
  const arabicIssue = await openIssue(reader, { title: say(arabicTitle), body: say("مرحبا") });
  for (const title of ["Fern leaves turn brown", "Say when the tank is empty", "A plan for the holidays"])
    await openIssue(reader, { title: say(title), body: "" });
  const pull = await propose(owner, "valve", say("Open valves slowly"));
  const { head } = await owner.get<{ head: { sha: string } }>(`/repos/ada/garden/pulls/${pull}`).expect(200);
  const largePull = await propose(owner, "beds", say("Three hundred beds"));
  const conflictingPull = await propose(owner, "drip", say("Open valves at once"), "valve");
  const review = await reader
    .post<{ id: number }>(`/repos/ada/garden/pulls/${pull}/reviews`, {
      event: "COMMENT",
      body: say("Nearly."),
      comments: [{ path: "src/water.js", new_position: 1, body: say("Why **0.4**?") }],
    })
    .expect(200);
  const [line] = await reader.get<{ id: number }[]>(`/repos/ada/garden/pulls/${pull}/reviews/${review.id}/comments`).expect(200);
  const commitComment = await commentOnCommit(forge, reader, commit, say("Which **bed**?"));
  await owner.post("/repos/ada/garden/releases", { tag_name: "v1.0", name: say("First harvest"), body: say("Tomatoes, *finally*.") }).expect(201);
  await owner
    .post("/repos/ada/garden/wiki/new", { title: "Home", content_base64: Buffer.from(say("# Almanac\n\nWhen to sow.\n")).toString("base64") })
    .expect(201);
  await reader.put("/user/starred/ada/garden").expect(204);
  const ran = await runWorkflow(forge, owner, say);
  const settings = { label, milestone, ...ran, ...(await createSettings(forge, owner, say)) };
  const expressPath = hasExpress && existsSync(bundle) ? await pushExpress(work, owner) : undefined;
  await forge.settled();
  return {
    forge,
    owner,
    reader,
    work,
    garden: { path, issue, comment, arabicIssue, pull, pullCommit: head.sha, lineComment: line?.id ?? 0, commitComment, largePull, conflictingPull, commit },
    settings,
    emptyPath: "/ada/seedlings",
    expressPath,
    ...disposeWith(work, forge),
  };
}

/** Protections and a webhook, for the settings pages. */
async function createSettings(
  forge: TestForge,
  owner: TestUser,
  say: (text: string) => string,
): Promise<Omit<Showcase["settings"], "run" | "job" | "label" | "milestone">> {
  await owner.post("/repos/ada/garden/branch_protections", { rule_name: "release/*", required_approvals: 1 }).expect(201);
  const tagRule = await idOf(owner, "/repos/ada/garden/tag_protections", { name_pattern: "v*", whitelist_usernames: ["ada"] });
  const { admin } = forge;
  const config = { url: "http://hooks.invalid/garden", content_type: "json" };
  const hook = await idOf(owner, "/repos/ada/garden/hooks", { type: "gitea", config, events: ["push"], active: true });
  await owner.post(`/repos/ada/garden/hooks/${hook}/tests`).expect(204);
  const [delivery] = await owner.get<{ id: number }[]>(`/repos/ada/garden/hooks/${hook}/deliveries`).expect(200);
  const organizationHook = await idOf(owner, "/orgs/gardeners/hooks", { type: "gitea", config, events: ["push"], active: true });
  const organizationLabel = await idOf(owner, "/orgs/gardeners/labels", { name: "season/spring", color: "#2e7d32", exclusive: true });
  const provider = { issuer: "https://id.example.org", client_id: "hearth" };
  const source = await idOf(admin, "/admin/sources", { kind: "oidc", name: "staff", is_active: false, auto_register: false, secret: "s", oidc: provider });
  const serverHook = await idOf(admin, "/admin/hooks", { type: "gitea", config, events: ["push"], active: true });
  const userHook = await idOf(admin, "/user/hooks", { type: "gitea", config, events: ["push"], active: true });
  const application = await idOf(admin, "/user/applications/oauth2", {
    name: say("Almanac"),
    redirect_uris: ["https://almanac.example/"],
    confidential_client: true,
  });
  const browser = createBrowser(forge.url);
  await browser.signIn(owner);
  const { id: organizationApplication } = await registerForOrganization(browser, "gardeners", say("Almanac"));
  const ofOrganization = { organizationHook, organizationLabel, organizationApplication };
  return { tagRule, hook, delivery: delivery?.id ?? 0, ...ofOrganization, source, serverHook, userHook, application };
}

/** A repository of its own with a workflow that has run. */
async function runWorkflow(forge: TestForge, owner: TestUser, say: (text: string) => string): Promise<Pick<Showcase["settings"], "run" | "job">> {
  const path = "/repos/ada/sprinkler";
  await owner.post("/user/repos", { name: "sprinkler", auto_init: true, default_branch: "main" }).expect(201);
  await owner.patch(path, { has_actions: true }).expect(200);
  await owner.put(`${path}/actions/secrets/TAP`, { data: "hidden" }).expect(201);
  await owner.post(`${path}/actions/variables/LITRES`, { value: "40" }).expect(201);
  const { token } = await owner.post(`${path}/actions/runners/registration-token`, {}).expect(200);
  const runner = await registerRunner(forge.url, token, { name: say("greenhouse") });
  await owner
    .post(`${path}/contents/.gitea/workflows/water.yml`, { content: Buffer.from(workflow).toString("base64"), message: say("Water at dawn") })
    .expect(201);
  await forge.settled();
  const task = await runner.fetch();
  if (task === undefined) throw new Error("the workflow has no task");
  await jobOf(forge.url, task).saveCache(say("seeds"), "content");
  await runner.execute(task);
  await forge.settled();
  await runner.runOne();
  await forge.settled();
  const { jobs } = await owner.get<{ jobs: readonly { readonly id: number; readonly run_id: number }[] }>(`${path}/actions/jobs`).expect(200);
  return { run: jobs[0]?.run_id ?? 0, job: jobs[0]?.id ?? 0 };
}

const workflow = `name: Water
on:
  push:
  workflow_dispatch:
    inputs:
      litres: { description: Litres per bed, type: number, default: 40 }
      bed: { description: Bed, type: choice, options: [south, north] }
      dry: { description: Only measure, type: boolean }
jobs:
  beds:
    runs-on: linux
    steps:
      - run: echo "::group::Valves"; echo open; echo closed; echo "::endgroup::"; printf '\\033[32mwet\\033[0m\\n'
  report:
    needs: beds
    runs-on: linux
    steps:
      - run: echo "::warning::The tank is half empty"
      - run: printf '# Beds\\n\\n| Bed | Litres |\\n|---|---|\\n| south | 40 |\\n\\nSee [the plan](README.md).\\n' >> "$GITHUB_STEP_SUMMARY"
`;

const idOf = async (user: TestUser, path: string, body: object): Promise<number> => (await user.post<{ id: number }>(path, body).expect(201)).id;

async function pushFiles(work: GitUser, owner: TestUser, say: (text: string) => string): Promise<string> {
  await work.init("garden");
  const origin = `${owner.gitOrigin}/ada/garden.git`;
  const commit = await work.commit("garden", { ...files, "README.md": say(readme) }, say("Plan the beds\n\nSouth first."));
  await work.git("garden", "push", "-q", origin, "main");
  await work.git("garden", "checkout", "-q", "-b", "valve");
  await work.commit("garden", { "src/water.js": files["src/water.js"].replace("0.3", "0.4") }, "Open valves slowly");
  await work.git("garden", "checkout", "-q", "-b", "beds", "main");
  await work.commit(
    "garden",
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`beds/${at + 1}.txt`, `Bed ${at + 1}\nSown\n`])),
    "Three hundred beds",
  );
  await work.git("garden", "checkout", "-q", "-b", "drip", "main");
  await work.commit("garden", { "src/water.js": files["src/water.js"].replace("0.3", "0.5") }, "Open valves at once");
  await work.git("garden", "push", "-q", origin, "valve", "beds", "drip");
  return commit;
}

async function pushExpress(work: GitUser, owner: TestUser): Promise<string> {
  await owner.post("/user/repos", { name: "express", description: "Fast, minimalist web framework" }).expect(201);
  await work.git(".", "clone", "-q", "--mirror", bundle, "express.git");
  await work.git("express.git", "push", "-q", `${owner.gitOrigin}/ada/express.git`, "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*");
  return "/ada/express";
}

const openIssue = async (user: TestUser, input: object): Promise<number> =>
  (await user.post<{ number: number }>("/repos/ada/garden/issues", input).expect(201)).number;

const propose = async (user: TestUser, head: string, title: string, base = "main"): Promise<number> =>
  (await user.post<{ number: number }>("/repos/ada/garden/pulls", { head, base, title, body: "See #1." }).expect(201)).number;

/** Comments on a commit of the garden with the form of its page. @returns the id */
async function commentOnCommit({ url }: TestForge, user: TestUser, commit: string, content: string): Promise<string> {
  const browser = createBrowser(url);
  await browser.signIn(user);
  const { location } = await browser.submit(await browser.get(`/ada/garden/commit/${commit}`), "/ada/garden/commit_comments", { content });
  return location?.split("#commitcomment-")[1] ?? "";
}
