import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { Field, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { EditAndDelete, Row, Rows } from "../../../../ui/rows.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { ReplyInput, ReplyTitle } from "../model.ts";
import { replyTexts } from "../texts/texts.ts";

export interface RepliesProps {
  readonly replies: readonly ReplyTitle[];
  /** The reply in the form; undefined for a new one. */
  readonly present: ReplyTitle | undefined;
  readonly values: ReplyInput;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The saved replies of a user, with a form for a new one or for one of them. */
export function RepliesView({ replies, present, values, problem, formToken }: RepliesProps): Html {
  const texts = useTexts(replyTexts);
  const { forms } = useTexts(sharedTexts);
  const path = accountPaths.replies;
  return (
    <>
      {replies.length === 0 ? (
        <Empty icon="reply" title={texts.none}>
          <p>{texts.hint}</p>
        </Empty>
      ) : (
        <Rows>
          {replies.map(({ id, title }) => (
            <Row action={<EditAndDelete edit={`${withQuery(path, { edit: id })}#form`} deletion={`${path}/${id}/delete`} formToken={formToken} of={title} />}>
              <bdi>{title}</bdi>
            </Row>
          ))}
        </Rows>
      )}
      <section id="form">
        <h2 dir="auto">{present === undefined ? texts.add : texts.edit(present.title)}</h2>
        <Form action={present === undefined ? path : `${path}/${present.id}`} formToken={formToken} problem={problem} isOnce={present === undefined}>
          <Field name="title" label={texts.title} value={values.title} maxLength={lengths.line} autocomplete="off" />
          <TextArea name="content" label={texts.content} value={values.content} maxLength={lengths.comment} rows={8} hint={forms.markdown} isMarkdown />
          <Submit label={present === undefined ? texts.create : texts.save} />
        </Form>
        {present !== undefined && (
          <p>
            <a href={path}>{forms.cancel}</a>
          </p>
        )}
      </section>
    </>
  );
}
