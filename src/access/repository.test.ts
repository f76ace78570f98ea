import { describe, expect, test } from "vitest";
import { type Actor, anonymous } from "./actor.ts";
import { evaluateRepositoryRight, type Mode, type RepositoryRightInput } from "./repository.ts";
import { allScopes } from "./scopes.ts";

const somebody = (changes: object = {}): Actor => ({
  kind: "user",
  id: 7,
  name: "bob",
  fullName: "",
  email: "bob@example.com",
  hideEmail: false,
  isAdmin: false,
  isRestricted: false,
  credential: { kind: "password", scopes: allScopes, isBasic: true },
  ...changes,
});
const withPublicOnly = somebody({ credential: { kind: "token", scopes: { all: true, publicOnly: true, levels: new Map() }, isBasic: false } });

const limitedTo = (...ids: number[]): Actor =>
  somebody({ id: 1, credential: { kind: "token", scopes: allScopes, isBasic: false, limit: { tokenId: 5, repositoryIds: new Set(ids) } } });

const inputOf = (changes: Partial<RepositoryRightInput> = {}): RepositoryRightInput => ({
  id: 10,
  ownerId: 1,
  ownerVisibility: "public",
  isPrivate: false,
  collaboratorMode: "none",
  teamMode: "none",
  teamUnits: new Map(),
  isOrgMember: false,
  enabledUnits: new Set(["repo.code", "repo.issues"]),
  ...changes,
});

const deployKey: Actor = {
  kind: "deploy-key",
  keyId: 3,
  grants: new Map([
    [10, { deployKeyId: 1, title: "reads", mode: "read" }],
    [11, { deployKeyId: 2, title: "writes", mode: "write" }],
  ]),
};

const cases: readonly [string, Actor, RepositoryRightInput, Mode, Mode][] = [
  ["anybody reads a public repository", anonymous, inputOf(), "read", "read"],
  ["nobody sees a private one", anonymous, inputOf({ isPrivate: true }), "none", "none"],
  ["nor one of a limited owner without signing in", anonymous, inputOf({ ownerVisibility: "limited" }), "none", "none"],
  ["who has signed in sees one of a limited owner", somebody(), inputOf({ ownerVisibility: "limited" }), "read", "read"],
  ["a stranger does not see one of a private owner", somebody(), inputOf({ ownerVisibility: "private" }), "none", "none"],
  ["a member sees a public one of a private organization", somebody(), inputOf({ ownerVisibility: "private", isOrgMember: true }), "read", "read"],
  ["a member does not see a private one without a team", somebody(), inputOf({ isPrivate: true, isOrgMember: true }), "none", "none"],
  ["a restricted user needs to be given it", somebody({ isRestricted: true }), inputOf(), "none", "none"],
  ["a restricted collaborator has it", somebody({ isRestricted: true }), inputOf({ collaboratorMode: "read" }), "read", "read"],
  ["the owner owns it", somebody({ id: 1 }), inputOf({ isPrivate: true }), "owner", "owner"],
  ["an administrator owns all", somebody({ isAdmin: true }), inputOf({ isPrivate: true }), "owner", "owner"],
  ["a collaborator has his mode", somebody(), inputOf({ isPrivate: true, collaboratorMode: "write" }), "write", "write"],
  ["the owners team owns it", somebody(), inputOf({ isPrivate: true, teamMode: "owner", isOrgMember: true }), "owner", "owner"],
  ["a team writes its units only", somebody(), inputOf({ isPrivate: true, teamUnits: new Map([["repo.issues", "write"]]) }), "write", "none"],
  ["a unit that is off is off for the owner too", somebody({ id: 1 }), inputOf({ enabledUnits: new Set() }), "owner", "none"],
  ["a deploy key reads what it was given to read", deployKey, inputOf({ isPrivate: true }), "read", "read"],
  ["and writes what it was given to write", deployKey, inputOf({ id: 11, isPrivate: true }), "write", "write"],
  ["for a deploy key nothing else exists, not even what is public", deployKey, inputOf({ id: 12 }), "none", "none"],
  ["a public-only token sees nothing private, not even its owner's", { ...withPublicOnly, id: 1 } as Actor, inputOf({ isPrivate: true }), "none", "none"],
  ["a limited token has its owner's rights on what it names", limitedTo(10), inputOf({ isPrivate: true }), "owner", "owner"],
  ["and sees nothing else, public or its owner's", limitedTo(11), inputOf(), "none", "none"],
  ["not even where it names nothing any more", limitedTo(), inputOf(), "none", "none"],
  ["and has its owner's rights on what is public", { ...withPublicOnly, id: 1 } as Actor, inputOf(), "owner", "owner"],
];

describe("the right on a repository", () => {
  test.each(cases)("%s", (_name, actor, given, mode, code) => {
    const right = evaluateRepositoryRight(actor, given);
    expect({ mode: right.mode, code: right.unit("repo.code") }).toEqual({ mode, code });
  });
});
