import { type Foreign, flagIn, idIn, objectIn, objectsIn, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignAuthor, ForeignComment, ForeignFile, ForeignIssue, ForeignLabel, ForeignMilestone, ForeignRelease } from "../tracker.ts";
import { longest } from "./gitea-issues.ts";
import { colorIn } from "./gitea-items.ts";
import type { ReactionReader } from "./reactions.ts";

export function gitlabAuthor(of: Foreign, member = "author"): ForeignAuthor {
  const user = objectIn(of, member);
  const name = textIn(user, "username", longest.name);
  const id = idIn(user, "id");
  return { name: name === "" ? "Ghost" : name, id, isAccount: id !== 0 };
}

export function readGitlabLabel(of: Foreign): ForeignLabel[] {
  const [id, name] = [idIn(of, "id"), textIn(of, "name", 50).trim()];
  const details = { description: textIn(of, "description", 200), isArchived: flagIn(of, "archived") };
  // Exclusive labels are `scope::name` there and `scope/name` here.
  return id === 0 || name === "" ? [] : [{ id, name, color: colorIn(of), isExclusive: false, ...details }];
}

export function readGitlabMilestone(of: Foreign): ForeignMilestone[] {
  const [id, title, createdMs] = [idIn(of, "id"), textIn(of, "title", longest.title), timeIn(of, "created_at") ?? 0];
  if (id === 0 || title === "") return [];
  const isClosed = of.state === "closed";
  const closedMs = isClosed ? (timeIn(of, "updated_at") ?? createdMs) : null;
  return [{ id, title, createdMs, isClosed, closedMs, description: textIn(of, "description", longest.text), dueMs: dayIn(of, "due_date") }];
}

/** The end of a day that is given without a time. */
function dayIn(of: Foreign, name: string): number | null {
  const day = textIn(of, name, 10);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T23:59:59Z`) : Number.NaN;
  return time > 0 ? time : null;
}

/** Reads the common members of issues and merge requests. */
export function readGitlabIssue(of: Foreign, labelIds: ReadonlyMap<string, number>): ForeignIssue[] {
  const number = idIn(of, "iid");
  if (number === 0 || number >= 2 ** 30) return [];
  const title = textIn(of, "title", longest.title);
  const isClosed = of.state === "closed" || of.state === "merged" || of.state === "locked";
  const createdMs = timeIn(of, "created_at") ?? 0;
  const updatedMs = timeIn(of, "updated_at") ?? createdMs;
  const labels = Array.isArray(of.labels) ? of.labels : [];
  return [
    {
      ...{ number, isClosed, createdMs, updatedMs, ref: "", title: title === "" ? `#${number}` : title },
      content: textIn(of, "description", longest.text),
      closedMs: isClosed ? (timeIn(of, "closed_at") ?? timeIn(of, "merged_at") ?? updatedMs) : null,
      deadlineMs: dayIn(of, "due_date"),
      isLocked: flagIn(of, "discussion_locked"),
      labelIds: labels.flatMap((name) => (typeof name === "string" ? (labelIds.get(name) ?? []) : [])),
      milestoneId: idIn(objectIn(of, "milestone"), "id") || null,
      assigneeIds: objectsIn(of.assignees).map((user) => idIn(user, "id")),
      files: [],
      author: gitlabAuthor(of),
    },
  ];
}

/** Reads comments of users; system notes are skipped. */
export function readNote(of: Foreign, issueNumber: number): ForeignComment[] {
  const id = idIn(of, "id");
  if (id === 0 || flagIn(of, "system")) return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  const updatedMs = timeIn(of, "updated_at") ?? createdMs;
  return [{ id, issueNumber, content: textIn(of, "body", longest.text), files: [], author: gitlabAuthor(of), createdMs, updatedMs }];
}

/** Maps emoji names to reactions here. */
const contents: Readonly<Record<string, string>> = {
  ...{ thumbsup: "+1", thumbsdown: "-1", laughing: "laugh", tada: "hooray" },
  ...{ confused: "confused", heart: "heart", rocket: "rocket", eyes: "eyes" },
};

export const gitlabReactions = (list: ReactionReader["list"]): ReactionReader => ({
  list,
  contentOf: (of) => contents[textIn(of, "name", 50)] ?? "",
  authorOf: (of) => gitlabAuthor(of, "user"),
});

export function readGitlabRelease(of: Foreign): ForeignRelease[] {
  const tagName = textIn(of, "tag_name", longest.name);
  if (tagName === "") return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  return [
    {
      ...{ tagName, createdMs, publishedMs: timeIn(of, "released_at") ?? createdMs, title: textIn(of, "name", longest.title) },
      ...{ note: textIn(of, "description", longest.text), target: "", isDraft: false, isPrerelease: flagIn(of, "upcoming_release") },
      author: gitlabAuthor(of),
      files: objectsIn(objectIn(of, "assets").links).flatMap(readLink),
    },
  ];
}

function readLink(of: Foreign): ForeignFile[] {
  const name = textIn(of, "name", longest.name);
  const address = textIn(of, "direct_asset_url", 8_000) || textIn(of, "url", 8_000);
  return name === "" || address === "" ? [] : [{ name, address, sizeBytes: undefined }];
}
