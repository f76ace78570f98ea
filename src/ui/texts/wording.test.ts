import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Phrases that earlier versions showed, by the standard ones that replace them. */
const replaced: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  english: {
    "Unwatch, Unstar": ["Watch no more", "Take the star off"],
    "wants to merge N commits into": ["wants to come into", "came into"],
    "added to or removed from": ["put this into", "took this out of", "took off the label", "took back"],
    "requested, reopened, dismissed": ["asked for a review", "asked for changes", "opened this again", "Set this review aside"],
    "Blocked by, Blocks": ["Waits for", "Holds back", "Wait no more"],
    "Start timer, Discard timer": ["stopwatch", "Throw it away"],
    "Select all, Bulk actions, Apply, No change": ["Tick all", "ticked", "as it is"],
    "Search, No results": ['"Find"', "Nothing fits"],
    "Convert to draft, Ready for review": ["Make it a draft", "The work is done"],
    "Create a merge commit, Rebase and merge, Squash and merge": ["A merge commit", "Rebase and fast-forward", "One commit of all"],
    "Commit message, Extended description": ["Words of the commit", "Title of the commit", "What the commit does", "More about it", "customary"],
    "Finish your review, Discard review, Comment": ["comments wait", "Throw the review", "What you say", "Begin a review"],
    "Binary file, Hide whitespace": ["no text", "Without white space"],
    "Three-dot, Two-dot": ["Since they parted", "As they are"],
    "Recently deleted, Delete permanently": ["Deleted lately", "Keep no longer"],
    "Transfer ownership, Accept, Cancel transfer": ["Give it away", "Take it over", "Take the offer back"],
    "Archive this repository, to confirm": ["Archive it", "to go on"],
    "Built-in, External, Disabled": ["Nowhere", '"Here"'],
    "Payload URL, Test delivery, Redeliver": ["that is called", "It is called", "Try it", "Send it again"],
    "Email, Check your inbox": ["Letters about", "A letter", "Look into your mail"],
    "Generate token, Permissions, Expiration": ["Make a token", "What it may do", "Ends on"],
    "Request ID, Home, Service unavailable": ["Number of this request", "To the front page", "Not now"],
  },
  german: {
    "möchte … in … übernehmen": ["soll kommen"],
    "E-Mail-Benachrichtigungen": ["Briefe"],
    "Ausgewählte bearbeiten": ["angekreuzt", "ankreuzen", "Ankreuzen"],
    Timer: ["Stoppuhr"],
  },
};

test.each(Object.entries(replaced))("%s texts use the standard terms", (language, phrases) => {
  const files = globSync(`src/**/texts/**/${language}.ts`);
  expect(files.length).toBeGreaterThan(20);
  const lines = files.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .map((line) => `${path}: ${line.trim()}`),
  );
  const found = Object.entries(phrases).flatMap(([standard, old]) =>
    lines.filter((line) => old.some((phrase) => line.includes(phrase))).map((line) => `${line} (${standard})`),
  );
  expect(found).toEqual([]);
});
