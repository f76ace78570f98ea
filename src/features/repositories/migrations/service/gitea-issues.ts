import { type Foreign, flagIn, idIn, objectIn, objectsIn, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignAuthor, ForeignFile, ForeignIssue } from "../tracker.ts";

/** Maximum string lengths in characters; longer ones are truncated. */
export const longest = { title: 255, text: 512 * 1024, name: 255 } as const;

export const numberOf = (of: Foreign): number => {
  const number = idIn(of, "number");
  return number < 2 ** 31 ? number : 0;
};

export function authorOf(of: Foreign, member = "user"): ForeignAuthor {
  const original = textIn(of, "original_author", longest.name);
  // Items that were migrated to the source keep their original author.
  if (original !== "") return { name: original, id: idIn(of, "original_author_id"), isAccount: false };
  const user = objectIn(of, member);
  const name = textIn(user, "login", longest.name);
  const id = idIn(user, "id");
  return { name: name === "" ? "Ghost" : name, id, isAccount: id !== 0 };
}

/** The attachments of an item. @param address the member with the download URL */
export function filesOf(of: Foreign, address = "browser_download_url"): ForeignFile[] {
  const files = objectsIn(of.assets).map((file) => ({
    ...{ name: textIn(file, "name", longest.name), address: textIn(file, address, 8_000) },
    sizeBytes: idIn(file, "size"),
  }));
  return files.filter((file) => file.name !== "" && file.address !== "");
}

/** Reads the common members of issues and pull requests. */
export function readIssue(of: Foreign): ForeignIssue[] {
  const [number, title] = [numberOf(of), textIn(of, "title", longest.title)];
  if (number === 0) return [];
  const isClosed = of.state === "closed";
  const createdMs = timeIn(of, "created_at") ?? 0;
  const updatedMs = timeIn(of, "updated_at") ?? createdMs;
  return [
    {
      number,
      title: title === "" ? `#${number}` : title,
      content: textIn(of, "body", longest.text),
      isClosed,
      closedMs: isClosed ? (timeIn(of, "closed_at") ?? updatedMs) : null,
      deadlineMs: timeIn(of, "due_date"),
      isLocked: flagIn(of, "is_locked"),
      ref: textIn(of, "ref", longest.name),
      labelIds: objectsIn(of.labels).map((label) => idIn(label, "id")),
      milestoneId: idIn(objectIn(of, "milestone"), "id") || null,
      assigneeIds: objectsIn(of.assignees).map((user) => idIn(user, "id")),
      files: filesOf(of),
      author: authorOf(of),
      createdMs,
      updatedMs,
    },
  ];
}
