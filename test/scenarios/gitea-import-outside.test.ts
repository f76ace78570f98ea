import { execFileSync } from "node:child_process";
import { createCipheriv, createHash, pbkdf2Sync } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { onSqlite } from "../kit/databases.ts";
import { peopleBase, person, serverDn, serverPassword, startDirectory, type TestDirectory } from "../kit/directory.ts";
import { openRecordedGitea, type RecordedGitea, recorded } from "../kit/gitea.ts";
import { type IdentityProvider, startIdentityProvider } from "../kit/identity-provider.ts";
import { polling } from "../kit/polling.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";
import { type Remote, startRemote } from "../kit/remote.ts";

/** Encrypts as Gitea does. */
function encrypted(text: string): string {
  const iv = Buffer.alloc(16, 7);
  const cipher = createCipheriv("aes-256-cfb", createHash("sha256").update(recorded.secretKey).digest(), iv);
  return Buffer.concat([iv, cipher.update(Buffer.from(text).toString("base64")), cipher.final()]).toString("hex");
}

const scratchCode = "ABCDEFGHJK";
const scratchHash = pbkdf2Sync(scratchCode, "abcdefghij", 10_000, 50, "sha256").toString("hex");
const providerSecret = "the client's secret, which is long enough";
const [head, former] = ["bb512cbe0ab64694e62043f9be4eff35fde73414", "73ede7861915630873b70be10cabd4204d91e5af"] as const;

interface Outside {
  readonly directory: TestDirectory;
  readonly provider: IdentityProvider;
  readonly remote: Remote;
}

/** Rows of Gitea about other servers. */
function rowsAbout({ directory, provider, remote }: Outside): string {
  const ldap = {
    Name: "staff",
    Host: "127.0.0.1",
    Port: directory.port,
    SecurityProtocol: 0,
    BindDN: serverDn,
    BindPasswordEncrypt: encrypted(serverPassword),
    UserBase: peopleBase,
    Filter: "(&(objectClass=person)(|(uid=%[1]s)(mail=%[1]s)))",
    AdminFilter: "(title=boss)",
    AttributeUsername: "uid",
    AttributeMail: "mail",
    GroupTeamMap: "{}",
  };
  const groups = { ...ldap, GroupsEnabled: true, GroupDN: "ou=groups,dc=example,dc=org", GroupFilter: "(cn=staff)", GroupMemberUID: "memberUid" };
  const oidc = {
    Provider: "openidConnect",
    ClientID: "hearth",
    ClientSecret: providerSecret,
    OpenIDConnectAutoDiscoveryURL: `${provider.url}/.well-known/openid-configuration`,
  };
  const sources = [
    [1, 2, "staff", ldap],
    [2, 6, "house", oidc],
    [3, 3, "mail", { Host: "smtp.example.org" }],
    [4, 6, "hub", { Provider: "github", ClientID: "x" }],
    [5, 4, "machine", {}],
    [6, 2, "by employee number", { ...groups, UserUID: "employeeNumber" }],
    [7, 5, "simple", { ...groups, BindDN: "", UserDN: `uid=%s,${peopleBase}`, UserUID: "dn" }],
    [8, 6, "claimed", { ...oidc, RequiredClaimName: "city", RequiredClaimValue: "Bern", GroupClaimName: "groups" }],
  ].map(([id, type, name, cfg]) => `(${id}, ${type}, '${name}', 1, '${JSON.stringify(cfg).replaceAll("'", "''")}', 1764200000, 1764200000)`);
  const push = JSON.stringify({ Commits: [], HeadCommit: { Sha1: head }, CompareURL: `ada/garden/compare/${former}...${head}`, Len: 1 });
  const action = (
    id: number,
    type: number,
    more: { readonly ref?: string; readonly content?: string; readonly comment?: number; readonly reader?: number },
  ): string => `(${id}, ${more.reader ?? 2}, ${type}, 2, 1, ${more.comment ?? 0}, 0, '${more.ref ?? ""}', 0, '${more.content ?? ""}', ${1_795_753_000 + id})`;
  return `
    insert into login_source (id, type, name, is_active, cfg, created_unix, updated_unix) values ${sources.join(", ")};
    update "user" set login_type = 2, login_source = 1, login_name = 'argo.l', passwd = '' where id = 8;
    update "user" set login_type = 6, login_source = 2, login_name = 'subject-of-scry', passwd = '' where id = 9;
    update "user" set login_type = 3, login_source = 3, login_name = 'bcry' where id = 10;
    insert into external_login_user (external_id, user_id, login_source_id, nick_name) values ('subject-of-ben', 3, 2, 'benny'), ('subject-of-scry', 9, 2, 'scry'),
      ('at the hub', 3, 4, 'ben'), ('lost', 77, 2, 'lost');
    update two_factor set scratch_hash = '${scratchHash}' where id = 1;
    update repository set is_mirror = 1 where id in (3, 4);
    insert into mirror (id, repo_id, interval, updated_unix, next_update_unix, lfs_enabled, remote_address) values
      (1, 3, 28800000000000, 1795753000, 4102444800, 1, '${remote.url}/source.git'), (2, 4, 0, 5, 0, 0, 'git@example.org:tools.git');
    insert into push_mirror (id, repo_id, remote_name, remote_address, sync_on_commit, interval, created_unix, last_update, last_error) values
      (4, 1, 'remote_mirror_abc', '${remote.url}/target.git', 1, 0, 1795753000, 1795753100, ''), (5, 1, 'broken', '/srv/local.git', 1, 0, 5, 5, '');
    insert into "action" (id, user_id, op_type, act_user_id, repo_id, comment_id, is_deleted, ref_name, is_private, content, created_unix) values
      ${[
        action(1, 1, {}),
        action(2, 5, { ref: "refs/heads/more", content: push }),
        action(3, 5, { ref: "refs/heads/more" }),
        action(4, 10, { content: "1|Open the", comment: 6 }),
        action(5, 10, { content: "1|Open the", comment: 6, reader: 3 }),
        action(6, 11, { content: "6|Merged one" }),
        action(7, 18, {}),
        action(8, 27, { content: "6|Later" }),
      ].join(", ")};
  `;
}

