import { execFileSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSealer } from "../../src/core/sealer.ts";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { openSecrets } from "../../src/features/actions/secrets/service/secrets.ts";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect, onSqlite } from "../kit/databases.ts";
import { loadRecordedPostgres, openRecordedGitea, type RecordedGitea, recorded } from "../kit/gitea.ts";
import { canTrace, killingAt } from "../kit/kill-at.ts";
import { polling } from "../kit/polling.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";
import { type Received, startReceiver } from "../kit/receiver.ts";

const basicOf = (name: string, password: string = recorded.password): string => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
/** The test server of PostgreSQL has settings that the program warns of. */
const withoutWarnings = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => line !== "" && !line.includes("in a power cut") && !line.includes("known vulnerabilities"))
    .join("\n");

eachDialect((dialect) => {
  let folder: string;
  let gitea: RecordedGitea;
  let program: RunningProgram;
  let settings: Record<string, string>;
  let printed: string;
  let options: string[];
  const opened = new AsyncDisposableStack();
  const as = (name: keyof typeof recorded.tokens) => createApiClient(program.url, `token ${recorded.tokens[name]}`);
  const withPassword = (name: string, password?: string) => createApiClient(program.url, basicOf(name, password));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-import-"));
    gitea = opened.use(openRecordedGitea());
    const database = opened.use(await dialect.createEmpty());
    settings = {
      HEARTH_DATA: join(folder, "data"),
      HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
      ...(dialect.name === "postgres" && { HEARTH_DATABASE_URL: database.url }),
    };
    options = ["--config", gitea.appIni];
    if (dialect.name === "postgres") {
      const source = opened.use(await dialect.createEmpty());
      await loadRecordedPostgres(source.url);
      options.push("--database", source.url);
    }
    const { code, stdout, stderr } = await runProgram(["import", "gitea", ...options], settings);
    expect({ code, stderr: withoutWarnings(stderr) }).toEqual({ code: 0, stderr: "" });
    printed = stdout;

    program = opened.use(await startProgram(settings));
  }, 120_000);
  afterAll(async () => {
    await opened.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("accounts", () => {
    test("users and organizations keep their ids, addresses, profiles and roles", async () => {
      expect(await as("ada").get("/user").expect(200)).toMatchObject({
        id: 2,
        login: "ada",
        full_name: "Ada Exämple",
        email: "ada@example.com",
        description: "Gardens",
        location: "Bern",
        followers_count: 2,
        is_admin: false,
      });
      expect(await withPassword("root1").get("/user").expect(200)).toMatchObject({ id: 1, is_admin: true });
      expect(await as("ada").get("/user/emails").expect(200)).toMatchObject([
        { email: "ada@example.com", primary: true, verified: true },
        { email: "ada.second@example.com", primary: false, verified: true },
      ]);
      expect(await as("ben").get("/orgs/hidden-org").expect(200)).toMatchObject({ id: 7, visibility: "private" });
      await createApiClient(program.url).get("/orgs/hidden-org").expect(404);
      expect(printed).toContain("users: 9\norganizations: 2\n");
    });

    test("teams keep their ids, units and members", async () => {
      const teams = await as("ada").get("/orgs/gardeners/teams").expect(200);
      expect(teams).toMatchObject([
        { id: 4, name: "admins", permission: "admin", includes_all_repositories: true },
        { name: "Owners", permission: "owner" },
        {
          id: 3,
          name: "writers",
          permission: "none",
          units_map: { "repo.code": "write", "repo.issues": "write", "repo.pulls": "read", "repo.wiki": "none" },
          can_create_org_repo: true,
        },
      ]);
      expect(await as("ada").get("/teams/3/members").expect(200)).toMatchObject([{ login: "ben" }]);
      expect(await createApiClient(program.url).get("/orgs/gardeners/public_members").expect(200)).toMatchObject([{ login: "ben" }]);
    });

    test.each(["ada", "argo", "scry", "bcry", "old"])("the password of %s is verified at the first sign-in and then hashed again", async (name) => {
      await withPassword(name, "Passw0rd!y").get("/user").expect(401);
      await withPassword(name).get("/user").expect(200);
      await using database = await openProgramDatabase();
      const hash = async () =>
        (await database.sql.selectFrom("accounts").select("password_hash").where("name", "=", name).executeTakeFirstOrThrow()).password_hash;
      await expect.poll(hash, polling).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      await withPassword(name, "Passw0rd!y").get("/user").expect(401);
      await withPassword(name).get("/user").expect(200);
    });

    test("access tokens keep working with their scopes, and others with the same last characters do not", async () => {
      for (let use = 0; use < 2; use += 1) {
        expect(await as("reader").get("/user").expect(200)).toMatchObject({ login: "ada" });
        await as("reader").post("/user/repos", { name: "new" }).expect(403);
      }
      const { ben } = recorded.tokens;
      await createApiClient(program.url, `token ${"0".repeat(32)}${ben.slice(-8)}`)
        .get("/user")
        .expect(401);
      expect(await as("ben").get("/user").expect(200)).toMatchObject({ login: "ben" });
      expect(await withPassword("ada").get("/users/ada/tokens").expect(200)).toMatchObject([
        { name: "reader", token_last_eight: recorded.tokens.reader.slice(-8), scopes: ["read:repository", "read:user"] },
        { name: "cli", scopes: ["all"] },
      ]);
    });

    test("a second factor is required, and its app keeps working", async () => {
      const call = (headers: Record<string, string>) => fetch(`${program.url}/api/v1/user`, { headers: { authorization: basicOf("dan"), ...headers } });
      expect((await call({})).status).toBe(401);
      const code = totpCode(recorded.totpSecret, stepAt(Date.now()));
      expect((await call({ "x-gitea-otp": code })).status).toBe(200);
    });

    test("SSH and OpenPGP keys and principals keep their ids, titles and fingerprints", async () => {
      expect(await as("ada").get("/user/keys").expect(200)).toMatchObject([{ id: 1, title: "laptop", fingerprint: expect.stringMatching(/^SHA256:/) }]);
      await using database = await openProgramDatabase();
      const principals = database.sql.selectFrom("public_keys").select(["id", "account_id", "title", "content"]).where("is_principal", "=", 1);
      expect(await principals.execute()).toEqual([{ id: 3, account_id: 2, title: "principal laptop", content: "laptop" }]);
      expect(await as("ada").get("/user/gpg_keys").expect(200)).toMatchObject([{ id: 1, can_sign: true, subkeys: [{ id: 2, can_encrypt_comms: true }] }]);
    });

    test("new accounts get ids after the imported ones", async () => {
      const admin = withPassword("root1");
      const { id } = await admin
        .post("/admin/users", { username: "fay", email: "fay@example.com", password: "a long pass phrase", must_change_password: false })
        .expect(201);
      expect(id).toBeGreaterThan(11);
    });
  });

  describe("repositories", () => {
    test("branches, tags and heads of pull requests have the same commits, and clones work with the same token", async () => {
      const bundle = join(import.meta.dirname, "../kit/gitea-data/ada-garden.bundle");
      const expected = execFileSync("git", ["bundle", "list-heads", bundle], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line !== "" && !line.endsWith(" HEAD"));
      const url = program.url.replace("http://", `http://ada:${recorded.tokens.ada}@`);
      const listed = execFileSync("git", ["ls-remote", `${url}/ada/garden.git`], { encoding: "utf8" })
        .replaceAll("\t", " ")
        .split("\n");
      expect(listed.filter((line) => line !== "" && !/ HEAD$|\^\{\}$/.test(line)).sort()).toEqual(expected.sort());
      execFileSync("git", ["clone", "-q", `${url}/gardeners/tools.git`, join(folder, "clone")]);
      expect(readFileSync(join(folder, "clone/README.md"), "utf8")).toContain("tools");
    });

    test("repositories keep ids, settings, topics, stars, watches and forks", async () => {
      expect(await as("ada").get("/repositories/1").expect(200)).toMatchObject({
        full_name: "ada/garden",
        description: "Plants, äußerst viele",
        website: "https://garden.example",
        allow_rebase: false,
        default_merge_style: "squash",
        has_projects: false,
        stars_count: 2,
        watchers_count: 2,
        forks_count: 1,
        topics: ["plants", "water"],
      });
      expect(await as("ada").get("/repos/ben/garden-fork").expect(200)).toMatchObject({ id: 5, fork: true, parent: { id: 1 } });
      expect(await as("ben").get("/repos/ben/empty").expect(200)).toMatchObject({ id: 3, empty: true });
      expect(await as("ben").get("/user/starred").expect(200)).toMatchObject([{ full_name: "ada/garden" }]);
      await as("ben").get("/repos/ada/secret-plans").expect(404);
      expect(await as("ada").get("/topics/search?q=plants").expect(200)).toMatchObject({ topics: [{ id: 1, repo_count: 1 }] });
    });

    test("collaborators, teams and deploy keys keep their rights", async () => {
      expect(await as("ada").get("/repos/ada/garden/collaborators/ben/permission").expect(200)).toMatchObject({ permission: "write" });
      expect(await as("ada").get("/repos/ada/garden/collaborators/cleo/permission").expect(200)).toMatchObject({ permission: "read" });
      expect(await as("ben").get("/repos/gardeners/tools").expect(200)).toMatchObject({ private: true, permissions: { push: true, admin: false } });
      expect(await as("cleo").get("/repos/gardeners/tools").expect(200)).toMatchObject({ permissions: { admin: true } });
      expect(await as("ada").get("/repos/ada/garden/keys").expect(200)).toMatchObject([{ id: 1, key_id: 2, title: "deploy", read_only: true }]);
    });

    test("rules of branches and tags keep their settings and lists", async () => {
      expect(await as("ada").get("/repos/ada/garden/branch_protections/main").expect(200)).toMatchObject({
        enable_push: true,
        enable_push_whitelist: true,
        push_whitelist_usernames: ["ada"],
        required_approvals: 1,
        enable_status_check: true,
        status_check_contexts: ["ci/*"],
        block_on_rejected_reviews: true,
        protected_file_patterns: "*.lock",
      });
      expect(await as("ada").get("/repos/ada/garden/tag_protections").expect(200)).toMatchObject([{ name_pattern: "v*", whitelist_usernames: ["ada"] }]);
    });

    test("releases keep ids, drafts and files with their addresses", async () => {
      const releases = (await as("ada").get("/repos/ada/garden/releases").expect(200)) as { id: number }[];
      expect(releases.toSorted((a, b) => a.id - b.id)).toMatchObject([
        { id: 1, tag_name: "v1.0", body: "Notes with **bold**", author: { login: "ada" }, assets: [{ id: 1, name: "tool.bin", size: 12 }] },
        { id: 2, tag_name: "v2.0", draft: true },
        { id: 3, tag_name: "v1.1", prerelease: true },
      ]);
      const file = await fetch(`${program.url}/attachments/3f4c4905-a399-4e21-8047-18782af680d9`);
      expect([file.status, await file.text()]).toEqual([200, "binary asset"]);
    });

    test("wikis and Git LFS objects are served", async () => {
      expect(await as("ada").get("/repos/ada/garden/wiki/page/Home").expect(200)).toMatchObject({
        title: "Home",
        content_base64: Buffer.from("# Welcome\n").toString("base64"),
      });
      const oid = createHash("sha256").update(recorded.largeFile).digest("hex");
      const batch = await fetch(`${program.url}/ada/garden.git/info/lfs/objects/batch`, {
        method: "POST",
        headers: { accept: "application/vnd.git-lfs+json", "content-type": "application/vnd.git-lfs+json" },
        body: JSON.stringify({ operation: "download", transfers: ["basic"], objects: [{ oid, size: recorded.largeFile.length }] }),
      });
      const { objects } = (await batch.json()) as { objects: { actions: { download: { href: string; header?: Record<string, string> } } }[] };
      const { href, header = {} } = objects[0]?.actions.download ?? { href: "" };
      expect(Buffer.from(await (await fetch(href, { headers: header })).arrayBuffer())).toEqual(recorded.largeFile);
    });
  });

  describe("integrations", () => {
    test("webhooks keep ids, events, filters, secrets and authorization headers", async () => {
      const hooks = await as("ada").get("/repos/ada/garden/hooks").expect(200);
      expect(hooks).toMatchObject([
        { id: 1, type: "gitea", active: true, branch_filter: "main", config: { content_type: "json" } },
        { id: 2, type: "slack", active: false, events: ["push"], config: { channel: "#garden", username: "bot" } },
      ]);
      const chosen = (hooks as { events: string[] }[])[0]?.events;
      expect(chosen).toContain("pull_request_review_request");
      expect(chosen).not.toContain("release");
      expect(await as("ada").get("/orgs/gardeners/hooks").expect(200)).toMatchObject([{ id: 3, events: ["repository"], config: { content_type: "form" } }]);
      await using receiver = await startReceiver();
      await using database = await openProgramDatabase();
      // An edit through the API would replace the header.
      await database.tx((tx) => tx.sql.updateTable("hooks").set({ url: receiver.url }).where("id", "=", 1).execute());
      await as("ada").post("/repos/ada/garden/hooks/1/tests").expect(204);
      await expect.poll(() => receiver.received.length, polling).toBe(1);
      const { headers, body } = receiver.received[0] as Received;
      expect(headers.authorization).toBe(recorded.hook.authorization);
      expect(headers["x-gitea-signature"]).toBe(createHmac("sha256", recorded.hook.secret).update(body).digest("hex"));
    });

    test("notifications keep ids, states and subjects", async () => {
      const threads = (await as("cleo").get("/notifications?all=true&limit=50").expect(200)) as { id: number }[];
      expect(threads.map(({ id }) => id).sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 11, 13, 16]);
      expect(await as("cleo").get("/notifications/threads/8").expect(200)).toMatchObject({ unread: true, subject: { title: "More", type: "Pull" } });
      // The last comment, also if the notification is about an earlier one.
      const subjects = ((await as("ben").get("/notifications?all=true").expect(200)) as { id: number; subject: { latest_comment_url: string } }[]).map(
        ({ id, subject }) => `${id} ${subject.latest_comment_url.split("/").at(-1)}`,
      );
      expect(subjects.sort()).toEqual(["1 6", "15 ", "9 "]);
    });

    test("commit statuses keep ids, order and creators", async () => {
      const path = "/repos/ada/garden/statuses/bb512cbe0ab64694e62043f9be4eff35fde73414";
      expect(await as("ada").get(`${path}?sort=oldest`).expect(200)).toMatchObject([
        { id: 1, status: "pending", context: "ci/build", creator: { login: "ben" } },
        { id: 2, status: "success", target_url: "https://ci.example/1" },
      ]);
    });

    test("OAuth2 applications keep their client id and secret, and grants their scopes", async () => {
      expect(await as("ada").get("/user/applications/oauth2").expect(200)).toMatchObject([
        { id: 4, name: "planner", client_id: recorded.application.clientId, confidential_client: true, redirect_uris: ["https://planner.example/back"] },
      ]);
      const introspect = async (secret: string) => {
        const authorization = `Basic ${Buffer.from(`${recorded.application.clientId}:${secret}`).toString("base64")}`;
        return (await fetch(`${program.url}/login/oauth/introspect`, { method: "POST", headers: { authorization }, body: new URLSearchParams({ token: "x" }) }))
          .status;
      };
      expect(await introspect("gto_another")).toBe(401);
      await using database = await openProgramDatabase();
      const hash = async () =>
        (await database.sql.selectFrom("oauth2_applications").select("secret_hash").where("id", "=", 4).executeTakeFirstOrThrow()).secret_hash;
      expect(await hash()).toMatch(/^\$2b\$/);
      expect(await introspect(recorded.application.secret)).toBe(200);
      expect(await hash()).toMatch(/^[0-9a-f]{64}$/);
      expect([await introspect(recorded.application.secret), await introspect("gto_another")]).toEqual([200, 401]);
      const grants = await database.sql.selectFrom("oauth2_grants").select(["account_id", "application_id", "scopes"]).execute();
      expect(grants).toEqual([{ account_id: 3, application_id: 4, scopes: "openid email" }]);
    });

    test("secrets and variables of Actions keep their values", async () => {
      expect(await as("ada").get("/repos/ada/garden/actions/secrets").expect(200)).toMatchObject([{ name: "DEPLOY_KEY", description: "To the garden" }]);
      expect(await as("ada").get("/repos/ada/garden/actions/variables/ZONE").expect(200)).toMatchObject({ name: "ZONE", data: "north" });
      await using database = await openProgramDatabase();
      const sealer = createSealer(Buffer.from(readFileSync(join(folder, "data/secret.key"), "utf8").trim(), "hex"));
      expect(await openSecrets({ db: database, sealer }, 1, 2)).toEqual(new Map([["DEPLOY_KEY", "first deploy key"]]));
      expect(await openSecrets({ db: database, sealer }, 4, 6)).toEqual(new Map([["SHARED", "of the organization"]]));
    });
  });

  describe("issues and pull requests", () => {
    test("issues keep ids, numbers, labels, milestones, assignees, pins, deadlines and dependencies", async () => {
      const issue = await as("ada").get("/repos/ada/garden/issues/1").expect(200);
      expect(issue).toMatchObject({
        id: 1,
        title: "The valve is still stuck",
        body: "Äußerst @ben, see #2",
        user: { login: "ada" },
        labels: [{ id: 1, name: "kind/bug", color: "ff0000", exclusive: true }],
        milestone: { id: 1, title: "Spring", open_issues: 1, due_on: "2027-03-01T00:00:00Z" },
        assignees: [{ login: "ben" }, { login: "ada" }],
        due_date: "2027-02-01T00:00:00Z",
        pin_order: 1,
        is_locked: true,
        comments: 2,
      });
      expect(await as("ada").get("/repos/ada/garden/issues/1/dependencies").expect(200)).toMatchObject([{ number: 2, title: "Needs water" }]);
      expect(await as("ada").get("/repos/ada/garden/issues?state=all&type=all").expect(200)).toMatchObject(
        [7, 6, 5, 4, 3, 2, 1].map((number) => ({ id: number, number })),
      );
      expect(await as("ada").get("/orgs/gardeners/labels").expect(200)).toMatchObject([{ id: 3, name: "org-wide" }]);
      expect(await as("ada").get("/repos/ada/garden/milestones?state=closed").expect(200)).toMatchObject([{ id: 2, title: "Autumn", state: "closed" }]);
      expect(await as("ada").get("/repos/ada/garden").expect(200)).toMatchObject({ open_issues_count: 2, open_pr_counter: 2 });
      expect(await as("ben").get("/user/stopwatches").expect(200)).toMatchObject([{ issue_index: 2, duration: expect.stringMatching(/hours?/) }]);
      expect(printed).toContain("issues: 3\npull requests: 4\n");
    });

    test("comments keep ids, reactions, attachments and former texts, and timelines all entries", async () => {
      const comments = await as("ada").get("/repos/ada/garden/issues/1/comments").expect(200);
      expect(comments).toMatchObject([
        { id: 6, user: { login: "ben" }, body: "Open the valve **very** slowly." },
        { id: 7, body: "Refers to #2 and @cleo" },
      ]);
      expect(await as("ada").get("/repos/ada/garden/issues/comments/6/reactions").expect(200)).toMatchObject([{ user: { login: "ada" }, content: "heart" }]);
      expect(await as("ada").get("/repos/ada/garden/issues/1/reactions").expect(200)).toMatchObject([{ user: { login: "ben" }, content: "+1" }]);
      expect(await as("ada").get("/repos/ada/garden/issues/2/assets").expect(200)).toMatchObject([{ id: 2, name: "note.txt", size: 13 }]);
      expect(await (await fetch(`${program.url}/attachments/2f549a5a-d90e-4171-9bf9-da24a1aa4cb3`)).text()).toBe("attached text");
      expect(await as("ada").get("/repos/ada/garden/issues/1/times").expect(200)).toMatchObject([
        { id: 1, time: 3661 },
        { id: 2, time: 60, user_name: "ben" },
      ]);
      const timeline = (await as("ada").get("/repos/ada/garden/issues/1/timeline").expect(200)) as { type: string; id: number }[];
      expect(timeline.map(({ id, type }) => `${id} ${type}`)).toEqual(
        ["1 milestone", "2 label", "3 assignees", "4 assignees", "6 comment", "7 comment", "10 label", "11 label", "12 change_title"].concat([
          "14 milestone",
          "15 milestone",
          "16 add_time_manual",
          "17 add_time_manual",
          "19 add_dependency",
          "21 lock",
          "22 pin",
        ]),
      );
      expect(timeline.find(({ id }) => id === 16)).toMatchObject({ body: "1 hour 1 minute", tracked_time: { id: 1 } });
      expect(await as("ada").get("/repos/ada/garden/issues/2/timeline").expect(200)).toMatchObject([
        { type: "comment_ref", ref_issue: { id: 1 }, ref_comment: { id: 7 } },
        { type: "issue_ref", ref_issue: { id: 1 }, ref_comment: null },
        { type: "start_tracking" },
        { type: "add_dependency", dependent_issue: { id: 1 } },
        { type: "assignees", assignee: { login: "ada" } },
        { type: "pull_ref", ref_issue: { id: 4 }, ref_action: "closes" },
      ]);
    });

    test("pull requests keep heads, merges, reviews, comments on lines and requests", async () => {
      const pull = (number: number) => as("ada").get(`/repos/ada/garden/pulls/${number}`).expect(200);
      expect(await pull(4)).toMatchObject({
        id: 1,
        mergeable: true,
        head: { ref: "more", sha: "bb512cbe0ab64694e62043f9be4eff35fde73414" },
        requested_reviewers: [{ login: "ben" }, { login: "cleo" }],
      });
      expect(await pull(5)).toMatchObject({ head: { ref: "feature", repo_id: 5, sha: "73ede7861915630873b70be10cabd4204d91e5af" }, mergeable: true });
      expect(await pull(6)).toMatchObject({
        merged: true,
        merged_by: { login: "ada" },
        merge_commit_sha: "ebbf54c12c78af0cee6d9070e59536839bfbd9b2",
        head: { sha: "ed4cb9ccebd6369766f1902d6591d92ee90d3e3a" },
      });
      expect(await pull(7)).toMatchObject({ state: "closed", draft: true, merged: false });
      expect(await as("ada").get("/repos/ada/garden/pulls/6/files").expect(200)).toMatchObject([{ status: "added", additions: 1 }]);
      expect(await as("ada").get("/repos/ada/garden/pulls/4/reviews").expect(200)).toMatchObject([
        { id: 2, state: "REQUEST_REVIEW", user: { login: "cleo" } },
        { id: 3, state: "COMMENT", body: "Some notes", comments_count: 2 },
        { id: 4, state: "APPROVED", official: true, stale: false },
        { id: 5, state: "REQUEST_CHANGES", body: "wait", html_url: expect.stringMatching(/#issuecomment-34$/) },
      ]);
      expect(await as("ada").get("/repos/ada/garden/pulls/4/reviews/3/comments").expect(200)).toMatchObject([
        { id: 29, path: "src/b.txt", position: 2, body: "why 2?", diff_hunk: "@@ -0,0 +1,3 @@\n+1\n+2" },
        { id: 30, path: "src/b.txt", position: 3, body: "and 3?" },
      ]);
    });

    test("new issues continue the numbers, and texts are found", async () => {
      expect(await as("ada").get("/repos/ada/garden/issues?q=valve&type=issues").expect(200)).toMatchObject([{ number: 1 }]);
      expect(await as("ada").post("/repos/ada/garden/issues", { title: "Next" }).expect(201)).toMatchObject({ number: 8, id: 8 });
    });
  });

  test("the imported server has no problem that the doctor finds", async () => {
    const { code, stdout } = await runProgram(["doctor"], settings);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^ok: the database, 6 object stores and \d uploaded files$/m) });
  });

  test("another import into a server that was changed is refused and names the tables", async () => {
    await program.stop();
    const { code, stderr } = await runProgram(["import", "gitea", ...options], settings);
    expect({ code, stderr: withoutWarnings(stderr) }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^hearth: the server was changed after the import \(notifications, hooks, issues, repositories, account emails, accounts\): another import would lose that\. Keep/,
      ),
    });
  });

  async function openProgramDatabase() {
    const { openDatabase } = await import("../../src/db/open.ts");
    const { silentLog } = await import("../kit/logs.ts");
    const db = await openDatabase({ url: settings.HEARTH_DATABASE_URL ?? join(folder, "data", "hearth.db"), log: silentLog, role: "tool" });
    return { ...db, [Symbol.asyncDispose]: () => db.close() };
  }
});

