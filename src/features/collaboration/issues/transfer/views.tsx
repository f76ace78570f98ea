import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { changePath, type PlannedProps } from "../planning/views/plan-forms.tsx";
import { planningTexts } from "../texts/texts.ts";

export interface TransferFormProps extends PlannedProps {
  /** The rejected input. */
  readonly value?: string | undefined;
  /** Suggested repositories. */
  readonly targets: readonly string[];
}

export function TransferForm({ repository, issue, formToken, value, targets, problem }: TransferFormProps): Html {
  const texts = useTexts(planningTexts);
  return (
    <Form action={changePath(repository, issue, "transfer")} formToken={formToken} problem={problem}>
      <p>
        {texts.transferFollows} {texts.transferKeeps}
      </p>
      <Field
        name="repository"
        label={texts.transferTo}
        hint={texts.transferToHint}
        suggestions={targets}
        autocomplete="off"
        {...(value !== undefined && { value })}
      />
      <div class="bar">
        <button class="primary" type="submit">
          {texts.transfer}
        </button>
      </div>
    </Form>
  );
}
