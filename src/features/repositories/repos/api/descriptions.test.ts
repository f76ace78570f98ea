import { CompiledQuery } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { createClient } from "../../../../../test/kit/git.ts";
import { createGitUser, type GitUser } from "../../../../../test/kit/git-user.ts";
import { push } from "../../../../../test/kit/push.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  const make = (name: string, options = {}) => alice.post("/user/repos", { name, ...options }).expect(201);
  const topicsOf = async (name: string) => (await alice.get(`/repos/alice/${name}/topics`).expect(200)).topics;

  describe("topics", () => {
    test("are replaced, added and removed, ignoring case and duplicates", async () => {
      await make("t");
      await alice.put("/repos/alice/t/topics", { topics: ["Go", "forge", " go ", "forge"] }).expect(204);
      expect(await topicsOf("t")).toEqual(["forge", "go"]);
      await alice.put("/repos/alice/t/topics/Extra").expect(204);
      await alice.put("/repos/alice/t/topics/extra").expect(204);
      expect(await topicsOf("t")).toEqual(["extra", "forge", "go"]);
      await alice.delete("/repos/alice/t/topics/extra").expect(204);
      await alice.delete("/repos/alice/t/topics/extra").expect(404);
      const page = await alice.get("/repos/alice/t/topics?limit=1&page=2");
      expect([page.json, page.headers.get("x-total-count"), page.headers.get("link")]).toEqual([{ topics: ["go"] }, "2", null]);
      expect((await forge.anonymous.get("/repos/alice/t").expect(200)).topics).toEqual(["forge", "go"]);
      await alice.put("/repos/alice/t/topics", {}).expect(204);
      expect(await topicsOf("t")).toEqual([]);
    });

    test("are rejected with Gitea's messages if invalid", async () => {
      await make("words");
      expect(await alice.put("/repos/alice/words/topics", { topics: ["Bad Topic", "ok", "-x", "x".repeat(36), "ä", "a\0b"] }).expect(422)).toEqual({
        invalidTopics: ["bad topic", "-x", "x".repeat(36), "ä", "a\0b"],
        message: "Topic names are invalid",
      });
      expect(await alice.put("/repos/alice/words/topics/bad_topic").expect(422)).toEqual({ invalidTopics: "bad_topic", message: "Topic name is invalid" });
      await alice.delete("/repos/alice/words/topics/bad_topic").expect(422);
      const many = Array.from({ length: 26 }, (_, at) => `t${at}`);
      const tooMany = { invalidTopics: null, message: "Exceeding maximum number of topics per repo" };
      expect(await alice.put("/repos/alice/words/topics", { topics: many }).expect(422)).toEqual(tooMany);
      await alice.put("/repos/alice/words/topics", { topics: many.slice(1) }).expect(204);
      expect(await alice.put("/repos/alice/words/topics/one-more").expect(422)).toEqual(tooMany);
      await alice.put("/repos/alice/words/topics", { topics: "go" }).expect(422);
      await alice.put("/repos/alice/words/topics", { topics: [1] }).expect(422);
      await bob.put("/repos/alice/words/topics", { topics: ["evil"] }).expect(403);
      await forge.anonymous.put("/repos/alice/words/topics/evil").expect(403);
      await forge.anonymous.put("/repos/alice/words/topics", { topics: ["evil"] }).expect(401);
    });

    test("are searched among the repositories that the caller can read", async () => {
      await make("open-one", { auto_init: true });
      await make("open-two");
      await make("secret", { private: true });
      await alice.put("/repos/alice/open-one/topics", { topics: ["zebra", "zebra-red"] }).expect(204);
      await alice.put("/repos/alice/open-two/topics", { topics: ["zebra"] }).expect(204);
      await alice.put("/repos/alice/secret/topics", { topics: ["zebra", "zebra-hidden"] }).expect(204);
      const found = async (client: typeof alice | typeof forge.anonymous, path: string) => {
        const answer = await client.get(path);
        return [
          answer.json.topics.map((topic: { topic_name: string; repo_count: number }) => [topic.topic_name, topic.repo_count]),
          answer.headers.get("x-total-count"),
        ];
      };
      expect(await found(alice, "/topics/search?q=ZEBRA")).toEqual([
        [
          ["zebra", 3],
          ["zebra-hidden", 1],
          ["zebra-red", 1],
        ],
        "3",
      ]);
      for (const client of [bob, forge.anonymous]) {
        expect(await found(client, "/topics/search?q=zebra")).toEqual([
          [
            ["zebra", 2],
            ["zebra-red", 1],
          ],
          "2",
        ]);
      }
      expect(await found(bob, "/topics/search?q=zebra&limit=1&page=2")).toEqual([[["zebra-red", 1]], "2"]);
      expect(await found(bob, "/topics/search?q=%25")).toEqual([[], "0"]);
      const names = async (query: string) => (await bob.get(`/repos/search?${query}`).expect(200)).data.map(({ name }: { name: string }) => name);
      expect(await names("q=zebra&topic=true")).toEqual(["open-one", "open-two"]);
      expect(await names("q=zeb&topic=true")).toEqual([]);
      expect(await names("q=ZEB")).toEqual(["open-one", "open-two"]);
      expect(await names("q=zebra-r&includeDesc=true")).toEqual(["open-one"]);
      expect(await names("q=zebra-hidden")).toEqual([]);
      expect(await names("q=nothing,zebra&topic=true")).toEqual(["open-one", "open-two"]);
      expect(await names("q=z%25a")).toEqual([]);
    });

    test("are read by repository when names are compared", async () => {
      const { statements } = await forge.cost(() => bob.get("/repos/search?q=zebra").expect(200));
      const searches = statements.filter((statement) => statement.includes(" like ") && statement.includes("repository_topics"));
      expect(searches).toHaveLength(1);
      if (dialect.name !== "sqlite") return;
      const { rows } = await forge.context.db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${searches[0]}`));
      const plan = rows.map(({ detail }) => detail).filter((step) => /\b(t|rt)\b/.test(step));
      expect(plan).toContain("SEARCH rt USING PRIMARY KEY (repo_id=?)");
      expect(plan.filter((step) => /^SCAN rt\b/.test(step))).toEqual([]);
    });
  });

  describe("repository search", () => {
    test("matches name, path and description, and treats LIKE wildcards literally", async () => {
      await make("Percent_Name", { description: "Sells 100% Wool" });
      await make("PercentXName");
      const names = async (query: string) => (await bob.get(`/repos/search?${query}`).expect(200)).data.map(({ name }: { name: string }) => name);
      expect(await names("q=percent_n")).toEqual(["Percent_Name"]);
      expect(await names("q=PERCENT")).toEqual(["Percent_Name", "PercentXName"]);
      expect(await names("q=alice/percent")).toEqual(["Percent_Name", "PercentXName"]);
      expect(await names("q=bob/percent")).toEqual([]);
      expect(await names("q=nothing,alice/percent_n,percentx")).toEqual(["Percent_Name", "PercentXName"]);
      expect(await names("q=percentx,")).toEqual(["PercentXName"]);
      expect(await names("q=100%25")).toEqual([]);
      expect(await names("q=100%25&includeDesc=true")).toEqual(["Percent_Name"]);
      expect(await names("q=WOOL&includeDesc=true")).toEqual(["Percent_Name"]);
      expect(await names(`q=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
      expect(await names(`q=${encodeURIComponent("\\")}`)).toEqual([]);
      expect(await names("q=%00percentx")).toEqual(["PercentXName"]);
      expect(await names(`q=${"%25".repeat(4000)}`)).toEqual([]);
    });

    test("sorts as requested, and rejects unknown sort orders", async () => {
      const names = async (query: string) => (await bob.get(`/repos/search?q=percent&${query}`).expect(200)).data.map(({ name }: { name: string }) => name);
      for (const sort of ["alpha", "created", "updated", "size", "git_size", "lfs_size", "stars", "forks", "id"]) {
        const upwards = await names(`sort=${sort}&order=asc`);
        expect([sort, upwards.length]).toEqual([sort, 2]);
        expect([sort, await names(`sort=${sort}&order=desc`)]).toEqual([sort, upwards.reverse()]);
      }
      for (const [query, message] of [
        ["sort=bogus", 'Invalid sort mode: "bogus"'],
        ["sort=alpha&order=bogus", 'Invalid sort order: "bogus"'],
        ["mode=bogus", 'Invalid search mode: "bogus"'],
        ["sort=constructor", 'Invalid sort mode: "constructor"'],
      ]) {
        expect(await bob.get(`/repos/search?${query}`).expect(422)).toMatchObject({ message });
      }
      await bob.get("/repos/search?order=bogus").expect(200);
      expect(await names("uid=0&exclusive=true&team_id=0&starredBy=0")).toEqual(["Percent_Name", "PercentXName"]);
      for (const odd of [
        "uid=abc",
        "uid=-1",
        "uid=99999999999999999999",
        "team_id=0",
        "starredBy=x",
        "page=-1",
        "limit=1000",
        "archived=maybe",
        "page=99999999999",
      ]) {
        await bob.get(`/repos/search?${odd}`).expect(200);
      }
    });

    test("filters by kind of repository", async () => {
      await make("kind-template", { template: true });
      await make("kind-archived");
      await alice.patch("/repos/alice/kind-archived", { archived: true }).expect(200);
      const names = async (query: string) => (await alice.get(`/repos/search?q=kind-&${query}`).expect(200)).data.map(({ name }: { name: string }) => name);
      expect(await names("")).toEqual(["kind-archived", "kind-template"]);
      expect(await names("template=true")).toEqual(["kind-template"]);
      expect(await names("template=false")).toEqual(["kind-archived"]);
      expect(await names("archived=true")).toEqual(["kind-archived"]);
      expect(await names("archived=false")).toEqual(["kind-template"]);
      expect(await names("mode=source")).toEqual(["kind-archived", "kind-template"]);
      expect(await names("mode=fork")).toEqual([]);
      expect(await names("mode=mirror")).toEqual([]);
    });
  });

  describe("languages and licenses", () => {
    const publish = async (work: GitUser, name: string, files: Readonly<Record<string, string>>) => {
      await work.init(name);
      await work.commit(name, files);
      await work.git(name, "push", "-q", `${alice.gitOrigin}/alice/${name}.git`, "main");
      await forge.settled();
    };

    test("follow the contents of the default branch", async () => {
      await make("lang");
      expect(await alice.get("/repos/alice/lang/languages").expect(200)).toEqual({});
      expect(await alice.get("/repos/alice/lang/licenses").expect(200)).toEqual([]);
      await using work = await createGitUser();
      const license = (await alice.get("/licenses/ISC").expect(200)).body;
      await publish(work, "lang", {
        "a.ts": "x".repeat(30),
        "b.go": "y".repeat(10),
        "c.md": "z".repeat(999),
        "jquery.min.js": "v".repeat(999),
        LICENSE: license,
      });
      expect(Object.entries(await alice.get("/repos/alice/lang/languages").expect(200))).toEqual([
        ["TypeScript", 30],
        ["Go", 10],
      ]);
      expect(await alice.get("/repos/alice/lang").expect(200)).toMatchObject({ language: "TypeScript", licenses: ["ISC"] });
      await work.git("lang", "rm", "-q", "a.ts", "LICENSE");
      await publish(work, "lang", { "b.go": "y".repeat(12) });
      expect(await alice.get("/repos/alice/lang/languages").expect(200)).toEqual({ Go: 12 });
      expect(await alice.get("/repos/alice/lang").expect(200)).toMatchObject({ language: "Go", licenses: [] });
      await work.git("lang", "switch", "-q", "-c", "other");
      await work.commit("lang", { "c.py": "p".repeat(50) });
      await work.git("lang", "push", "-q", `${alice.gitOrigin}/alice/lang.git`, "other");
      await forge.settled();
      expect(await alice.get("/repos/alice/lang/languages").expect(200)).toEqual({ Go: 12 });
      await alice.patch("/repos/alice/lang", { default_branch: "other" }).expect(200);
      await forge.settled();
      expect(Object.keys(await alice.get("/repos/alice/lang/languages").expect(200))).toEqual(["Python", "Go"]);
    });

    test("a directory counts only where its path does, and again after other directories have changed", async () => {
      await make("places");
      await using work = await createGitUser();
      const files = { "lib/doc/a.ts": "t".repeat(10), "lib/doc/b.h": "h".repeat(3), "lib/code/c.go": "g".repeat(7), "vendor/code/c.go": "g".repeat(7) };
      await publish(work, "places", { ...files, "other/code/c.go": "g".repeat(7) });
      expect(await alice.get("/repos/alice/places/languages").expect(200)).toEqual({ Go: 14 });
      await publish(work, "places", { "lib/d.cc": "d".repeat(5), "lib/e.h": "h".repeat(2) });
      expect(await alice.get("/repos/alice/places/languages").expect(200)).toEqual({ Go: 14, "C++": 7 });
    });

    test("a small tree that expands to endless paths is analysed within limits", async () => {
      await make("bomb");
      const client = createClient();
      const blob = client.pipe("boom", "hash-object", "-w", "--stdin").toString().trim();
      const ten = (kind: string, oid: string, name: (at: number) => string): string =>
        client
          .pipe(Array.from({ length: 10 }, (_, at) => `${kind} ${oid}\t${name(at)}\n`).join(""), "mktree")
          .toString()
          .trim();
      // Ten levels, each containing the next one ten times: 10^10 files in twelve objects.
      let tree = ten("100644 blob", blob, (at) => `f${at}.js`);
      for (let level = 0; level < 9; level++) tree = ten("040000 tree", tree, (at) => `d${at}`);
      client.git("update-ref", "refs/heads/main", client.git("commit-tree", "-m", "bomb", tree));
      await push(client, alice, "alice/bomb", "main");
      client.remove();
      const { processes } = await forge.cost(() => forge.settled());
      expect(processes).toBeLessThanOrEqual(4);
      expect(await forge.context.db.sql.selectFrom("jobs").select("kind").where("kind", "=", "repos.describe-content").execute()).toEqual([]);
      expect(await alice.get("/repos/alice/bomb/languages").expect(200)).toEqual({});
    });
  });
});
