import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { Field, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { OwnList } from "../../../../ui/own-list.tsx";
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
export function RepliesView({ replies, values, ...props }: RepliesProps): Html {
  const texts = useTexts(replyTexts);
  const { forms } = useTexts(sharedTexts);
  const nameOf = ({ title }: ReplyTitle): string => title;
  return (
    <OwnList
      {...props}
      path={accountPaths.replies}
      items={replies}
      nameOf={nameOf}
      rowOf={(reply) => <bdi>{reply.title}</bdi>}
      icon="reply"
      texts={texts}
      problem={props.problem}
    >
      <Field name="title" label={texts.title} value={values.title} maxLength={lengths.line} autocomplete="off" />
      <TextArea name="content" label={texts.content} value={values.content} maxLength={lengths.comment} rows={8} hint={forms.markdown} isMarkdown />
    </OwnList>
  );
}
