import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type ClientRepository, createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let client: ClientRepository;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "demo", default_branch: "main" }).expect(201);
    await alice.put("/repos/alice/demo/collaborators/bob", { permission: "write" }).expect(204);
    client = createClient();
    client.commit({ "art/a.psd": "one", "b.txt": "one" });
    await push(client, alice, "alice/demo", "main");
  });
  afterAll(async () => {
    client.remove();
    await forge[Symbol.asyncDispose]();
  });

  const type = "application/vnd.git-lfs+json";
  const lfs = async (user: TestUser, path: string, body: object): Promise<{ readonly lock: { readonly id: string } }> => {
    const authorization = `Basic ${Buffer.from(`${user.name}:${user.token}`).toString("base64")}`;
    const headers = { authorization, "content-type": type, accept: type };
    const answer = await fetch(`${forge.url}/alice/demo.git/info/lfs/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { readonly lock: { readonly id: string } };
  };
  const refused = async (user: TestUser, ...refspecs: string[]): Promise<string> => {
    const error = await push(client, user, "alice/demo", ...refspecs).then(
      () => undefined,
      (thrown: { readonly stderr: string }) => thrown,
    );
    if (error === undefined) throw new Error("the push was taken");
    return error.stderr;
  };

  describe("a file locked by a user", () => {
    test("can be changed only by that user's pushes until it is unlocked", async () => {
      const { lock } = await lfs(bob, "locks", { path: "art/a.psd" });
      client.commit({ "art/a.psd": "alice's" });
      for (const refspec of ["main", "main:new-branch"]) {
        const output = await refused(alice, refspec);
        expect(output).toContain("art/a.psd is locked by bob");
        expect(output).toContain("[remote rejected]");
      }
      client.git("reset", "-q", "--hard", "HEAD~1");
      client.commit({ "b.txt": "two" });
      await push(client, alice, "alice/demo", "main");
      client.commit({ "art/a.psd": "bob's" });
      await push(client, bob, "alice/demo", "main");
      const edit = { content: "eA==", message: "over it", sha: client.git("rev-parse", "HEAD:art/a.psd") };
      expect((await alice.put("/repos/alice/demo/contents/art/a.psd", edit).expect(403)).message).toBe("art/a.psd is locked by bob");
      await alice.post("/repos/alice/demo/contents/c.txt", { content: "eA==", message: "beside it", new_branch: "beside" }).expect(201);

      await lfs(bob, `locks/${lock.id}/unlock`, {});
      await alice.put("/repos/alice/demo/contents/art/a.psd", { ...edit, new_branch: "over" }).expect(200);
    });

    test("does not block merges or branches of commits that others pushed before", async () => {
      const settle = () => client.git("reset", "-q", "--hard");
      settle();
      client.git("checkout", "-q", "-b", "topic", "HEAD~2");
      client.commit({ "d.txt": "topic" });
      await push(client, alice, "alice/demo", "topic");
      await lfs(bob, "locks", { path: "art/a.psd" });
      settle();
      client.git("merge", "-q", "--no-edit", "main");
      await push(client, alice, "alice/demo", "topic");
      await alice.post("/repos/alice/demo/branches", { new_branch_name: "third", old_branch_name: "main" }).expect(201);
      // A merge commit that changes the file itself is a change.
      client.git("checkout", "-q", "-b", "other", "HEAD~1");
      client.commit({ "e.txt": "other" });
      settle();
      client.git("merge", "-q", "--no-commit", "main");
      client.commit({ "art/a.psd": "slipped in" });
      expect(await refused(alice, "other")).toContain("art/a.psd is locked by bob");
      await push(client, alice, "alice/demo", ":third");
    });
  });
});
