import { Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { ReactionCount } from "../model.ts";
import { planningTexts } from "../texts/texts.ts";
import { allowedReactions } from "./allowed-reactions.ts";

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
  /** Address to react; undefined if the reader cannot. */
  readonly action: string | undefined;
  readonly formToken: string | undefined;
  /** The comment; undefined for the issue itself. */
  readonly commentId: number | undefined;
}

/** Props of the reactions to an issue, or to one of its comments. */
export const shownReactions =
  (counted: ReadonlyMap<number | undefined, readonly ReactionCount[]>, reader: Pick<OfReactions, "action" | "formToken">) =>
  (commentId: number | undefined): OfReactions => ({ ...reader, counts: counted.get(commentId) ?? [], commentId });

/** Reaction counts, and a menu to add one. */
export function Reactions({ counts, action, formToken, commentId }: OfReactions): Html {
  const given = counts.map((count) => <Reaction {...count} isButton={action !== undefined && formToken !== undefined} />);
  if (action === undefined || formToken === undefined) return counts.length === 0 ? null : <div class="reactions">{given}</div>;
  const rest = allowedReactions.filter((content) => !counts.some((count) => count.content === content));
  return (
    <div class="reactions">
      <Form action={action} formToken={formToken} isInline {...(commentId !== undefined && { hidden: { comment: String(commentId) } })}>
        {given}
        {rest.length > 0 && <Rest contents={rest} />}
      </Form>
    </div>
  );
}

function Rest({ contents }: { readonly contents: readonly string[] }): Html {
  const texts = useTexts(planningTexts);
  return (
    <details>
      <summary>{texts.react}</summary>
      <div class="choices">
        {contents.map((content) => (
          <Reaction content={content} count={0} isOwn={false} isButton />
        ))}
      </div>
    </details>
  );
}

function Reaction({ content, count, isOwn, isButton }: ReactionCount & { readonly isButton: boolean }): Html {
  const texts = useTexts(planningTexts);
  const name = texts.reactionNames[content] ?? content;
  const shown = [<span aria-hidden="true">{pictures[content] ?? content}</span>, count > 0 && ` ${count}`];
  if (!isButton)
    return (
      <span class="reaction" role="img" aria-label={`${name} ${count}`}>
        {shown}
      </span>
    );
  const label = `${name}${count > 0 ? ` ${count}` : ""}${isOwn ? `, ${texts.took}` : ""}`;
  return (
    <button type="submit" class="reaction" name={isOwn ? "remove" : "add"} value={content} aria-label={label} aria-pressed={isOwn}>
      {shown}
    </button>
  );
}
