import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiAnswer } from "../kit/api-client.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { gitOverSsh, makeKeyPair, type SshKeyPair, sshMissing } from "../kit/ssh.ts";

/**
 * Tries every way to move a ref against every branch and tag protection. The results are published as docs/branch-rules.md: vitest -u
 * regenerates it, and its changes need a review.
 */

interface Rule {
  readonly name: string;
  /** Undefined: no rule matches the branch. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  /** A rule for each name; the others are for a pattern. */
  readonly isPlain?: true;
  /** Preparation of the pull request before the merge. */
  readonly reviews?: "rejected" | "requested";
  /** The base has commits that the head lacks. */
  readonly isOutdated?: true;
}

const pushed = { enable_push: true };
const forced = { ...pushed, enable_force_push: true };
const rules: readonly Rule[] = [
  { name: "no rule", settings: undefined },
  { name: "a rule with nothing switched on", settings: {} },
  { name: "the same, for the very name of the branch", settings: {}, isPlain: true },
  { name: "`enable_push`", settings: pushed },
  { name: "`push_whitelist` of others", settings: { ...pushed, enable_push_whitelist: true, push_whitelist_usernames: ["owner"] } },
  { name: "`push_whitelist` with the writer", settings: { ...pushed, enable_push_whitelist: true, push_whitelist_usernames: ["writer"] } },
  { name: "`push_whitelist` with deploy keys", settings: { ...pushed, enable_push_whitelist: true, push_whitelist_deploy_keys: true } },
  { name: "`enable_force_push`", settings: forced },
  { name: "`force_push_allowlist` of others", settings: { ...forced, enable_force_push_allowlist: true, force_push_allowlist_usernames: ["owner"] } },
  { name: "`force_push_allowlist` with the writer", settings: { ...forced, enable_force_push_allowlist: true, force_push_allowlist_usernames: ["writer"] } },
  { name: "`require_signed_commits`", settings: { ...pushed, require_signed_commits: true } },
  { name: "`protected_file_patterns`", settings: { ...pushed, protected_file_patterns: "secret/*" } },
  { name: "`unprotected_file_patterns`", settings: { unprotected_file_patterns: "secret/*" } },
  { name: "`merge_whitelist` of others", settings: { ...pushed, enable_merge_whitelist: true, merge_whitelist_usernames: ["owner"] } },
  { name: "`merge_whitelist` with the writer", settings: { ...pushed, enable_merge_whitelist: true, merge_whitelist_usernames: ["writer"] } },
  { name: "`required_approvals`", settings: { ...pushed, required_approvals: 1 } },
  { name: "`block_on_rejected_reviews`", settings: { ...pushed, block_on_rejected_reviews: true }, reviews: "rejected" },
  { name: "`block_on_official_review_requests`", settings: { ...pushed, block_on_official_review_requests: true }, reviews: "requested" },
  { name: "`block_on_outdated_branch`", settings: { ...pushed, block_on_outdated_branch: true }, isOutdated: true },
  { name: "`enable_status_check`", settings: { ...pushed, enable_status_check: true, status_check_contexts: ["ci/*"] } },
  { name: "`block_admin_merge_override`", settings: { ...pushed, required_approvals: 1, block_admin_merge_override: true } },
];

/** Whether each rule allows the move, in the order of the rules. */
type Verdicts = readonly boolean[];
type Doors = readonly (readonly [door: string, verdicts: Verdicts])[];

