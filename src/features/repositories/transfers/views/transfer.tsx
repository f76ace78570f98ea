import type { FormProblem } from "../../../../core/form-problem.ts";
import { type RepositoryName, repositoryPath, settingsPath } from "../../../../ui/addresses.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { transferTexts } from "../texts/texts.ts";

export interface TransferProps {
  readonly repository: RepositoryName;
  /** The recipient of the pending transfer, if any. */
  readonly waitsFor: string | undefined;
  readonly newOwner: string;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The form that starts a transfer, or the pending transfer. */
export function TransferView({ repository, waitsFor, newOwner, problem, formToken }: TransferProps): Html {
  const { forms } = useTexts(sharedTexts);
  const texts = useTexts(transferTexts);
  if (waitsFor !== undefined) {
    return (
      <>
        <p>{texts.waits(waitsFor)}</p>
        <Form action={`${repositoryPath(repository)}/transfer/reject`} formToken={formToken}>
          <Submit label={texts.withdraw} isSecondary />
        </Form>
      </>
    );
  }
  return (
    <>
      <p>{texts.hint}</p>
      <Form action={settingsPath(repository, "/transfer")} formToken={formToken} problem={problem}>
        <Field name="new_owner" label={texts.newOwner} hint={texts.newOwnerHint} value={newOwner} autocomplete="off" hasFocus />
        <div class="bar">
          <Submit label={texts.submit} isDanger />
          <a href={settingsPath(repository)}>{forms.cancel}</a>
        </div>
      </Form>
    </>
  );
}

export interface OfferProps {
  readonly repository: RepositoryName;
  readonly recipient: string;
  readonly formToken: string;
}

/** The form with which the recipient answers. */
export function OfferView({ repository, recipient, formToken }: OfferProps): Html {
  const texts = useTexts(transferTexts);
  const path = `${repositoryPath(repository)}/transfer`;
  const answer = (verb: string, text: string, look?: string): Html => (
    <form method="post" action={`${path}/${verb}`}>
      <FormToken value={formToken} />
      <button type="submit" {...(look && { class: look })}>
        {text}
      </button>
    </form>
  );
  return (
    <>
      <p>
        {fill<Html>(texts.from, {
          owner: <strong>{repository.ownerName}</strong>,
          repository: <strong>{`${repository.ownerName}/${repository.name}`}</strong>,
          recipient: <strong>{recipient}</strong>,
        })}
      </p>
      <div class="bar">
        {answer("accept", texts.accept, "primary")}
        {answer("reject", texts.reject)}
      </div>
    </>
  );
}
