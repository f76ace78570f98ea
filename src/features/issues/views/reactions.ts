import { h } from "preact";
import { Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { allowedReactions } from "../allowed-reactions.ts";
import type { ReactionCount } from "../view.ts";

const pictures: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  hooray: "🎉",
  confused: "😕",
  heart: "❤️",
  rocket: "🚀",
  eyes: "👀",
};

export interface OfReactions {
  readonly counts: readonly ReactionCount[];
  /** Where the reader reacts; undefined where he may not. */
  readonly action: string | undefined;
  readonly formToken: string | undefined;
  /** What is reacted to; undefined for the issue itself. */
  readonly commentId: number | undefined;
}

/** What to show of reactions to an issue, and to each comment under it. */
export const shownReactions =
  (counted: ReadonlyMap<number | undefined, readonly ReactionCount[]>, reader: Pick<OfReactions, "action" | "formToken">) =>
  (commentId: number | undefined): OfReactions => ({ ...reader, counts: counted.get(commentId) ?? [], commentId });

/** What people say of it without words, and what else can be said so. */
export function Reactions({ counts, action, formToken, commentId }: OfReactions): Html {
  const given = counts.map((count) => h(Reaction, { ...count, isButton: action !== undefined && formToken !== undefined }));
  if (action === undefined || formToken === undefined) return counts.length === 0 ? null : h("div", { class: "reactions" }, given);
  const rest = allowedReactions.filter((content) => !counts.some((count) => count.content === content));
  return h(
    "div",
    { class: "reactions" },
    h(
      Form,
      { action, formToken, isInline: true, ...(commentId !== undefined && { hidden: { comment: String(commentId) } }) },
      given,
      rest.length > 0 && h(Rest, { contents: rest }),
    ),
  );
}

function Rest({ contents }: { readonly contents: readonly string[] }): Html {
  const { tracking: texts } = useTexts();
  return h(
    "details",
    null,
    h("summary", null, texts.react),
    h(
      "div",
      { class: "choices" },
      contents.map((content) => h(Reaction, { content, count: 0, isOwn: false, isButton: true })),
    ),
  );
}

function Reaction({ content, count, isOwn, isButton }: ReactionCount & { readonly isButton: boolean }): Html {
  const { tracking: texts } = useTexts();
  const name = texts.reactionNames[content] ?? content;
  const shown = [h("span", { "aria-hidden": "true" }, pictures[content] ?? content), count > 0 && ` ${count}`];
  if (!isButton) return h("span", { class: "reaction", role: "img", "aria-label": `${name} ${count}` }, shown);
  const label = `${name}${count > 0 ? ` ${count}` : ""}${isOwn ? `, ${texts.took}` : ""}`;
  return h(
    "button",
    { type: "submit", class: "reaction", name: isOwn ? "remove" : "add", value: content, "aria-label": label, "aria-pressed": String(isOwn) },
    shown,
  );
}
