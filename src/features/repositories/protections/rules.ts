import { expressionSize, maxExpressionSize } from "../../../core/expression-size.ts";
import { type Glob, isPlainText, parseGlob } from "../../../core/glob.ts";

/** What a rule for branches says. Lists of people are rows beside it. */
export interface BranchRuleSettings {
  /** Nobody pushes to the branch, owners and administrators included, unless this is set. */
  readonly canPush: boolean;
  /** Then only who is listed does. */
  readonly hasPushList: boolean;
  readonly letsDeployKeysPush: boolean;
  readonly canForcePush: boolean;
  readonly hasForcePushList: boolean;
  readonly letsDeployKeysForcePush: boolean;
  readonly hasMergeList: boolean;
  readonly hasStatusChecks: boolean;
  /** Patterns of contexts; null: never said. */
  readonly statusContexts: readonly string[] | null;
  readonly requiredApprovals: number;
  readonly hasApprovalList: boolean;
  readonly blocksOnRejection: boolean;
  readonly blocksOnReviewRequests: boolean;
  readonly blocksOnOutdated: boolean;
  readonly dismissesStaleApprovals: boolean;
  readonly ignoresStaleApprovals: boolean;
  readonly requiresSignatures: boolean;
  /** Patterns separated by semicolons, of files that nobody changes by a push. */
  readonly protectedFiles: string;
  /** And of files that whoever may write changes all the same. */
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

/** What follows from another switch is off with it: a list of who may push means nothing where nobody may. */
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

/** A branch rule for one name rather than for a pattern. */
export const isPlain = ({ pattern }: { readonly pattern: string }): boolean => isPlainText(pattern);

const branchGlob = (pattern: string): Glob | undefined => parseGlob(pattern, { separators: "/", ignoresCase: true });

/** Whether a text can be a rule's pattern. */
export const isBranchPattern = (text: string): boolean => isPlainText(text) || branchGlob(text) !== undefined;

/** The rule for a branch: that of the smallest priority, then one for its very name, then the oldest. */
export function ruleForBranch(rules: readonly BranchRule[], branch: string): BranchRule | undefined {
  const fits = (rule: BranchRule): boolean =>
    isPlain(rule) ? rule.pattern.toLowerCase() === branch.toLowerCase() : branchGlob(rule.pattern)?.matches(branch) === true;
  return inOrder(rules).find(fits);
}

/** As they count: the first that fits a branch is its rule. */
export const inOrder = (rules: readonly BranchRule[]): BranchRule[] =>
  [...rules].sort((a, b) => a.priority - b.priority || Number(isPlain(b)) - Number(isPlain(a)) || a.createdMs - b.createdMs || a.id - b.id);

/** A rule for tags that is ready to be asked. */
export interface TagMatcher extends TagRule {
  readonly matches: (tag: string) => boolean;
}

/**
 * `/^v\d+$/` is a regular expression (RE2's, matched in linear time), everything else a pattern that its case does not matter to.
 * The library is loaded where somebody uses an expression: few do.
 * @returns undefined for what is neither
 */
async function tagMatcher(pattern: string): Promise<TagMatcher["matches"] | undefined> {
  if (pattern.length < 2 || !pattern.startsWith("/") || !pattern.endsWith("/")) {
    const glob = parseGlob(pattern, { separators: "", ignoresCase: true });
    return glob && ((tag) => glob.matches(tag));
  }
  if (expressionSize(pattern) > maxExpressionSize) return undefined;
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(pattern.slice(1, -1));
    return (tag) => expression.matcher(tag).find();
  } catch {
    return undefined;
  }
}

export const isTagPattern = async (text: string): Promise<boolean> => (await tagMatcher(text)) !== undefined;

export const openTagRules = (rules: readonly TagRule[]): Promise<readonly TagMatcher[]> =>
  Promise.all(rules.map(async (rule) => ({ ...rule, matches: (await tagMatcher(rule.pattern)) ?? (() => false) })));

/** Patterns of files, as a rule lists them: apart by semicolons, whatever the case. What is no pattern fits nothing. */
export function fileMatcher(patterns: string): ((path: string) => boolean) | undefined {
  const globs = patterns
    .split(";")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "")
    .flatMap((pattern) => parseGlob(pattern, { separators: "./", ignoresCase: true }) ?? []);
  return globs.length === 0 ? undefined : (path) => globs.some((glob) => glob.matches(path));
}
