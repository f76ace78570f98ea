import type { Explained } from "../../../../../core/reasons.ts";
import { problemOfText } from "../../../../../ui/form-problems.tsx";
import { Field, Form, Submit, TextArea } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Do } from "../../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { issueTexts } from "../../texts/texts.ts";

/** Text in the edit form. */
export interface EditedText {
  /** The title of an issue; comments have none. */
  readonly title?: string;
  readonly content: string;
  /** Content version that the editor has seen. */
  readonly version: number;
}

export interface EditProps extends EditedText {
  readonly action: string;
  /** Address for canceling. */
  readonly back: string;
  /** Upload address for attachments; omitted if the text cannot have any. */
  readonly attachPath?: string;
  /** Address that deletes it; omitted if it cannot be deleted here. */
  readonly deletion?: string | undefined;
  readonly formToken: string;
  readonly problem?: Explained | string | undefined;
  /** The version that another user has saved in the meantime. */
  readonly theirs?: string | undefined;
}

/** Edits a text; shows both versions if another user has changed it in the meantime. */
export function EditView({ action, back, attachPath, deletion, formToken, title, content, version, problem, theirs }: EditProps): Html {
  const texts = useTexts(issueTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <>
      {theirs !== undefined && (
        <section class="box">
          <header>
            <h2>{texts.theirs}</h2>
          </header>
          <pre class="theirs" dir="auto" tabIndex={0}>
            {theirs}
          </pre>
        </section>
      )}
      <Form action={action} formToken={formToken} hidden={{ content_version: String(version) }} problem={problemOfText(problem)}>
        {title !== undefined && <Field name="title" label={texts.newTitle} value={title} autocomplete="off" />}
        <TextArea
          name="content"
          label={theirs !== undefined ? texts.yours : title === undefined ? texts.comment : texts.newText}
          value={content}
          rows={12}
          hint={forms.markdown}
          isMarkdown
          {...(attachPath !== undefined && { attachPath })}
        />
        <div class="bar">
          <Submit label={theirs === undefined ? forms.save : texts.saveMine} />
          <a href={back}>{forms.cancel}</a>
        </div>
      </Form>
      {deletion !== undefined && (
        <section class="below">
          <h2>{texts.deleteComment}</h2>
          <p class="soft">{texts.deleteCommentHint}</p>
          <Do action={deletion} formToken={formToken} label={forms.delete} of={texts.comment} isDanger />
        </section>
      )}
    </>
  );
}
