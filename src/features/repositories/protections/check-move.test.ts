import { describe, expect, test } from "vitest";
import { type CheckedMove, checkMove, type MoveInputs, type Mover, type Protections, type Purpose } from "./check-move.ts";
import { type BranchRule, type BranchRuleSettings, defaultSettings, fileMatcher, isTagPattern, openTagRules, ruleForBranch, settled } from "./rules.ts";

const rule = (pattern: string, settings: Partial<BranchRuleSettings> = {}, more: Partial<BranchRule> = {}): BranchRule => ({
  id: 1,
  pattern,
  priority: 1,
  settings: { ...defaultSettings, ...settings },
  createdMs: 0,
  updatedMs: 0,
  ...more,
});
const protections = async (branches: readonly BranchRule[], tags: readonly string[] = [], listed: readonly string[] = []): Promise<Protections> => ({
  branches,
  tags: openTagRules(tags.map((pattern, id) => ({ id, pattern, createdMs: 0, updatedMs: 0 }))),
  isListed: (id, list) => listed.includes(`${id} ${list}`),
});

const somebody: Mover = { kind: "user", id: 7, isRepositoryAdmin: false };
const owner: Mover = { kind: "user", id: 1, isRepositoryAdmin: true };
const key: Mover = { kind: "deploy-key", deployKeyId: 3 };
const [oldOid, newOid] = ["1".repeat(40), "2".repeat(40)];
const moved: CheckedMove = { name: "refs/heads/main", oldOid, newOid };
const made: CheckedMove = { ...moved, oldOid: null };
const gone: CheckedMove = { ...moved, newOid: null };
const onward: MoveInputs = { isForced: false, changedPaths: ["src/a.ts"], unverifiedOid: null };
const back: MoveInputs = { ...onward, isForced: true };

interface Case {
  readonly name: string;
  readonly settings: Partial<BranchRuleSettings>;
  readonly listed?: readonly string[];
  readonly mover?: Mover;
  readonly purpose?: Purpose;
  readonly move?: CheckedMove;
  readonly inputs?: MoveInputs;
  readonly refusal?: string;
}

const notAllowed = "Not allowed to push to protected branch main";
const cases: readonly Case[] = [
  { name: "a bare rule is against everybody's push, the owner's too", settings: {}, mover: owner, refusal: notAllowed },
  { name: "making the branch is a push", settings: {}, move: made, inputs: { changedPaths: [] }, refusal: notAllowed },
  { name: "who may write pushes where pushing is on", settings: { canPush: true } },
  { name: "a list lets those through whom it has", settings: { canPush: true, hasPushList: true }, listed: ["1 push"] },
  { name: "and nobody else", settings: { canPush: true, hasPushList: true }, refusal: notAllowed },
  { name: "nobody deletes it", settings: { canPush: true }, mover: owner, move: gone, refusal: "branch main is protected from deletion" },
  { name: "nor forces it", settings: { canPush: true }, inputs: back, refusal: "branch main is protected from force push" },
  { name: "unless forcing is on", settings: { canPush: true, canForcePush: true }, inputs: back },
  {
    name: "for those on its list",
    settings: { canPush: true, canForcePush: true, hasForcePushList: true },
    listed: ["1 push"],
    inputs: back,
    refusal: notAllowed,
  },
  { name: "and for these", settings: { canPush: true, canForcePush: true, hasForcePushList: true }, listed: ["1 force_push"], inputs: back },
  { name: "a deploy key pushes where everybody may", settings: { canPush: true }, mover: key },
  { name: "not where there is a list", settings: { canPush: true, hasPushList: true }, mover: key, refusal: notAllowed },
  { name: "unless the list has deploy keys", settings: { canPush: true, hasPushList: true, letsDeployKeysPush: true }, mover: key },
  {
    name: "a protected file is nobody's to change",
    settings: { canPush: true, protectedFiles: "docs/**; src/*.ts" },
    mover: owner,
    refusal: "branch main is protected from changing file src/a.ts",
  },
  { name: "other files are", settings: { canPush: true, protectedFiles: "docs/**" } },
  { name: "unprotected files are everybody's", settings: { unprotectedFiles: "src/*.TS" } },
  { name: "but not together with others", settings: { unprotectedFiles: "docs/**" }, refusal: notAllowed },
  { name: "nor by force", settings: { unprotectedFiles: "src/**" }, inputs: back, refusal: "branch main is protected from force push" },
  {
    name: "what is not signed stays out",
    settings: { canPush: true, requiresSignatures: true },
    inputs: { ...onward, unverifiedOid: newOid },
    refusal: `branch main is protected from unverified commit ${newOid}`,
  },
  { name: "and what is comes in", settings: { canPush: true, requiresSignatures: true } },
  {
    name: "what a rule needs to know and nobody has looked up is refused",
    settings: { canPush: true, requiresSignatures: true },
    inputs: { isForced: false },
    refusal: "the protection of branch main changed concurrently: try again",
  },
  { name: "a merge is no push", settings: {}, purpose: "merge" },
  { name: "and has a list of its own", settings: { hasMergeList: true }, purpose: "merge", refusal: "Not allowed to merge into protected branch main" },
  { name: "of those who merge", settings: { hasMergeList: true }, purpose: "merge", listed: ["1 merge"] },
  {
    name: "renaming is for administrators",
    settings: {},
    purpose: "rename",
    move: gone,
    refusal: "User must be a repo or site admin to rename default or protected branches.",
  },
  { name: "who may", settings: {}, purpose: "rename", mover: owner, move: gone },
  { name: "the server is not judged", settings: {}, mover: { kind: "server" } },
];

