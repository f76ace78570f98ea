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
  /** The rule has the exact branch name instead of a pattern. */
  readonly isExact?: true;
  /** Preparation of the pull request before the merge. */
  readonly reviews?: "rejected" | "requested";
  /** The base has commits that the head lacks. */
  readonly isOutdated?: true;
}

const pushed = { enable_push: true };
const forced = { ...pushed, enable_force_push: true };
const rules: readonly Rule[] = [
  { name: "no rule", settings: undefined },
  { name: "a rule without options", settings: {} },
  { name: "a rule without options, for the exact branch name", settings: {}, isExact: true },
  { name: "`enable_push`", settings: pushed },
  { name: "`push_whitelist` without the writer", settings: { ...pushed, enable_push_whitelist: true, push_whitelist_usernames: ["owner"] } },
  { name: "`push_whitelist` with the writer", settings: { ...pushed, enable_push_whitelist: true, push_whitelist_usernames: ["writer"] } },
  { name: "`push_whitelist` with deploy keys", settings: { ...pushed, enable_push_whitelist: true, push_whitelist_deploy_keys: true } },
  { name: "`enable_force_push`", settings: forced },
  { name: "`force_push_allowlist` without the writer", settings: { ...forced, enable_force_push_allowlist: true, force_push_allowlist_usernames: ["owner"] } },
  { name: "`force_push_allowlist` with the writer", settings: { ...forced, enable_force_push_allowlist: true, force_push_allowlist_usernames: ["writer"] } },
  { name: "`require_signed_commits`", settings: { ...pushed, require_signed_commits: true } },
  { name: "`protected_file_patterns`", settings: { ...pushed, protected_file_patterns: "secret/*" } },
  { name: "`unprotected_file_patterns`", settings: { unprotected_file_patterns: "secret/*" } },
  { name: "`merge_whitelist` without the writer", settings: { ...pushed, enable_merge_whitelist: true, merge_whitelist_usernames: ["owner"] } },
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
type Operations = readonly (readonly [operation: string, verdicts: Verdicts])[];

const table = (first: string, names: readonly string[], operations: Operations): string => {
  const rows = [
    [first, ...operations.map(([operation]) => operation)],
    ["---", ...operations.map(() => ":-:")],
    ...names.map((name, index) => [name, ...operations.map(([, verdicts]) => (verdicts[index] === true ? "yes" : "—"))]),
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
    const branches = ["push", "force", "ssh", "deploy", "edit", "move", "rename", "admin-rename", "delete", "erase", "merge", "override", "update"];
    const specs = all.flatMap((rule) => branches.map((branch) => `start:refs/heads/r${rule}/${branch}`));
    const outdated = rules.flatMap(({ isOutdated }, rule) => (isOutdated ? [`ahead:refs/heads/r${rule}/merge`, `ahead:refs/heads/r${rule}/override`] : []));
    const heads = all.flatMap((rule) => [`change:refs/heads/topic/${rule}`]);
    await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, "start:main", "ahead:ahead", ...specs, ...heads);
    if (outdated.length > 0) await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, ...outdated);
    for (const [rule, { settings, isExact }] of rules.entries()) {
      const patterns = settings === undefined ? [] : isExact ? [...branches, "made"] : ["*"];
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
  async function push(source: string, branch: string, gitOptions: readonly string[], url: string, pushOptions: readonly string[] = []): Promise<Verdicts> {
    const specs = all.map((rule) => `${source}:refs/heads/r${rule}/${branch}`);
    const { stdout } = await work.attempt("w", ...gitOptions, "push", "--porcelain", ...pushOptions, url, ...specs);
    const statuses = new Map(
      stdout.split("\n").flatMap((line): [string, string][] => {
        const [flag = "", refs = ""] = line.split("\t");
        return refs.includes(":") ? [[refs.slice(refs.lastIndexOf(":") + 1), flag]] : [];
      }),
    );
    return all.map((rule) => {
      const status = statuses.get(`refs/heads/r${rule}/${branch}`);
      if (status === undefined) throw new Error(`git did not report r${rule}/${branch}: ${stdout}`);
      return status !== "!";
    });
  }

  /** Performs an action on a ref of each rule over the API. A refusal must be about permission or state, never an internal error. */
  async function attemptAll(action: (rule: number) => Promise<ApiAnswer<unknown>>): Promise<Verdicts> {
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
  const tryBranchOperations = async (): Promise<Operations> => [
    ["push over HTTP", await push("change", "push", [], http)],
    ["push over SSH", await push("change", "ssh", gitOverSsh(key, port), ssh)],
    ["push with a deploy key", await push("change", "deploy", gitOverSsh(deployKey, port), ssh)],
    ["force push", await push("elsewhere", "force", [], http, ["--force"])],
    ["create a file by API", await attemptAll((rule) => writer.post(`${repo}/contents/secret/file`, { content, branch: `r${rule}/edit` }))],
    ["create a branch by API", await attemptAll((rule) => writer.post(`${repo}/branches`, { new_branch_name: `r${rule}/made`, old_ref_name: "topic/0" }))],
    [
      "move the branch by API",
      await attemptAll(async (rule) => writer.put(`${repo}/branches/r${rule}/move`, { new_commit_id: await work.git("w", "rev-parse", "change") })),
    ],
    ["rename", await attemptAll((rule) => writer.patch(`${repo}/branches/r${rule}/rename`, { name: `free-${rule}` }))],
    ["rename by an administrator", await attemptAll((rule) => owner.patch(`${repo}/branches/r${rule}/admin-rename`, { name: `freed-${rule}` }))],
    ["delete by push", await push("", "delete", [], http)],
    ["delete by API", await attemptAll((rule) => writer.delete(`${repo}/branches/r${rule}/erase`))],
    ["merge", await attemptAll(async (rule) => writer.post(`${await openPull(rule, `r${rule}/merge`, `topic/${rule}`)}/merge`, { Do: "merge" }))],
    [
      "forced merge by an administrator",
      await attemptAll(async (rule) => owner.post(`${await openPull(rule, `r${rule}/override`, `topic/${rule}`)}/merge`, { Do: "merge", force_merge: true })),
    ],
    ["update of a pull request with this head", await attemptAll(async (rule) => writer.post(`${await openPull(rule, "ahead", `r${rule}/update`)}/update`))],
  ];

  const tagRules = [
    ["no rule", []],
    ["a rule that does not list the writer", ["owner"]],
    ["a rule that lists the writer", ["writer"]],
  ] as const;

  async function tryTagOperations(): Promise<Operations> {
    const tags = tagRules.map((_, index) => index);
    for (const [index, [, users]] of tagRules.entries()) {
      for (const suffix of ["gone", "erased"]) await owner.post(`${repo}/tags`, { tag_name: `t${index}-${suffix}`, target: "main" }).expect(201);
      if (users.length > 0) await owner.post(`${repo}/tag_protections`, { name_pattern: `t${index}-*`, whitelist_usernames: users }).expect(201);
    }
    const pushTags = async (source: string, suffix: string, gitOptions: readonly string[], url: string): Promise<Verdicts> => {
      const verdicts: boolean[] = [];
      for (const tag of tags) verdicts.push((await work.attempt("w", ...gitOptions, "push", url, `${source}:refs/tags/t${tag}-${suffix}`)).code === 0);
      return verdicts;
    };
    const attemptTags = async (action: (tag: number) => Promise<ApiAnswer<unknown>>): Promise<Verdicts> => {
      const verdicts: boolean[] = [];
      for (const tag of tags) verdicts.push((await action(tag)).status < 300);
      return verdicts;
    };
    return [
      ["push over HTTP", await pushTags("start", "http", [], http)],
      ["push over SSH", await pushTags("start", "ssh", gitOverSsh(key, port), ssh)],
      ["push with a deploy key", await pushTags("start", "deploy", gitOverSsh(deployKey, port), ssh)],
      ["create by API", await attemptTags((tag) => writer.post(`${repo}/tags`, { tag_name: `t${tag}-made`, target: "main" }))],
      ["create by release", await attemptTags((tag) => writer.post(`${repo}/releases`, { tag_name: `t${tag}-release`, target_commitish: "main" }))],
      ["delete by push", await pushTags("", "gone", [], http)],
      ["delete by API", await attemptTags((tag) => writer.delete(`${repo}/tags/t${tag}-erased`))],
    ];
  }

  test("are enforced for every way to move a ref, as listed in docs/branch-rules.md", { timeout: 300_000 }, async () => {
    const branches = await tryBranchOperations();
    const tags = await tryTagOperations();
    const page = `# Branch and tag rules by operation

This page lists, for repository administrators, which operations each branch or tag rule allows to a user with write access and no further rights. \`yes\`: the operation succeeds. \`—\`: it is rejected.

- Rules have a wildcard pattern, except in the row that says otherwise.
- The commit changes the file \`secret/change\`, which matches the file patterns of the table. It is not signed.
- The pull requests have no approvals. For the rules about reviews, changes are requested or a review request is open.

The page is generated by a test that tries each operation: \`vitest run test/contract/branch-rules.test.ts --update\`.

## Branches

${table(
  "Branch rule",
  rules.map(({ name }) => name),
  branches,
)}

## Tags

${table(
  "Tag rule",
  tagRules.map(([name]) => name),
  tags,
)}
`;
    await expect(page).toMatchFileSnapshot("../../docs/branch-rules.md");
  });
});