const table = (first: string, names: readonly string[], doors: Doors): string => {
  const rows = [
    [first, ...doors.map(([door]) => door)],
    ["---", ...doors.map(() => ":-:")],
    ...names.map((name, index) => [name, ...doors.map(([, verdicts]) => (verdicts[index] === true ? "yes" : "—"))]),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
};

describe.skipIf(sshMissing !== undefined)(`rules for branches and tags${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
  let forge: TestForge;
  let owner: TestUser;
  let writer: TestUser;
  let other: TestUser;
  let work: GitUser;
  let key: SshKeyPair;
  let deployKey: SshKeyPair;
  let http: string;
  let ssh: string;
  let port: number;
  const repo = "/repos/owner/r";
  const all = rules.map((_, index) => index);

  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite, environment: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" } });
    [owner, writer, other] = (await Promise.all(["owner", "writer", "other"].map((name) => forge.createUser(name)))) as [TestUser, TestUser, TestUser];
    work = await createGitUser();
    key = makeKeyPair(work.path, "writer-key");
    deployKey = makeKeyPair(work.path, "deploy-key");
    const made = await owner.post<{ ssh_url: string }>("/user/repos", { name: "r", default_branch: "main" }).expect(201);
    for (const user of [writer, other]) await owner.put(`${repo}/collaborators/${user.name}`, { permission: "write" }).expect(204);
    await writer.post("/user/keys", { title: "laptop", key: key.publicKey }).expect(201);
    await owner.post(`${repo}/keys`, { title: "deploy", key: deployKey.publicKey, read_only: false }).expect(201);
    const { sshState } = forge.forge;
    if (sshState.kind !== "open") throw new Error("the forge does not listen for SSH");
    port = sshState.port;
    http = `${writer.gitOrigin}/owner/r.git`;
    ssh = made.ssh_url;
    await work.init("w");
    await work.git("w", "commit", "-q", "--allow-empty", "-m", "root");
    await work.commit("w", { "base.txt": "base\n" });
    await work.git("w", "branch", "start");
    await work.git("w", "checkout", "-q", "-b", "ahead");
    await writeSecret("ahead");
    await work.git("w", "checkout", "-q", "-b", "change", "start");
    await writeSecret("change");
    await work.git("w", "checkout", "-q", "--orphan", "elsewhere");
    await work.git("w", "commit", "-q", "-m", "another history");
    const places = ["push", "force", "ssh", "deploy", "edit", "move", "rename", "admin-rename", "delete", "erase", "merge", "override", "update"];
    const specs = all.flatMap((rule) => places.map((place) => `start:refs/heads/r${rule}/${place}`));
    const outdated = rules.flatMap(({ isOutdated }, rule) => (isOutdated ? [`ahead:refs/heads/r${rule}/merge`, `ahead:refs/heads/r${rule}/override`] : []));
    const heads = all.flatMap((rule) => [`change:refs/heads/topic/${rule}`]);
    await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, "start:main", "ahead:ahead", ...specs, ...heads);
    if (outdated.length > 0) await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, ...outdated);
    for (const [rule, { settings, isPlain }] of rules.entries()) {
      const patterns = settings === undefined ? [] : isPlain ? [...places, "made"] : ["*"];
      for (const pattern of patterns) await owner.post(`${repo}/branch_protections`, { rule_name: `r${rule}/${pattern}`, ...settings }).expect(201);
    }
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  const writeSecret = async (name: string): Promise<void> => {
    mkdirSync(join(work.path, "w", "secret"), { recursive: true });
    await work.commit("w", { [`secret/${name}`]: name });
  };

  /** Pushes a commit to a ref of every rule in one push: each ref is checked separately. */
  async function push(source: string, place: string, words: readonly string[], url: string, options: readonly string[] = []): Promise<Verdicts> {
    const specs = all.map((rule) => `${source}:refs/heads/r${rule}/${place}`);
    const { stdout } = await work.attempt("w", ...words, "push", "--porcelain", ...options, url, ...specs);
    const fates = new Map(
      stdout.split("\n").flatMap((line): [string, string][] => {
        const [flag = "", refs = ""] = line.split("\t");
        return refs.includes(":") ? [[refs.slice(refs.lastIndexOf(":") + 1), flag]] : [];
      }),
    );
    return all.map((rule) => {
      const fate = fates.get(`refs/heads/r${rule}/${place}`);
      if (fate === undefined) throw new Error(`git says nothing of r${rule}/${place}: ${stdout}`);
      return fate !== "!";
    });
  }

  /** Performs an action on a ref of each rule over the API. A refusal must be about permission or state, never an internal error. */
  async function ask(action: (rule: number) => Promise<ApiAnswer<unknown>>): Promise<Verdicts> {
    const verdicts: boolean[] = [];
    for (const rule of all) {
      const { status, text } = await await action(rule);
      if (status >= 300 && ![403, 405, 409, 422].includes(status)) throw new Error(`${rules[rule]?.name}: ${status} ${text}`);
      verdicts.push(status < 300);
    }
    return verdicts;
  }

  async function openPull(rule: number, base: string, head: string): Promise<string> {
    const { number } = await other.post<{ number: number }>(`${repo}/pulls`, { title: `${head} to ${base}`, head, base }).expect(201);
    const path = `${repo}/pulls/${number}`;
    const { reviews } = rules[rule] ?? {};
    if (reviews === "rejected") await owner.post(`${path}/reviews`, { event: "REQUEST_CHANGES", body: "no" }).expect(200);
    if (reviews === "requested") await owner.post(`${path}/requested_reviewers`, { reviewers: ["owner"] }).expect(201);
    return path;
  }

  const content = Buffer.from("x").toString("base64");
  const doorsOfBranches = async (): Promise<Doors> => [
    ["push over HTTP", await push("change", "push", [], http)],
    ["push over SSH", await push("change", "ssh", gitOverSsh(key, port), ssh)],
    ["push with a deploy key", await push("change", "deploy", gitOverSsh(deployKey, port), ssh)],
    ["forced push", await push("elsewhere", "force", [], http, ["--force"])],
    ["a file by the interface", await ask((rule) => writer.post(`${repo}/contents/secret/file`, { content, branch: `r${rule}/edit` }))],
    ["a new branch", await ask((rule) => writer.post(`${repo}/branches`, { new_branch_name: `r${rule}/made`, old_ref_name: "topic/0" }))],
    ["a branch moved", await ask(async (rule) => writer.put(`${repo}/branches/r${rule}/move`, { new_commit_id: await work.git("w", "rev-parse", "change") }))],
    ["renamed", await ask((rule) => writer.patch(`${repo}/branches/r${rule}/rename`, { name: `free-${rule}` }))],
    ["renamed by an administrator", await ask((rule) => owner.patch(`${repo}/branches/r${rule}/admin-rename`, { name: `freed-${rule}` }))],
    ["deleted by a push", await push("", "delete", [], http)],
    ["deleted by the interface", await ask((rule) => writer.delete(`${repo}/branches/r${rule}/erase`))],
    ["merge", await ask(async (rule) => writer.post(`${await openPull(rule, `r${rule}/merge`, `topic/${rule}`)}/merge`, { Do: "merge" }))],
    [
      "merge forced by an administrator",
      await ask(async (rule) => owner.post(`${await openPull(rule, `r${rule}/override`, `topic/${rule}`)}/merge`, { Do: "merge", force_merge: true })),
    ],
    ["update of a pull request from it", await ask(async (rule) => writer.post(`${await openPull(rule, "ahead", `r${rule}/update`)}/update`))],
  ];

  const tagRules = [
    ["no rule", []],
    ["a rule that lists others", ["owner"]],
    ["a rule that lists the writer", ["writer"]],
  ] as const;

  async function doorsOfTags(): Promise<Doors> {
    const tags = tagRules.map((_, index) => index);
    for (const [index, [, users]] of tagRules.entries()) {
      for (const place of ["gone", "erased"]) await owner.post(`${repo}/tags`, { tag_name: `t${index}-${place}`, target: "main" }).expect(201);
      if (users.length > 0) await owner.post(`${repo}/tag_protections`, { name_pattern: `t${index}-*`, whitelist_usernames: users }).expect(201);
    }
    const pushTags = async (source: string, place: string, words: readonly string[], url: string): Promise<Verdicts> => {
      const verdicts: boolean[] = [];
      for (const tag of tags) verdicts.push((await work.attempt("w", ...words, "push", url, `${source}:refs/tags/t${tag}-${place}`)).code === 0);
      return verdicts;
    };
    const askTags = async (action: (tag: number) => Promise<ApiAnswer<unknown>>): Promise<Verdicts> => {
      const verdicts: boolean[] = [];
      for (const tag of tags) verdicts.push((await action(tag)).status < 300);
      return verdicts;
    };
    return [
      ["push over HTTP", await pushTags("start", "http", [], http)],
      ["push over SSH", await pushTags("start", "ssh", gitOverSsh(key, port), ssh)],
      ["push with a deploy key", await pushTags("start", "deploy", gitOverSsh(deployKey, port), ssh)],
      ["made by the interface", await askTags((tag) => writer.post(`${repo}/tags`, { tag_name: `t${tag}-made`, target: "main" }))],
      ["made by a release", await askTags((tag) => writer.post(`${repo}/releases`, { tag_name: `t${tag}-release`, target_commitish: "main" }))],
      ["deleted by a push", await pushTags("", "gone", [], http)],
      ["deleted by the interface", await askTags((tag) => writer.delete(`${repo}/tags/t${tag}-erased`))],
    ];
  }

  test("are enforced for every way to move a ref, as listed in docs/branch-rules.md", { timeout: 300_000 }, async () => {
    const branches = await doorsOfBranches();
    const tags = await doorsOfTags();
    const page = `# Rules for branches and tags, and the doors to them

What each rule lets somebody do who writes to the repository, and nothing more, where nothing else is said. \`yes\`: it happens; \`—\`: it is
refused. Rules are for patterns, but for the row that says otherwise. The change that is pushed, written or merged is to \`secret/change\`, which the patterns of files in the table fit; its commits are not
signed. Where a merge asks for approvals, nobody has approved; a pull request of the rows about reviews has been rejected, or waits for a review.

This page is written by a test that plays all of it: \`vitest run test/contract/branch-rules.test.ts --update\`.

## Branches

${table(
  "rule of the branch",
  rules.map(({ name }) => name),
  branches,
)}

## Tags

${table(
  "rule of the tag",
  tagRules.map(([name]) => name),
  tags,
)}
`;
    await expect(page).toMatchFileSnapshot("../../docs/branch-rules.md");
  });
});
