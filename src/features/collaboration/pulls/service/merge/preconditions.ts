import { type Actor, isUser } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { BranchRight } from "../../../../repositories/protections/service/guard.ts";
import { isDraftTitle } from "../../../issues/draft.ts";
import type { Requirement, RequirementCode } from "../../mergeability.ts";
import type { FoundPull } from "../../model.ts";
import type { BuiltStyle } from "./build.ts";

/** A pull request that a viewer merges or could merge. */
export interface MergeCandidate {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly pull: FoundPull;
  readonly style: BuiltStyle;
  /** Head that the viewer has seen; empty or undefined: any. */
  readonly expectedHeadOid?: string;
}

export interface MergePreconditions {
  readonly candidate: Pick<MergeCandidate, "actor" | "repository" | "pull">;
  readonly right: BranchRight;
}

export interface Condition {
  readonly code: RequirementCode;
  readonly isMet: boolean;
  readonly problem: string;
  readonly items?: readonly string[];
  readonly unreported?: readonly string[];
  readonly count?: NonNullable<Requirement["count"]>;
  readonly uncounted?: NonNullable<Requirement["uncounted"]>;
  readonly override?: Requirement["override"];
}

export const requirement = ({ override = "none", items = [], ...condition }: Condition): Requirement => ({ ...condition, override, items });

/** Requirements that depend neither on objects nor on the rule of the base branch. */
export function evaluatePreconditions({ candidate, right }: MergePreconditions): readonly Requirement[] {
  const { actor, repository, pull } = candidate;
  return [
    requirement({ code: "unarchived", isMet: !repository.isArchived, problem: `${repository.fullName} is archived` }),
    requirement({ code: "unmerged", isMet: pull.merged === null, problem: "The PR is already merged" }),
    requirement({ code: "open", isMet: !pull.isClosed, problem: "not found" }),
    requirement({ code: "right", isMet: right.canMerge && isUser(actor), problem: "User not allowed to merge PR" }),
    requirement({ code: "ready-for-review", isMet: !isDraftTitle(pull.issue.title), problem: "Work in progress PRs cannot be merged" }),
  ];
}
