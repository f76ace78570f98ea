import type { Commit, ObjectType, Oid, Signature, Tag } from "../../../git/types.ts";
import type { SignatureVerdict } from "../../accounts/keys/model.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { BranchRule } from "../protections/rules.ts";

/** The tip commit of a branch, with the usernames of its author and committer; empty if they have no account here. */
export interface TipView {
  readonly commit: Commit;
  /** Undefined for an unsigned commit. */
  readonly verdict: SignatureVerdict | undefined;
  readonly authorUsername: string;
  readonly committerUsername: string;
}

export interface BranchView {
  readonly name: string;
  readonly tip: TipView;
  /** The protection rule that applies. */
  readonly rule: BranchRule | undefined;
  readonly canPush: boolean;
  readonly canMerge: boolean;
  /** Whether the caller can see the name of the rule, which requires admin permission. */
  readonly showsRules: boolean;
}

export interface TagView {
  readonly name: string;
  /** The tag object, or the target of a lightweight tag. */
  readonly oid: Oid;
  /** The peeled target, usually a commit. */
  readonly targetOid: Oid;
  /** The message of the tag object, otherwise that of the commit. */
  readonly message: string;
  /** The tagger, otherwise the committer; undefined if neither is known. */
  readonly tagger: Signature | undefined;
}

export interface ReferenceView {
  readonly name: string;
  readonly oid: Oid;
  readonly type: ObjectType;
}

/** A deleted branch that can still be restored. */
export interface DeletedBranch {
  readonly id: number;
  readonly repoId: number;
  readonly storeId: number;
  readonly name: string;
  readonly oid: Oid;
  /** Null if the deleter has no account on this server. */
  readonly deleterId: number | null;
  readonly deletedMs: number;
}

export interface DeletedBranchView extends DeletedBranch {
  readonly deleter: UserView | undefined;
  /** Expiry time. Further deletions can remove the branch earlier. */
  readonly untilMs: number;
}

export interface AnnotatedTagView extends Tag {
  /** Undefined for an unsigned tag. */
  readonly verdict: SignatureVerdict | undefined;
}
