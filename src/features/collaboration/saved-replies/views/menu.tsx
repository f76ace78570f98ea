import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { ReplyTitle } from "../model.ts";
import { replyTexts } from "../texts/texts.ts";

export interface ReplyMenuProps {
  readonly replies: readonly ReplyTitle[];
  /** Path of the page with the comment form that contains the menu. */
  readonly path: string;
}

/** A menu that inserts a saved reply. Without scripts, the form is sent and shown again with the reply below the typed text. */
export function ReplyMenu({ replies, path }: ReplyMenuProps): Html {
  const texts = useTexts(replyTexts);
  return (
    <details class="menu up">
      <summary class="button" title={texts.insert}>
        <Icon name="reply" label={texts.insert} />
        <Icon name="triangle-down" />
      </summary>
      <div class="sheet">
        {replies.length === 0 && <p class="soft">{texts.none}</p>}
        {replies.map(({ id, title }) => (
          <button
            class="plain"
            type="submit"
            name="reply"
            value={String(id)}
            formaction={`${path}/comments#answer`}
            data-reply={`/user/saved_replies/${id}`}
            dir="auto"
          >
            {title}
          </button>
        ))}
        <a class="soft" href={accountPaths.replies}>
          {texts.manage}
        </a>
      </div>
    </details>
  );
}
