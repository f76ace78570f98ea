import { describe, expect, test } from "vitest";
import { checkCommand, checkTarget } from "./push-policy.ts";

const oid = "1".repeat(40);

/** The repository data that the policy needs. */
const repository = (right: "read" | "write") => ({ defaultBranch: "main", mayWrite: right === "write" });
const create = (name: string) => checkCommand(repository("write"), { name, oldOid: null, newOid: oid });
const remove = (name: string) => checkCommand(repository("write"), { name, oldOid: oid, newOid: null });

describe("the policy of pushes", () => {
  test.each(["refs/heads/x", "refs/heads/feat/ure", "refs/tags/v1.0", "refs/notes/commits", "refs/custom/anything", "refs/heads/ünï", "refs/heads/0123abc"])(
    "allows creating %s",
    (name) => expect(create(name)).toBeUndefined(),
  );

  test.each([
    ["HEAD", "funny refname"],
    ["main", "funny refname"],
    ["refs", "funny refname"],
    ["refs/heads", "funny refname"],
    ["refs/heads/", "funny refname"],
    ["refs/heads/HEAD", "funny refname"],
    ["refs/heads/@", "funny refname"],
    [`refs/heads/${oid}`, "funny refname"],
    [`refs/tags/${"a".repeat(64)}`, "funny refname"],
    ["refs/heads/-x", "funny refname"],
    ["refs/heads/--output=/tmp/pwned", "funny refname"],
    ["refs/heads/refs/heads/x", "funny refname"],
    ["refs/heads/a..b", "funny refname"],
    ["refs/heads/a.lock", "funny refname"],
    ["refs/heads/.a", "funny refname"],
    ["refs/heads/a\u0007b", "funny refname"],
    ["refs/heads/../../config", "funny refname"],
    [`refs/heads/${"x".repeat(300)}`, "funny refname"],
    ["refs/pull/1/head", "pre-receive hook declined"],
    ["refs/hearth/keep/1", "pre-receive hook declined"],
    ["refs/for/main", "pre-receive hook declined"],
  ])("rejects creating %s", (name, refusal) => {
    const refused = create(name);
    expect(refused?.refusal).toBe(refusal);
    expect(refused?.message).not.toBe("");
  });

  test("allows deleting every ref except the default branch and the server's refs", () => {
    expect(remove("refs/heads/other")).toBeUndefined();
    expect(remove("refs/tags/main")).toBeUndefined();
    expect(remove("refs/heads/main")?.message).toBe("branch main is the default branch and cannot be deleted");
    expect(remove("refs/pull/1/head")?.refusal).toBe("pre-receive hook declined");
  });

  test("allows no moves with read access only", () => {
    for (const newOid of [oid, null]) {
      expect(checkCommand(repository("read"), { name: "refs/heads/x", oldOid: null, newOid })?.message).toBe("User permission denied for writing.");
    }
  });

  test("requires a branch to point to a commit, and allows any object for a tag", () => {
    const to = (name: string, type: Parameters<typeof checkTarget>[1]) => checkTarget({ name, oldOid: null, newOid: oid }, type)?.refusal;
    expect(to("refs/heads/x", "commit")).toBeUndefined();
    for (const type of ["blob", "tree", "tag"] as const) {
      expect(to("refs/heads/x", type)).toBe("cannot update ref to a non-commit object");
      expect(to("refs/tags/x", type)).toBeUndefined();
    }
    expect(to("refs/tags/x", undefined)).toBe("missing necessary objects");
    expect(checkTarget({ name: "refs/heads/x", oldOid: oid, newOid: null }, undefined)).toBeUndefined();
  });
});