describe("branch rule", () => {
  test.each(cases)("$name", async ({ settings, listed = [], mover = somebody, purpose = "write", move = moved, inputs = onward, refusal }) => {
    expect(checkMove(await protections([rule("main", settings)], [], listed), mover, purpose, move, inputs)?.message).toBe(refusal);
  });

  test("applies only to branches that match its pattern", async () => {
    const rules = await protections([rule("rel/*")]);
    const refs = ["refs/heads/rel/1", "refs/heads/REL/1", "refs/heads/rel/1/2", "refs/heads/main", "refs/tags/rel/1", "refs/notes/rel/1"];
    expect(refs.map((name) => checkMove(rules, owner, "write", { ...moved, name }, onward) !== undefined)).toEqual([true, true, false, false, false, false]);
  });

  test("a glob rule rejects renaming a branch out of it or into it", async () => {
    const refusals: (string | undefined)[] = [];
    for (const move of [gone, made]) refusals.push(checkMove(await protections([rule("ma*")]), owner, "rename", move, {})?.message);
    expect(refusals).toEqual(Array(2).fill("Branch is protected by glob-based protection rules."));
  });

  test("the applicable rule is chosen by priority, then by exact name, then by age", () => {
    const find = (...rules: BranchRule[]): number | undefined => ruleForBranch(rules, "rel/1")?.id;
    expect(find(rule("**", {}, { id: 1, priority: 2 }), rule("rel/*", {}, { id: 2, priority: 1 }))).toBe(2);
    expect(find(rule("rel/*", {}, { id: 1 }), rule("rel/1", {}, { id: 2 }))).toBe(2);
    expect(find(rule("rel/*", {}, { id: 1, createdMs: 9 }), rule("rel/?", {}, { id: 2, createdMs: 3 }))).toBe(2);
    expect(find(rule("main"))).toBeUndefined();
  });

  test("settings that depend on a disabled one are disabled, too", () => {
    const all = { ...defaultSettings, hasPushList: true, letsDeployKeysPush: true, canForcePush: true, hasForcePushList: true, letsDeployKeysForcePush: true };
    expect(settled(all)).toEqual(defaultSettings);
    expect(settled({ ...all, canPush: true })).toEqual({ ...all, canPush: true });
  });
});

describe("tag rule", () => {
  const judge = async (tag: string, patterns: readonly string[], listed: readonly string[] = [], mover: Mover = somebody): Promise<string | undefined> =>
    checkMove(await protections([], patterns, listed), mover, "write", { name: `refs/tags/${tag}`, oldOid: null, newOid }, {})?.message;

  test("permits users whom any matching rule lists", async () => {
    expect(await judge("v1", ["v*"])).toBe("Tag v1 is protected");
    expect(await judge("v1", ["v*"], ["0 tag"])).toBeUndefined();
    expect(await judge("v1", ["v*", "/^v\\d$/"], ["1 tag"])).toBeUndefined();
    expect(await judge("v1", ["x*", "/^v\\d$/"], ["0 tag"])).toBe("Tag v1 is protected");
    expect(await judge("v1", ["v*"], ["0 tag"], key)).toBe("Tag v1 is protected");
    expect(await judge("w1", ["v*"])).toBeUndefined();
  });

  test("is a glob, or a regular expression that runs in linear time", async () => {
    expect(await Promise.all(["v*", "/^v/", "/(/", "[", "/a(?=b)/", "/"].map(isTagPattern))).toEqual([true, true, false, false, false, true]);
    expect(await judge("a".repeat(5_000), ["/^(a*)*b$/"])).toBeUndefined();
  });
});

test("file patterns are separated by semicolons, and invalid ones match nothing", () => {
  expect(fileMatcher(" ; ")).toBeUndefined();
  expect(fileMatcher("[")).toBeUndefined();
  expect(["README.md", "docs/x.md", "a/b/c.ts"].map((path) => fileMatcher("*.md; a/**; [")?.(path))).toEqual([true, false, true]);
});
