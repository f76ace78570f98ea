import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createGitUser, type GitUser } from "../../../../test/kit/git-user.ts";
import { hasSshKeygen } from "../../../../test/kit/signing.ts";
import { createSealer } from "../../../core/sealer.ts";
import { openServerSigner } from "./service/server-signer.ts";

eachDialect((dialect) => {
  describe("a server with a signing key", () => {
    let forge: TestForge;
    let alice: TestUser;
    let work: GitUser;
    let fingerprint: string;
    beforeAll(async () => {
      forge = await startForge({ dialect, environment: { HEARTH_SIGNING_ENABLED: "true" } });
      work = await createGitUser();
      alice = await forge.createUser("alice");
      fingerprint = forge.context.commitSigner?.fingerprint ?? "";
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });
    const verificationOf = async (repo: string, rev: string) => (await alice.get(`/repos/${repo}/git/commits/${rev}`).expect(200)).commit.verification;
    const verified = () => ({ verified: true, reason: `alice / ${fingerprint}`, signer: { name: "alice", username: "alice", email: "alice@example.com" } });

    test("signs commits and tags that users make on the web under their own names", async () => {
      await alice.post("/user/repos", { name: "own", auto_init: true }).expect(201);
      expect(await verificationOf("alice/own", "main")).toMatchObject(verified());
      const { commit } = await alice.post("/repos/alice/own/contents/f", { content: "eA==", message: "by hand" }).expect(201);
      expect(await verificationOf("alice/own", commit.sha)).toMatchObject(verified());
      const { id } = await alice.post("/repos/alice/own/tags", { tag_name: "v1", message: "first" }).expect(201);
      const tag = await alice.get(`/repos/alice/own/git/tags/${id}`).expect(200);
      expect([tag.message, tag.verification]).toMatchObject(["first\n", verified()]);
      await alice.post("/user/repos", { name: "long", auto_init: true, object_format_name: "sha256" }).expect(201);
      expect(await verificationOf("alice/long", "main")).toMatchObject(verified());
    });

    test("does not sign commits under another author's name", async () => {
      await alice.post("/user/repos", { name: "others", auto_init: true }).expect(201);
      const change = (path: string, more: object) => alice.post(`/repos/alice/others/contents/${path}`, { content: "eA==", message: "m", ...more }).expect(201);
      const byChief = await change("a", { committer: { name: "chief", email: "chief@example.com" } });
      expect(await verificationOf("alice/others", byChief.commit.sha)).toMatchObject({ verified: false, reason: "gpg.error.not_signed_commit" });
      const forChief = await change("b", { author: { name: "chief", email: "chief@example.com" }, committer: { name: "alice", email: "alice@example.com" } });
      expect(await verificationOf("alice/others", forChief.commit.sha)).toMatchObject(verified());
      await forge.admin.post("/admin/users/alice/repos", { name: "given", auto_init: true }).expect(201);
      expect(await verificationOf("alice/given", "main")).toMatchObject({ verified: false, reason: "gpg.error.not_signed_commit" });
    });

    test.skipIf(!hasSshKeygen)(
      `produces signatures that git verifies with the published key${hasSshKeygen ? "" : " (skipped: ssh-keygen is not installed)"}`,
      async () => {
        await alice.post("/user/repos", { name: "shown", auto_init: true }).expect(201);
        await alice.post("/repos/alice/shown/tags", { tag_name: "v1", message: "first" }).expect(201);
        const { status, text } = await forge.anonymous.get("/signing-key.pub");
        expect([status, (await forge.anonymous.get("/repos/alice/shown/signing-key.pub")).text]).toEqual([200, text]);
        await forge.anonymous.get("/signing-key.gpg").expect(404);
        const allowed = join(work.path, "allowed");
        await writeFile(allowed, `alice@example.com ${text}`);
        await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/shown.git`, "shown");
        for (const [verb, name] of [
          ["verify-commit", "HEAD"],
          ["verify-tag", "v1"],
        ] as const) {
          const { stderr, stdout, code } = await work.attempt("shown", "-c", `gpg.ssh.allowedSignersFile=${allowed}`, verb, name);
          expect([code, `${stdout}${stderr}`]).toEqual([
            0,
            expect.stringContaining(`Good "git" signature for alice@example.com with ED25519 key ${fingerprint}`),
          ]);
        }
        expect(await work.git("shown", "fsck", "--strict")).toBe("");
      },
    );

    test("shares one key, sealed in the database, between all servers", async () => {
      const { db, sealer, commitSigner } = forge.context;
      expect((await openServerSigner({ db, sealer })).fingerprint).toBe(fingerprint);
      const rows = await db.sql.selectFrom("server_values").select("value").where("name", "=", "commit_signing.ssh_key").execute();
      expect(rows).toEqual([{ value: expect.not.stringContaining("PRIVATE") }]);
      expect(commitSigner?.publicKey).toMatch(/^ssh-ed25519 \S+$/);
      await expect(openServerSigner({ db, sealer: createSealer(Buffer.alloc(32)) })).rejects.toMatchObject({ code: "unavailable" });
    });

    test("satisfies a rule that requires signed commits", async () => {
      await alice.post("/user/repos", { name: "strict", auto_init: true }).expect(201);
      await alice.post("/repos/alice/strict/branch_protections", { rule_name: "main", enable_push: true, require_signed_commits: true }).expect(201);
      await alice.post("/repos/alice/strict/contents/f", { content: "eA==", message: "m" }).expect(201);
      const committer = { name: "chief", email: "chief@example.com" };
      await alice.post("/repos/alice/strict/contents/g", { content: "eA==", message: "m", committer }).expect(403);
    });
  });
});
