import { isDraftTitle } from "../../collaboration/issues/draft.ts";

/** What is not ready says so in its title here. */
export const draftTitle = (title: string): string =>
  isDraftTitle(title) ? title : `WIP: ${title.replace(/^(?:\[draft\]|\(draft\)|draft:)\s*/i, "")}`.slice(0, 255);
