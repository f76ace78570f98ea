/**
 * Reasons of errors that pages explain in the reader's language. Messages are for programs and stay as the contract has them; pages show the
 * text of the reason (`ui/texts/forms`), and the message of an error without one.
 */

/** Reasons whose text contains values. */
export interface ReasonValues {
  readonly too_long: { readonly max: number };
  readonly too_many_items: { readonly max: number };
  readonly invalid_choice: { readonly values: readonly string[] };
  readonly password_too_short: { readonly min: number };
  readonly password_too_long: { readonly max: number };
}

/** All other reasons. */
export const plainReasons = [
  "account_not_found",
  "already_merged",
  "approvals_missing",
  "base_deleted",
  "branch_exists",
  "branch_not_merged",
  "cannot_block",
  "cannot_create_in_organization",
  "changed_meanwhile",
  "changes_requested",
  "checks_missing",
  "comment_required",
  "cross_site_request",
  "diff_too_large",
  "email_domain_not_allowed",
  "email_sent_recently",
  "email_taken",
  "form_expired",
  "gpg_no_matching_email",
  "gpg_signature_mismatch",
  "gpg_unreadable",
  "head_gone",
  "head_moved",
  "head_outdated",
  "interval_too_short",
  "invalid_duration",
  "invalid_email",
  "invalid_redirect_uri",
  "invalid_ref_name",
  "invalid_topics",
  "invalid_url",
  "invalid_username",
  "issue_not_found",
  "key_in_use",
  "last_administrator",
  "last_owner",
  "lines_changed",
  "link_expired",
  "markers_left",
  "merge_conflict",
  "merge_not_allowed",
  "merge_style_not_allowed",
  "name_characters",
  "name_mismatch",
  "name_reserved",
  "name_taken",
  "no_changes",
  "no_signing_key",
  "not_fast_forward",
  "nothing_to_merge",
  "open_dependencies",
  "own_review",
  "owns_repositories",
  "passwords_differ",
  "protected_files_changed",
  "pull_exists",
  "pull_is_draft",
  "release_changed",
  "release_exists",
  "repository_archived",
  "repository_empty",
  "repository_exists",
  "required",
  "review_requests_pending",
  "review_text_required",
  "reviewer_not_allowed",
  "rule_allows_nobody",
  "rule_exists",
  "rules_changed",
  "tag_exists",
  "tag_has_release",
  "tag_protected",
  "target_not_found",
  "team_exists",
  "team_not_found",
  "too_many_attempts",
  "too_many_files",
  "too_many_topics",
  "transfer_pending",
  "unrelated_histories",
  "unsigned_commit",
  "user_blocked",
  "user_not_found",
  "version_missing",
  "wrong_code",
] as const;

export type PlainReason = (typeof plainReasons)[number];

/** A stable code, with the values that its text contains. */
export type Reason = PlainReason | { readonly [C in keyof ReasonValues]: { readonly code: C } & ReasonValues[C] }[keyof ReasonValues];

/** An error that can be shown: its reason, and its message if it has none. */
export interface Explained {
  readonly message: string;
  readonly reason?: Reason | undefined;
}