onSqlite(() => {
  const importFrom = async (gitea: RecordedGitea, options: readonly string[] = []) => {
    const data = join(gitea.folder, "hearth");
    const run = await runProgram(["import", "gitea", "--config", gitea.appIni, ...options], { HEARTH_DATA: data });
    return { ...run, stderr: withoutWarnings(run.stderr) };
  };

  test.each([
    [
      "an unknown version",
      "update version set version = 332",
      /^hearth: the schema of the Gitea database has the version 332; only version 331 \(Gitea 1\.26\) can be imported: use a newer version of Hearth$/,
    ],
    ["an older version", "update version set version = 299", /: update Gitea to 1\.26 first$/],
    [
      "a Forgejo",
      "update version set version = 305; create table forgejo_version (id INTEGER, version INTEGER)",
      /^hearth: the database is one of Forgejo, whose schema differs from that of Gitea: no version of Forgejo can be imported, only Gitea 1\.26\./,
    ],
    ["another program", "drop table version", /^hearth: the database is not one of Gitea: it has no table version$/],
  ])("refuses the database of %s with one line", async (_what, change, message) => {
    using gitea = openRecordedGitea(change);
    expect(await importFrom(gitea)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
  });

  test("refuses a missing folder, a missing database and a missing file of settings with one line", async () => {
    using gitea = openRecordedGitea();
    const missing = join(gitea.folder, "none");
    expect((await importFrom(gitea, ["--repositories", missing])).stderr).toBe(`hearth: the folder of the repositories does not exist: ${missing}`);
    expect((await importFrom(gitea, ["--database", `sqlite:${missing}`])).stderr).toBe(`hearth: the database ${missing} does not exist`);
    expect((await importFrom({ ...gitea, appIni: missing })).stderr).toBe(`hearth: ${missing} cannot be read (ENOENT)`);
    expect((await importFrom(gitea, ["--database", "mssql://host/name"])).stderr).toMatch(/^hearth: --database must be sqlite:PATH, postgres/);
  });

  test("a dry run lists counts, renamed names and data without an equivalent, and creates nothing", async () => {
    using gitea = openRecordedGitea(`
      insert into "user" (id, lower_name, name, email, type, is_active, passwd) values (90, 'a..b', 'a..b', 'x@example.com', 0, 1, ''),
        (91, 'ghost', 'ghost', 'y@example.com', 0, 1, ''), (92, 'gone', 'gone', 'z@example.com', 2, 1, '');
      insert into webauthn_credential (id, user_id) values (1, 2)`);
    const { code, stdout } = await importFrom(gitea, ["--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain("users: 11\n");
    expect(stdout).toContain("renamed:\n  account a..b becomes a-b-90\n  account ghost becomes ghost-91\n");
    expect(stdout).toContain("  security keys: these users sign in without them: 1 (ada)\n");
    expect(stdout).toContain("  reserved names and accounts of other servers: 1 (gone)\n");
    expect(stdout).toMatch(/nothing was changed\n$/);
    expect((await runProgram(["doctor"], { HEARTH_DATA: join(gitea.folder, "hearth") })).stderr).toMatch(/there is no database/);
  });

  test("broken, missing and oddly named repositories are imported, renamed and listed", async () => {
    using gitea = openRecordedGitea(`update repository set name = 'a..b', lower_name = 'a..b' where id = 2;
      update repository set lower_name = 'lost' where id = 4;
      insert into repo_redirect (id, owner_id, lower_name, redirect_repo_id) values (1, 2, 'former', 1)`);
    const folder = join(gitea.folder, "data/repositories");
    renameSync(join(folder, "ada/secret-plans.git"), join(folder, "ada/a..b.git"));
    rmSync(join(folder, "ben/garden-fork.git/objects"), { recursive: true });
    mkdirSync(join(folder, "ben/garden-fork.git/objects"));
    const { code, stdout, stderr } = await importFrom(gitea);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("renamed:\n  repository ada/a..b becomes ada/a-b-2\n");
    expect(stdout).toContain("  repositories and wikis whose folder is missing: they are empty: 1 (gardeners/tools)\n");
    expect(stdout).toMatch(/ {2}repositories and wikis that git cannot read: they are empty: 1 \(ben\/garden-fork: /);
    await using program = await startProgram({ HEARTH_DATA: join(gitea.folder, "hearth") });
    const ada = createApiClient(program.url, `token ${recorded.tokens.ada}`);
    expect(await ada.get("/repos/ada/a-b-2").expect(200)).toMatchObject({ id: 2, empty: false });
    expect((await ada.get("/repos/ada/former")).headers.get("location")).toMatch(/\/repos\/ada\/garden$/);
    expect(await ada.get("/repos/ben/garden-fork").expect(200)).toMatchObject({ id: 5, empty: true });
  });

  test("broken rows of issues and pull requests are listed, and everything else is imported", async () => {
    using gitea = openRecordedGitea(`
      insert into issue (id, repo_id, "index", poster_id, name, is_pull) values (90, 99, 1, 2, 'lost', 0), (91, 1, 2, 2, 'twice', 0), (92, 1, 9, 77, 'of a ghost', 0);
      insert into comment (id, type, issue_id, content, ref_issue_id, ref_comment_id, review_id) values (90, 0, 99, 'lost', 0, 0, 0), (91, 30, 1, '', 0, 0, 0),
        (92, 99, 1, '', 0, 0, 0), (93, 3, 1, '', 98, 0, 0), (94, 5, 1, '', 2, 98, 0), (95, 21, 4, 'no review', 0, 0, 98), (96, 3, 1, '', 91, 0, 0), (97, 14, 1, '|-5', 0, 0, 0);
      insert into comment (id, type, issue_id, poster_id, content, ref_issue_id, ref_comment_id, review_id) values (99, 0, 1, -2, 'of a job', 0, 0, 0);
      insert into reaction (id, type, issue_id, comment_id, user_id) values (90, 'party', 1, 0, 2), (91, 'heart', 1, 98, 2);
      insert into tracked_time (id, issue_id, user_id, time, deleted) values (90, 1, 77, 5, 0);
      insert into issue_dependency (id, issue_id, dependency_id) values (90, 1, 98), (91, 1, 91);
      insert into issue_assignees (id, issue_id, assignee_id) values (90, 1, 77);
      insert into issue_label (id, issue_id, label_id) values (90, 1, 3), (91, 1, 77);
      insert into stopwatch (id, issue_id, user_id) values (90, 1, 3);
      insert into review (id, type, issue_id, reviewer_id) values (90, 1, 1, 2);
      insert into notification (id, user_id, repo_id, status, source, issue_id) values (90, 77, 1, 1, 1, 1), (91, 2, 1, 1, 1, 98), (92, 2, 1, 1, 1, 1);
      insert into commit_status (id, "index", repo_id, sha, context) values (90, 1, 99, 'aa', 'lost');
      insert into webhook (id, repo_id, owner_id, url, type, content_type, events) values (90, 99, 0, 'https://a.example/x', 'gitea', 1, '{}'), (91, 1, 0, 'no address', 'gitea', 1, '{}'),
        (92, 1, 0, 'https://b.example/', 'telegraph', 1, 'broken');
      update webhook set header_authorization_encrypted = '00112233445566778899aabbccddeeff0011' where id = 1;
      insert into secret (id, owner_id, repo_id, name, data) values (90, 0, 1, 'LOST', 'ffff'), (91, 0, 99, 'NOWHERE', '');
      insert into action_variable (id, owner_id, repo_id, name, data) values (90, 0, 1, 'CI', 'reserved');
      insert into oauth2_application (id, uid, name, client_id, client_secret, redirect_uris) values (2, 2, 'low', 'low', '', '[]'), (91, 77, 'lost', 'lost', '', '[]');
      insert into oauth2_grant (id, user_id, application_id, scope) values (90, 3, 91, '');
      update issue set milestone_id = 77 where id = 2;
      delete from pull_request where issue_id = 6`);
    execFileSync("git", ["-C", join(gitea.folder, "data/repositories/ada/garden.git"), "update-ref", "-d", "refs/pull/7/head"]);
    const listed = (stdout: string): readonly string[] => stdout.split("\n").filter((line) => line.startsWith("  "));
    const dry = await importFrom(gitea, ["--dry-run"]);
    const { code, stdout, stderr } = await importFrom(gitea);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(listed(stdout)).toEqual(listed(dry.stdout));
    expect(listed(stdout)).toEqual(
      expect.arrayContaining([
        "  issues without a repository: 1",
        "  issues without a number of their own: 1 (id 91)",
        "  timeline entries without an issue: 1",
        "  timeline entries about projects: 1 (ada/garden#1)",
        "  timeline entries of unknown types: 1 (ada/garden#1)",
        "  references from issues and comments that no longer exist: 3",
        "  comments on lines without a review, which become comments: 1 (ada/garden#4)",
        "  reactions that Hearth does not have, or without an account or a comment: 2 (party on ada/garden#1, heart on ada/garden#1)",
        "  tracked times of accounts that no longer exist: 1 (ada/garden#1)",
        "  dependencies on issues that no longer exist: 2 (issues 1 and 98, issues 1 and 91)",
        "  assignees that no longer exist: 1 (ada/garden#1)",
        "  labels of issues that no longer exist: 2 (ada/garden#1, ada/garden#1)",
        "  stopwatches besides the first one of a user, or without an issue: 1 (ben)",
        "  reviews without a pull request or a reviewer: 2 (ada/garden#6, ada/garden#1)",
        "  milestones of issues that no longer exist: 1 (ada/garden#2)",
        "  notifications without an account or a subject, or about one subject twice: 3 (user 77, ada, ada)",
        "  commit statuses without a repository or a number of their own: 1 (lost of aa)",
        "  webhooks without a repository or an owner: 1 (a.example)",
        "  webhooks that Hearth cannot send: add them again: 2 (gitea to an invalid address, telegraph to b.example)",
        "  authorization headers of webhooks that SECRET_KEY does not open: set them again: 1 (127.0.0.1:1)",
        "  secrets of Actions that SECRET_KEY does not open, or without an owner: 2 (LOST, NOWHERE)",
        "  variables of Actions without an owner: 1 (CI)",
        "  OAuth2 applications without an owner or a client id of their own, or whose secret cannot be verified: 1 (lost)",
        "  OAuth2 grants without an account or an application: 1 (ben)",
        "  pull requests without a commit, which become issues: 1 (ada/garden#6)",
        "  pull requests without their head, which have no changes: 1 (ada/garden#7)",
      ]),
    );
    const settings = { HEARTH_DATA: join(gitea.folder, "hearth") };
    expect((await runProgram(["doctor"], settings)).code).toBe(0);
    await using program = await startProgram(settings);
    const ada = createApiClient(program.url, `token ${recorded.tokens.ada}`);
    const issues = (await ada.get("/repos/ada/garden/issues?state=all&type=all").expect(200)) as { number: number; pull_request: object | null }[];
    expect(issues.map(({ number, pull_request }) => `${number} ${pull_request !== null}`)).toEqual([
      "9 false",
      "7 true",
      "6 false",
      "5 true",
      "4 true",
      "3 false",
      "2 false",
      "1 false",
    ]);
    expect(await ada.get("/repos/ada/garden/issues/9").expect(200)).toMatchObject({ id: 92, user: { login: "Ghost" } });
    expect(await ada.get("/repos/ada/garden/pulls/7").expect(200)).toMatchObject({ changed_files: 0 });
    const timeline = (await ada.get("/repos/ada/garden/issues/1/timeline").expect(200)) as { id: number; body: string }[];
    expect(timeline.find(({ id }) => id === 97)).toMatchObject({ type: "add_time_manual", body: "" });
    expect(await ada.get("/repos/ada/garden/issues/comments/99").expect(200)).toMatchObject({ user: { id: -2, login: "gitea-actions" } });
  });

  /** Whether an import is recorded in the database. */
  function hasBegun(data: string): boolean {
    if (!existsSync(join(data, "hearth.db"))) return false;
    const db = new DatabaseSync(join(data, "hearth.db"));
    const tables = db.prepare("select name from sqlite_master where name = 'server_values'").all();
    const rows = tables.length === 0 ? [] : db.prepare("select value from server_values where name = 'gitea_import'").all();
    db.close();
    return rows.length > 0;
  }

  const killed = "an import that is killed continues, and no server starts on its data before";
  test.skipIf(!canTrace)(canTrace ? killed : `${killed} (skipped: strace is not installed)`, async () => {
    using gitea = openRecordedGitea();
    const data = join(gitea.folder, "hearth");
    const words = ["import", "gitea", "--config", gitea.appIni];
    let refused = 0;
    let kills = 0;
    let isComplete = false;
    for (const nth of [2, 4, 6, 8]) {
      const { code } = await runProgram(words, { HEARTH_DATA: data }, killingAt("fsync,fdatasync", nth));
      isComplete = code === 0;
      if (isComplete) break;
      kills += 1;
      if (!hasBegun(data)) continue;
      await expect(startProgram({ HEARTH_DATA: data })).rejects.toThrow("the import from Gitea is incomplete: run `hearth import gitea` again");
      refused += 1;
    }
    // The calls of each thread are counted, so the moments differ between runs.
    expect(kills).toBeGreaterThan(1);
    expect(refused).toBeGreaterThan(0);
    if (!isComplete) expect(await runProgram(words, { HEARTH_DATA: data })).toMatchObject({ code: 0 });
    expect((await runProgram(["doctor"], { HEARTH_DATA: data })).stdout).toMatch(/^ok: /m);
    await using program = await startProgram({ HEARTH_DATA: data });
    const ada = createApiClient(program.url, `token ${recorded.tokens.ada}`);
    const found = (await ada.get("/repos/search").expect(200)) as { data: { id: number; full_name: string; empty: boolean }[] };
    expect(found.data.map(({ id, full_name, empty }) => [id, full_name, empty]).sort()).toEqual([
      [1, "ada/garden", false],
      [2, "ada/secret-plans", false],
      [3, "ben/empty", true],
      [4, "gardeners/tools", false],
      [5, "ben/garden-fork", false],
    ]);
  });

  test("a second factor that the key does not open is listed", async () => {
    using gitea = openRecordedGitea("update two_factor set secret = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'");
    expect((await importFrom(gitea, ["--dry-run"])).stdout).toContain(
      "second factors that SECRET_KEY does not open: these users sign in with the password alone: 1 (dan)\n",
    );
  });
});
