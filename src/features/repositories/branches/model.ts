import type { Commit, ObjectType, Oid, Signature, Tag } from "../../../git/types.ts";
import type { SignatureVerdict } from "../../accounts/keys/model.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { BranchRule } from "../protections/rules.ts";

/** The commit that a branch leads to, with the names that its people have here; empty for somebody from elsewhere. */
export interface TipView {
  readonly commit: Commit;
  /** Undefined for a commit that is not signed. */
  readonly verdict: SignatureVerdict | undefined;
  readonly authorUsername: string;
  readonly committerUsername: string;
}

export interface BranchView {
  readonly name: string;
  readonly tip: TipView;
  /** What it is protected by. */
  readonly rule: BranchRule | undefined;
  readonly canPush: boolean;
  readonly canMerge: boolean;
  /** Whether the caller may know which rule it is: who administers the repository. */
  readonly showsRules: boolean;
}

export interface TagView {
  readonly name: string;
  /** The tag object, or what a lightweight tag points to. */
  readonly oid: Oid;
  /** What it leads to in the end, a commit unless somebody tagged something else. */
  readonly targetOid: Oid;
  /** Of the tag object, else of the commit. */
  readonly message: string;
  /** Who tagged, else who committed; undefined where neither is known. */
  readonly tagger: Signature | undefined;
}

export interface ReferenceView {
  readonly name: string;
  readonly oid: Oid;
  readonly type: ObjectType;
}

/** A branch that somebody has deleted and that can be brought back. */
export interface DeletedBranch {
  readonly id: number;
  readonly repoId: number;
  readonly storeId: number;
  readonly name: string;
  readonly oid: Oid;
  /** Null: nobody of this server. */
  readonly deleterId: number | null;
  readonly deletedMs: number;
}

export interface DeletedBranchView extends DeletedBranch {
  readonly deleter: UserView | undefined;
  /** It is kept until then, unless many more are deleted. */
  readonly untilMs: number;
}

/** A tag object, shown by its id. */
export interface AnnotatedTagView extends Tag {
  /** Undefined for a tag that is not signed. */
  readonly verdict: SignatureVerdict | undefined;
}
