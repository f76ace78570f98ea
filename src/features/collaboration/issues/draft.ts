/** A title that begins so says that the work is not done: nobody merges it yet. */
const marks = ["wip:", "[wip]"] as const;

/** Whether the title of a pull request makes it a draft. */
export const isDraftTitle = (title: string): boolean => marks.some((mark) => title.trimStart().toLowerCase().startsWith(mark));

/** A title without the marks that it begins with. */
export function withoutDraftMark(title: string): string {
  const trimmed = title.trimStart();
  const mark = marks.find((one) => trimmed.toLowerCase().startsWith(one));
  return mark === undefined ? title : withoutDraftMark(trimmed.slice(mark.length).trimStart());
}

/** A title that says that the work is not done. */
export const asDraft = (title: string): string => (isDraftTitle(title) ? title : `WIP: ${title}`);
