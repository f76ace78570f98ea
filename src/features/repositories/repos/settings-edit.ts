import { invalid } from "../../../core/errors.ts";
import { isWebUrl } from "../../../core/urls.ts";
import type { MergeStyle, RepositorySettings } from "./settings.ts";

/** Changes to a repository's settings; null fields are unchanged. */
export type SettingsEdit = { readonly [Name in keyof Omit<RepositorySettings, "defaultMergeStyle">]: RepositorySettings[Name] | null } & {
  /** Empty: unchanged. */
  readonly defaultMergeStyle: string | null;
};

/** Settings that need no validation. */
const plain = [
  "hasCode",
  "hasPullRequests",
  "hasProjects",
  "projectsMode",
  "hasReleases",
  "hasPackages",
  "hasActions",
  "ignoreWhitespaceConflicts",
  "allowMergeCommits",
  "allowRebase",
  "allowRebaseExplicit",
  "allowSquashMerge",
  "allowFastForwardOnlyMerge",
  "allowRebaseUpdate",
  "allowManualMerge",
  "autodetectManualMerge",
  "defaultDeleteBranchAfterMerge",
  "defaultAllowMaintainerEdit",
] as const satisfies readonly (keyof SettingsEdit)[];

const mergeStyles: readonly MergeStyle[] = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only", "manually-merged"];

/**
 * Applies an edit to settings.
 * @throws ForgeError `invalid` for invalid URLs and unknown merge styles
 */
export function applySettings(settings: RepositorySettings, edit: SettingsEdit): RepositorySettings {
  const changes = Object.fromEntries(plain.flatMap((name) => (edit[name] === null ? [] : [[name, edit[name]]]))) as Partial<RepositorySettings>;
  return {
    ...settings,
    ...changes,
    ...applyTracker(settings, edit),
    ...applyWiki(settings, edit),
    defaultMergeStyle: edit.defaultMergeStyle ? readMergeStyle(edit.defaultMergeStyle) : settings.defaultMergeStyle,
  };
}

function readMergeStyle(wanted: string): MergeStyle {
  const style = mergeStyles.find((one) => one === wanted);
  if (style === undefined) throw invalid("[DefaultMergeStyle]: In", { reason: { code: "invalid_choice", values: mergeStyles } });
  return style;
}

/**
 * @compat enabling issues without an external tracker restores the internal one; an edit without issue fields keeps an external one
 * (repos/settings-edit.test.ts)
 */
function applyTracker(settings: RepositorySettings, edit: SettingsEdit): Pick<RepositorySettings, "hasIssues" | "externalTracker" | "internalTracker"> {
  const { hasIssues, externalTracker, internalTracker } = settings;
  const isInternal = hasIssues && externalTracker === null;
  if (edit.hasIssues === false) return { hasIssues: false, externalTracker: null, internalTracker };
  if (edit.hasIssues === null && !isInternal) return { hasIssues, externalTracker, internalTracker };
  if (edit.externalTracker !== null) return { hasIssues: true, externalTracker: checkTracker(edit.externalTracker), internalTracker };
  return { hasIssues: true, externalTracker: null, internalTracker: edit.internalTracker ?? internalTracker };
}

/** As {@link applyTracker}, for the wiki. */
function applyWiki(settings: RepositorySettings, edit: SettingsEdit): Pick<RepositorySettings, "hasWiki" | "externalWikiUrl"> {
  const { hasWiki, externalWikiUrl } = settings;
  const isInternal = hasWiki && externalWikiUrl === null;
  if (edit.hasWiki === false) return { hasWiki: false, externalWikiUrl: null };
  if (edit.hasWiki === null && !isInternal) return { hasWiki, externalWikiUrl };
  if (edit.externalWikiUrl === null) return { hasWiki: true, externalWikiUrl: null };
  if (!isWebUrl(edit.externalWikiUrl)) throw invalid("Invalid external wiki URL", { reason: "invalid_url" });
  return { hasWiki: true, externalWikiUrl: edit.externalWikiUrl };
}

type ExternalTracker = NonNullable<RepositorySettings["externalTracker"]>;
const trackerStyles = ["", "numeric", "alphanumeric", "regexp"];

function checkTracker(tracker: ExternalTracker): ExternalTracker {
  if (!isWebUrl(tracker.url)) throw invalid("External tracker URL not valid", { reason: "invalid_url" });
  if (tracker.format !== "" && !isWebUrl(tracker.format.replace(/\{(?:user|repo|index)\}/g, "x")))
    throw invalid("External tracker URL format not valid", { reason: "invalid_url" });
  if (!trackerStyles.includes(tracker.style)) throw invalid(`External tracker style not valid: choose ${trackerStyles.slice(1).join(", ")}`);
  return tracker;
}
