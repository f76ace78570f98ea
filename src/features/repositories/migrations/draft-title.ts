import { isDraftTitle } from "../../collaboration/issues/draft.ts";

/** Drafts are marked by a title prefix here. */
export const draftTitle = (title: string): string =>
  isDraftTitle(title) ? title : `WIP: ${title.replace(/^(?:\[draft\]|\(draft\)|draft:)\s*/i, "")}`.slice(0, 255);
