import { describe, expect, test } from "vitest";
import { defaultSettings, type RepositorySettings } from "./settings.ts";
import { applySettings, type SettingsEdit } from "./settings-edit.ts";

const nothing = Object.fromEntries(Object.keys(defaultSettings).map((name) => [name, null])) as unknown as SettingsEdit;
const edit = (settings: RepositorySettings, wishes: Partial<SettingsEdit>): RepositorySettings => applySettings(settings, { ...nothing, ...wishes });

const tracker = { url: "https://t.example.org", format: "https://t.example.org/{user}/{repo}/{index}", style: "numeric", regexpPattern: "" };
const external = edit(defaultSettings, { hasIssues: true, externalTracker: tracker });

describe("editing settings", () => {
  test("null fields are unchanged", () => {
    expect(edit(defaultSettings, {})).toEqual(defaultSettings);
    expect(edit(external, {})).toEqual(external);
  });

  test("each switch changes only its own setting", () => {
    const switches = Object.keys(defaultSettings).filter((name) => typeof defaultSettings[name as keyof RepositorySettings] === "boolean");
    expect(switches).toHaveLength(19);
    for (const name of switches) {
      const value = !defaultSettings[name as keyof RepositorySettings];
      expect(edit(defaultSettings, { [name]: value })).toEqual({ ...defaultSettings, [name]: value });
    }
  });

  test("issues can be internal, external or disabled", () => {
    expect(external).toMatchObject({ hasIssues: true, externalTracker: tracker });
    expect(edit(external, { hasWiki: false })).toMatchObject({ hasIssues: true, externalTracker: tracker });
    expect(edit(external, { hasIssues: true })).toMatchObject({ hasIssues: true, externalTracker: null });
    expect(edit(external, { hasIssues: false })).toMatchObject({ hasIssues: false, externalTracker: null });
    expect(edit(defaultSettings, { externalTracker: tracker })).toMatchObject({ externalTracker: tracker });
    const internalTracker = { enableTimeTracker: false, allowOnlyContributorsToTrackTime: false, enableIssueDependencies: false };
    expect(edit(defaultSettings, { internalTracker })).toMatchObject({ internalTracker });
  });

  test("the wiki can be internal, external or disabled", () => {
    const elsewhere = edit(defaultSettings, { hasWiki: true, externalWikiUrl: "https://w.example.org" });
    expect(elsewhere).toMatchObject({ hasWiki: true, externalWikiUrl: "https://w.example.org" });
    expect(edit(elsewhere, { hasCode: false })).toMatchObject({ externalWikiUrl: "https://w.example.org" });
    expect(edit(elsewhere, { hasWiki: true })).toMatchObject({ hasWiki: true, externalWikiUrl: null });
    expect(edit(elsewhere, { hasWiki: false })).toMatchObject({ hasWiki: false, externalWikiUrl: null });
  });

  test("an unknown merge style is rejected", () => {
    expect(edit(defaultSettings, { defaultMergeStyle: "squash" }).defaultMergeStyle).toBe("squash");
    expect(() => edit(defaultSettings, { defaultMergeStyle: "bogus" })).toThrow("[DefaultMergeStyle]: In");
  });

  test.each(["", "nope", "javascript:alert(1)", "//x.org", "https://a b", "file:///etc/passwd", "https://x\\y", "https://x/\nz"])(
    "%j is not a valid URL",
    (address) => {
      expect(() => edit(defaultSettings, { externalWikiUrl: address })).toThrow("Invalid external wiki URL");
      expect(() => edit(defaultSettings, { externalTracker: { ...tracker, url: address } })).toThrow("External tracker URL not valid");
      if (address !== "")
        expect(() => edit(defaultSettings, { externalTracker: { ...tracker, format: address } })).toThrow("External tracker URL format not valid");
    },
  );

  test("rejects an unknown tracker style", () => {
    expect(() => edit(defaultSettings, { externalTracker: { ...tracker, style: "morse" } })).toThrow("External tracker style not valid");
  });
});
