/** Title prefixes that mark a draft, which cannot be merged. */
const marks = ["wip:", "[wip]"] as const;

export const isDraftTitle = (title: string): boolean => marks.some((mark) => title.trimStart().toLowerCase().startsWith(mark));

/** Removes the draft prefixes of a title. */
export function withoutDraftMark(title: string): string {
  const trimmed = title.trimStart();
  const mark = marks.find((one) => trimmed.toLowerCase().startsWith(one));
  return mark === undefined ? title : withoutDraftMark(trimmed.slice(mark.length).trimStart());
}

/** Adds a draft prefix to a title that has none. */
export const asDraft = (title: string): string => (isDraftTitle(title) ? title : `WIP: ${title}`);
