/** A title that begins so says that the work is not done: nobody merges it yet. */
const marks = ["wip:", "[wip]"] as const;

/** Whether the title of a pull request makes it a draft. */
export const isDraftTitle = (title: string): boolean => marks.some((mark) => title.trimStart().toLowerCase().startsWith(mark));
