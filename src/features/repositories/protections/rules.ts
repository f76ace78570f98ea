import { RE2JS } from "re2js";
import { expressionSize, maxExpressionSize } from "../../../core/expression-size.ts";
import { type Glob, isPlainText, matchAny, parseGlob } from "../../../core/glob.ts";

/** The settings of a branch rule. Its lists of users and teams are separate rows. */
export interface BranchRuleSettings {
  /** Unless set, no one can push to the branch, including owners and administrators. */
  readonly canPush: boolean;
  /** Restricts pushes to the listed users. */
  readonly hasPushList: boolean;
  readonly letsDeployKeysPush: boolean;
  readonly canForcePush: boolean;
  readonly hasForcePushList: boolean;
  readonly letsDeployKeysForcePush: boolean;
  readonly hasMergeList: boolean;
  readonly hasStatusChecks: boolean;
  /** Patterns of contexts; null if never set. */
  readonly statusContexts: readonly string[] | null;
  readonly requiredApprovals: number;
  readonly hasApprovalList: boolean;
  readonly blocksOnRejection: boolean;
  readonly blocksOnReviewRequests: boolean;
  readonly blocksOnOutdated: boolean;
  readonly dismissesStaleApprovals: boolean;
  readonly ignoresStaleApprovals: boolean;
  readonly requiresSignatures: boolean;
  /** Semicolon-separated patterns of files that cannot be changed by a push. */
  readonly protectedFiles: string;
  /** Semicolon-separated patterns of files that writers can change without push permission. */
  readonly unprotectedFiles: string;
  readonly blocksAdminOverride: boolean;
}

export const defaultSettings: BranchRuleSettings = {
  canPush: false,
  hasPushList: false,
  letsDeployKeysPush: false,
  canForcePush: false,
  hasForcePushList: false,
  letsDeployKeysForcePush: false,
  hasMergeList: false,
  hasStatusChecks: false,
  statusContexts: null,
  requiredApprovals: 0,
  hasApprovalList: false,
  blocksOnRejection: false,
  blocksOnReviewRequests: false,
  blocksOnOutdated: false,
  dismissesStaleApprovals: false,
  ignoresStaleApprovals: false,
  requiresSignatures: false,
  protectedFiles: "",
  unprotectedFiles: "",
  blocksAdminOverride: false,
};

/** Disables settings that depend on a disabled one, such as a push list without push. */
export function settled(settings: BranchRuleSettings): BranchRuleSettings {
  const hasPushList = settings.canPush && settings.hasPushList;
  const canForcePush = settings.canPush && settings.canForcePush;
  const hasForcePushList = canForcePush && settings.hasForcePushList;
  return {
    ...settings,
    hasPushList,
    letsDeployKeysPush: hasPushList && settings.letsDeployKeysPush,
    canForcePush,
    hasForcePushList,
    letsDeployKeysForcePush: hasForcePushList && settings.letsDeployKeysForcePush,
  };
}

export interface BranchRule {
  readonly id: number;
  readonly pattern: string;
  readonly priority: number;
  readonly settings: BranchRuleSettings;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface TagRule {
  readonly id: number;
  readonly pattern: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Whether a branch rule is for one name instead of a pattern. */
export const isPlain = ({ pattern }: { readonly pattern: string }): boolean => isPlainText(pattern);

const branchGlob = (pattern: string): Glob | undefined => parseGlob(pattern, { separators: "/", ignoresCase: true });

/** Whether a string is a valid pattern for a rule. */
export const isBranchPattern = (text: string): boolean => isPlainText(text) || branchGlob(text) !== undefined;

/** The rule that applies to a branch: the lowest priority number first, then an exact name, then the oldest. */
export function ruleForBranch(rules: readonly BranchRule[], branch: string): BranchRule | undefined {
  const fits = (rule: BranchRule): boolean => (isPlain(rule) ? rule.pattern.toLowerCase() === branch.toLowerCase() : globOf(rule)?.matches(branch) === true);
  return inOrder(rules).find(fits);
}

/** The pattern of each loaded rule, compiled once: a page checks many branches. */
const globs = new WeakMap<BranchRule, Glob | undefined>();
function globOf(rule: BranchRule): Glob | undefined {
  if (!globs.has(rule)) globs.set(rule, branchGlob(rule.pattern));
  return globs.get(rule);
}

/** In order of precedence: the first matching rule applies. */
export const inOrder = (rules: readonly BranchRule[]): BranchRule[] =>
  [...rules].sort((a, b) => a.priority - b.priority || Number(isPlain(b)) - Number(isPlain(a)) || a.createdMs - b.createdMs || a.id - b.id);

/** A compiled tag rule. */
export interface TagMatcher extends TagRule {
  readonly matches: (tag: string) => boolean;
}

/**
 * Compiles a pattern: `/^v\d+$/` is a regular expression (RE2, linear time), everything else a case-insensitive glob.
 * @returns undefined for an invalid pattern
 */
function tagMatcher(pattern: string): TagMatcher["matches"] | undefined {
  if (pattern.length < 2 || !pattern.startsWith("/") || !pattern.endsWith("/")) {
    const glob = parseGlob(pattern, { separators: "", ignoresCase: true });
    return glob && ((tag) => glob.matches(tag));
  }
  if (expressionSize(pattern) > maxExpressionSize) return undefined;
  try {
    const expression = RE2JS.compile(pattern.slice(1, -1));
    return (tag) => expression.matcher(tag).find();
  } catch {
    return undefined;
  }
}

export const isTagPattern = (text: string): boolean => tagMatcher(text) !== undefined;

export const openTagRules = (rules: readonly TagRule[]): readonly TagMatcher[] =>
  rules.map((rule) => ({ ...rule, matches: tagMatcher(rule.pattern) ?? (() => false) }));

/** Compiles a semicolon-separated list of case-insensitive file patterns. Invalid patterns match nothing. */
export function fileMatcher(patterns: string): ((path: string) => boolean) | undefined {
  const globs = patterns
    .split(";")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "")
    .flatMap((pattern) => parseGlob(pattern, { separators: "./", ignoresCase: true }) ?? []);
  return globs.length === 0 ? undefined : matchAny(globs);
}
