import type { Commit } from "../../git/types.ts";
import type { UserView } from "../users/view.ts";
import type { Verification } from "./verification.ts";

/** A commit with the users behind its addresses, as somebody sees them, and what is known of its signature. */
export interface SignedCommit {
  readonly commit: Commit;
  /** Undefined when the address is nobody's here, or the user hides from the caller. */
  readonly author: UserView | undefined;
  readonly committer: UserView | undefined;
  readonly verification: Verification;
}