onSqlite(() => {
  const opened = new AsyncDisposableStack();
  let gitea: RecordedGitea;
  let outside: Outside;
  let program: RunningProgram;
  let printed: string;
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "hearth-outside-"));
    opened.defer(() => rmSync(root, { recursive: true, force: true }));
    for (const name of ["source", "target"]) execFileSync("git", ["init", "-q", "--bare", "-b", "main", join(root, `${name}.git`)]);
    outside = {
      directory: opened.use(await startDirectory([person("argo.l", "argo's secret", { title: "boss" })])),
      provider: opened.use(await startIdentityProvider()),
      remote: opened.use(await startRemote({ root, authorization: `Basic ${Buffer.from("robot:p@ss").toString("base64")}` })),
    };
    gitea = opened.use(openRecordedGitea(rowsAbout(outside)));
    const withCredentials = (name: string): string => `${outside.remote.url.replace("//", "//robot:p%40ss@")}/${name}.git`;
    const repositories = join(gitea.folder, "data/repositories");
    appendFileSync(join(repositories, "ben/empty.git/config"), `[remote "origin"]\n\turl = ${withCredentials("source")}\n\tfetch = +refs/*:refs/*\n`);
    appendFileSync(join(repositories, "ada/garden.git/config"), `[remote "remote_mirror_abc"]\n\turl = ${withCredentials("target")}\n\tmirror = true\n`);
    const settings = { HEARTH_DATA: join(gitea.folder, "hearth"), HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback", HEARTH_AUTH_OIDC_ALLOW_HTTP: "true" };
    const words = ["import", "gitea", "--config", gitea.appIni];
    const dry = await runProgram([...words, "--dry-run"], settings);
    const { code, stdout } = await runProgram(words, settings);
    expect(code).toBe(0);
    expect(dry.stdout.replace("nothing was changed", "")).toBe(stdout.replace(/the import is complete: .*/, ""));
    printed = stdout;
    program = opened.use(await startProgram(settings));
  }, 120_000);
  afterAll(() => opened.disposeAsync());

  const withPassword = (name: string, password: string = recorded.password) =>
    createApiClient(program.url, `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`);
  const ada = () => createApiClient(program.url, `token ${recorded.tokens.ada}`);
  const ben = () => createApiClient(program.url, `token ${recorded.tokens.ben}`);

  describe("authentication sources", () => {
    test("users of a directory sign in with its password, and become administrators by its filter", async () => {
      await withPassword("argo", "wrong").get("/user").expect(401);
      expect(await withPassword("argo", "argo's secret").get("/user").expect(200)).toMatchObject({ id: 8, login: "argo", login_name: "argo.l", source_id: 1 });
      expect(outside.directory.requested[0]).toContain("bind cn=hearth");
    });

    test("sources keep ids, settings and secrets, and those with other requirements are inactive", async () => {
      expect(await withPassword("argo", "argo's secret").get("/admin/sources").expect(200)).toMatchObject([
        { id: 1, name: "staff", kind: "ldap", is_active: true, has_secret: true, ldap: { user_filter: "(&(objectClass=person)(|(uid=%s)(mail=%s)))" } },
        { id: 2, name: "house", kind: "oidc", is_active: true, oidc: { issuer: outside.provider.url, client_id: "hearth" } },
        { id: 6, name: "by-employee-number-6", is_active: false },
        { id: 7, name: "simple", is_active: true, ldap: { user_dn: `uid=%s,${peopleBase}`, group_filter: "(&(cn=staff)(memberUid=%d))" } },
        { id: 8, name: "claimed", is_active: false },
      ]);
      expect(printed).toContain("authentication sources: 5\n");
      expect(printed).toContain("  source by employee number becomes by-employee-number-6\n");
      for (const line of [
        "  authentication sources that Hearth does not have: their users need a password: 3 (mail (SMTP): Hearth has no sources of this kind, hub (OAuth2): Hearth has no sources of this kind, machine (PAM): Hearth has no sources of this kind)\n",
        "  links of accounts to authentication sources that Hearth does not have: 1 (bcry)\n",
        "claimed: the claim city is required)\n",
        "  identities at providers that Hearth does not have, or without an account of their own: 2 (user 77, ben)\n",
      ])
        expect(printed).toContain(line);
    });

    test("users of a provider keep their identities", async () => {
      outside.provider.register({ id: "hearth", secret: providerSecret, redirectUri: `${program.url}/user/oauth2/house/callback` });
      for (const [subject, login] of [
        ["subject-of-scry", "scry"],
        ["subject-of-ben", "ben"],
      ] as const) {
        outside.provider.people.set(subject, { preferred_username: subject, name: "Other", email: `${subject}@house.example.org`, email_verified: true });
        outside.provider.signsInAs(subject);
        const browser = createBrowser(program.url);
        const begun = await browser.get("/user/oauth2/house");
        const answer = await browser.get(await callback(begun.location));
        expect([answer.status, await whoami(browser)]).toEqual([303, login]);
      }
    });

    const whoami = async (browser: Browser): Promise<string | undefined> => JSON.parse((await browser.get("/api/v1/user")).text).login;
    async function callback(location: string | undefined): Promise<string> {
      const there = createBrowser(outside.provider.url);
      let next = location ?? "";
      for (let hops = 0; hops < 8 && !next.startsWith(program.url); hops += 1) next = (await there.get(next)).location ?? "nowhere";
      return next.slice(program.url.length);
    }

    test("a scratch code works once in place of the app", async () => {
      const call = async (code: string): Promise<number> =>
        (
          await fetch(`${program.url}/api/v1/user`, {
            headers: { authorization: `Basic ${Buffer.from(`dan:${recorded.password}`).toString("base64")}`, "x-gitea-otp": code },
          })
        ).status;
      expect([await call("ABCDEFGHJL"), await call(scratchCode.toLowerCase()), await call(scratchCode)]).toEqual([401, 200, 401]);
    });
  });

  describe("mirrors", () => {
    test("wait until the trial ends", async () => {
      const refused = await ada().post("/repos/ada/garden/push_mirrors-sync");
      expect([refused.status, refused.json.message]).toEqual([400, "mirrors wait until an administrator ends the trial of this server"]);
      expect(printed).toContain("Mirrors and scheduled workflows wait until another import with --final, or `hearth admin end-trial`\n");
      const settings = { HEARTH_DATA: join(gitea.folder, "hearth") };
      expect((await runProgram(["doctor"], settings)).stdout).toContain("this server is in a trial after its import");
      expect((await runProgram(["admin", "end-trial"], settings)).stdout).toBe("the trial has ended: mirrors and scheduled workflows run\n");
      expect((await runProgram(["admin", "end-trial"], settings)).stdout).toBe("this server is not in a trial\n");
    });

    test("keep their sources with credentials and intervals, and others become repositories that are not updated", async () => {
      expect(await ben().get("/repos/ben/empty").expect(200)).toMatchObject({ mirror: true, mirror_interval: "8h0m0s" });
      expect(await ada().get("/repos/gardeners/tools").expect(200)).toMatchObject({ mirror: false });
      expect(printed).toContain("  mirrors of addresses that Hearth cannot use, which become repositories that are not updated: 1 (gardeners/tools)\n");
      expect(printed).toContain("  mirrors of Git LFS objects: later objects are not fetched: 1 (ben/empty)\n");
      const git = (...words: string[]): string =>
        execFileSync("git", ["-C", join(root, "source.git"), "-c", "user.name=A", "-c", "user.email=a@example.com", ...words], {
          encoding: "utf8",
          input: "",
        }).trim();
      git("update-ref", "refs/heads/main", git("commit-tree", "-m", "First", git("mktree")));
      await ben().post("/repos/ben/empty/mirror-sync").expect(200);
      await expect.poll(async () => (await ben().get("/repos/ben/empty/commits")).status, polling).toBe(200);
    });

    test("push mirrors keep their names and push with their credentials", async () => {
      expect(await ada().get("/repos/ada/garden/push_mirrors").expect(200)).toMatchObject([
        {
          remote_name: "remote_mirror_abc",
          remote_address: `${outside.remote.url}/target.git`,
          sync_on_commit: true,
          interval: "0s",
          created: "2026-11-27T04:16:40Z",
        },
      ]);
      await ada().post("/repos/ada/garden/push_mirrors-sync").expect(200);
      const tip = (): string =>
        execFileSync("git", ["-C", join(root, "target.git"), "for-each-ref", "--format=%(objectname)", "refs/heads/more"], { encoding: "utf8" }).trim();
      await expect.poll(tip, polling).toBe(head);
      expect(printed).toContain("  push mirrors to addresses that Hearth cannot use: 1 (ada/garden broken)\n");
    });
  });

  test("activity feeds contain the entries of the actor once, with commits and current comments", async () => {
    const feed = (await ada().get("/repos/ada/garden/activities/feeds").expect(200)) as { id: number; op_type: string; content: string; comment_id: number }[];
    expect(feed.map(({ id, op_type, comment_id }) => `${id} ${op_type} ${comment_id}`)).toEqual([
      "8 auto_merge_pull_request 0",
      "6 merge_pull_request 0",
      "4 comment_issue 6",
      "3 commit_repo 0",
      "2 commit_repo 0",
      "1 create_repo 0",
    ]);
    expect(feed.slice(1, 4).map(({ content }) => content)).toEqual(["6|Merged one", "1|Open the valve **very** slowly.", ""]);
    expect(JSON.parse(feed[4]?.content ?? "")).toMatchObject({ HeadCommit: { Sha1: head }, CompareURL: `ada/garden/compare/${former}...${head}` });
    expect((await fetch(`${program.url}/ada/garden/activity`)).status).toBe(200);
    expect(printed).toContain("entries of activity feeds: 6\n");
    expect(printed).toContain("  entries of activity feeds about mirrors, or without an account or a repository: 1\n");
    const heatmap = (await ada().get("/users/ada/heatmap").expect(200)) as { contributions: number }[];
    expect(heatmap.reduce((sum, { contributions }) => sum + contributions, 0)).toBe(6);
  });
});
