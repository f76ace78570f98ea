import { isWebUrl } from "../../../../core/urls.ts";
import { readColor } from "../../../collaboration/labels/color.ts";
import { type Foreign, flagIn, idIn, textIn, textsIn, timeIn } from "../foreign-json.ts";
import type { ForeignAbout, ForeignComment, ForeignLabel, ForeignMilestone, ForeignRelease } from "../tracker.ts";
import { authorOf, filesOf, longest } from "./gitea-issues.ts";

/** Readers for responses that Gitea and GitHub have in common. */

/** @param website the member with the website */
export function readAbout(of: Foreign, website: string): ForeignAbout {
  const address = textIn(of, website, 1_024);
  return { description: textIn(of, "description", 2_048), website: isWebUrl(address) ? address : "", topics: textsIn(of, "topics", 100) };
}

export function readLabel(of: Foreign): ForeignLabel[] {
  const name = textIn(of, "name", 50).trim();
  const rest = { description: textIn(of, "description", 200), isExclusive: flagIn(of, "exclusive"), isArchived: flagIn(of, "is_archived") };
  const id = idIn(of, "id");
  return name === "" || id === 0 ? [] : [{ id, name, color: colorIn(of), ...rest }];
}

/** Grey for anything but hex digits. */
export function colorIn(of: Foreign): string {
  try {
    return readColor(textIn(of, "color", 7));
  } catch {
    return "cccccc";
  }
}

export function readMilestone(of: Foreign): ForeignMilestone[] {
  const [id, title, createdMs] = [idIn(of, "id"), textIn(of, "title", longest.title), timeIn(of, "created_at") ?? 0];
  if (id === 0 || title === "") return [];
  const isClosed = of.state === "closed";
  const closedMs = isClosed ? (timeIn(of, "closed_at") ?? createdMs) : null;
  return [{ id, title, createdMs, isClosed, closedMs, description: textIn(of, "description", longest.text), dueMs: timeIn(of, "due_on") }];
}

export function readComment(of: Foreign): ForeignComment[] {
  const address = textIn(of, "issue_url", 2_000) || textIn(of, "pull_request_url", 2_000);
  const issueNumber = Number(/\/(?:issues|pulls)\/(\d{1,10})$/.exec(address)?.[1] ?? 0);
  const id = idIn(of, "id");
  if (issueNumber === 0 || id === 0) return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  const updatedMs = timeIn(of, "updated_at") ?? createdMs;
  return [{ id, issueNumber, content: textIn(of, "body", longest.text), files: filesOf(of), author: authorOf(of), createdMs, updatedMs }];
}

/** @param fileAddress the member of a file with its download URL */
export function readRelease(of: Foreign, fileAddress: string): ForeignRelease[] {
  const tagName = textIn(of, "tag_name", longest.name);
  if (tagName === "") return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  const publishedMs = timeIn(of, "published_at") ?? createdMs;
  return [
    {
      ...{ tagName, createdMs, publishedMs, title: textIn(of, "name", longest.title), note: textIn(of, "body", longest.text) },
      ...{ target: textIn(of, "target_commitish", longest.name), isDraft: flagIn(of, "draft"), isPrerelease: flagIn(of, "prerelease") },
      author: authorOf(of, "author"),
      files: filesOf(of, fileAddress),
    },
  ];
}

/** Removes duplicates: an item can move to the next page between two requests. */
export const once = <T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] => [...new Map(items.map((item) => [keyOf(item), item])).values()];

export const highest = (numbers: readonly number[]): number => numbers.reduce((most, number) => Math.max(most, number), 0);
