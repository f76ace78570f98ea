import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answerDifferences, differences, operationOf } from "../kit/contract.ts";

/** Recorded responses, if a checkout of them is next to the project. */
const samples = new URL("../../../shared/reference/examples/", import.meta.url);
const hasSamples = existsSync(samples);
const sample = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, samples), "utf8"));

const branch = {
  name: "main",
  commit: null,
  protected: false,
  required_approvals: 0,
  enable_status_check: false,
  status_check_contexts: [],
  user_can_push: true,
  user_can_merge: true,
  effective_branch_protection_name: "",
};

describe("the response checker", () => {
  test("accepts a response of the right shape", () => {
    expect(differences(branch, "Branch")).toEqual([]);
    expect(differences([branch], "[]Branch")).toEqual([]);
    expect(differences({ Go: 12 }, "map[string]int64")).toEqual([]);
  });

  test.each([
    ["a missing member", { ...branch, name: undefined }, "$.name: undefined is no string"],
    ["a further member", { ...branch, colour: "red" }, "$.colour: not in Branch"],
    ["null where there is none", { ...branch, name: null }, "$.name: null"],
    ["a text for a number", { ...branch, required_approvals: "0" }, '$.required_approvals: "0" is no integer'],
    ["a number for a boolean", { ...branch, protected: 0 }, "$.protected: 0 is no boolean"],
    ["an item of another kind", { ...branch, status_check_contexts: ["ci", 7] }, "$.status_check_contexts[1]: 7 is no string"],
    ["a list for a record", { ...branch, commit: [] }, "$.commit: no PayloadCommit"],
  ])("reports %s", (_what, value, line) => {
    expect(differences(value, "Branch")).toEqual([line]);
  });

  test("reports a missing member, unless it is optional", () => {
    const { name: _, ...nameless } = branch;
    expect(differences(nameless, "Branch")).toEqual(["$.name: missing"]);
    expect(differences({ name: "v1", message: "", id: "0", commit: null }, "Tag")).toEqual([]);
  });

  test("reports an invalid time", () => {
    const token = { id: 1, name: "ci", sha1: "", token_last_eight: "", scopes: null, created_at: "yesterday", last_used_at: "2026-01-02T03:04:05+02:00" };
    expect(differences(token, "AccessToken")).toEqual(['$.created_at: "yesterday" is no time']);
  });

  test("finds the operation of a request", () => {
    const id = (method: string, path: string) => operationOf(method, path)?.operationId;
    expect(id("GET", "/repos/a/b/contents/src/contents/x.ts")).toBe("repoGetContents");
    expect(id("GET", "/repos/a/b/contents-ext/src")).toBe("repoGetContentsExt");
    expect(id("GET", "/repos/a/b/contents/")).toBe("repoGetContentsList");
    expect(id("GET", "/repos/a/b/commits/feature/x/status")).toBe("repoGetCombinedStatusByRef");
    expect(id("GET", "/repos/a/b/git/commits/main.diff")).toBe("repoDownloadCommitDiffOrPatch");
    expect(id("GET", "/repos/search")).toBe("repoSearch");
    expect(id("GET", "/repos/a/b")).toBe("repoGet");
    expect(id("DELETE", "/repos/a/b/branches/release/1")).toBe("repoDeleteBranch");
    expect(id("GET", "/nowhere")).toBeUndefined();
  });

  test("checks a response by its request", () => {
    expect(answerDifferences("GET", "/repos/a/b/branches/main", 200, branch)).toEqual([]);
    expect(answerDifferences("GET", "/repos/a/b/branches", 200, [{ ...branch, protected: null }])).toEqual(["repoListBranches: $[0].protected: null"]);
    expect(answerDifferences("GET", "/topics/search", 200, { topics: [{}] })).toHaveLength(5);
    expect(answerDifferences("GET", "/nowhere", 200, { x: 1 })).toEqual([]);
  });
});

describe.skipIf(!hasSamples)(`recorded answers have the shapes of the contract${hasSamples ? "" : " (skipped: the samples are not here)"}`, () => {
  const recorded: Readonly<Record<string, string>> = {
    "access-token": "AccessToken",
    "annotated-tag": "AnnotatedTag",
    blob: "GitBlobResponse",
    "blob-lfs": "GitBlobResponse",
    branch: "Branch",
    "commit-single": "Commit",
    compare: "Compare",
    "contents-dir": "[]ContentsResponse",
    "contents-ext": "ContentsExtResponse",
    "contents-file": "ContentsResponse",
    "contents-lfs": "ContentsResponse",
    "contents-submodule": "ContentsResponse",
    "contents-symlink": "ContentsResponse",
    "file-delete-response": "FileDeleteResponse",
    "file-response": "FileResponse",
    "label-template": "[]LabelTemplate",
    note: "Note",
    organization: "Organization",
    refs: "[]Reference",
    "repo-empty": "Repository",
    "repo-fork": "Repository",
    "repo-permission": "RepoCollaboratorPermission",
    "repo-private": "Repository",
    "repo-public": "Repository",
    tag: "Tag",
    team: "Team",
    tree: "GitTreeResponse",
    "user-other": "User",
    "user-self": "User",
    "verification-signed": "PayloadCommitVerification",
  };

  /** Samples contain repeated parts once and mark the other places: `"<User bob>"`. */
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, whole(member)]));
    if (typeof value !== "string" || !value.startsWith("<")) return value;
    if (value.startsWith("<User")) return sample("user-other");
    if (value.startsWith("<Repository")) return sample("repo-public");
    if (value.startsWith("<Commit")) return whole(sample("commit-single"));
    return value;
  };

  test.each(Object.entries(recorded))("%s is a %s", (name, type) => {
    expect(readdirSync(samples)).toContain(`${name}.json`);
    expect(differences(whole(sample(name)), type)).toEqual([]);
  });
});
