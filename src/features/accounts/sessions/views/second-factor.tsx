import { Problem } from "../../../../ui/form-problems.tsx";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { signInTexts } from "../texts/texts.ts";

export interface SecondFactorProps {
  readonly name: string;
  readonly redirectTo: string;
  readonly formToken: string;
  readonly problem?: string | undefined;
}

export function SecondFactorView({ name, redirectTo, formToken, problem }: SecondFactorProps): Html {
  const { secondFactor: texts, goOn } = useTexts(signInTexts);
  return (
    <>
      {problem === undefined ? (
        <p>
          {texts.needed}
          <strong>{name}</strong>
          {texts.neededRest}
        </p>
      ) : (
        <Problem text={problem} />
      )}
      <Form action="/user/two_factor" formToken={formToken} hidden={{ redirect_to: redirectTo }}>
        <Field name="passcode" label={texts.code} autocomplete="one-time-code" hint={texts.hint} isInvalid={problem !== undefined} hasFocus />
        <button class="primary" type="submit">
          {goOn}
        </button>
      </Form>
    </>
  );
}
