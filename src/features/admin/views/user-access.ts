import { h } from "preact";
import { Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { EmailView, TwoFactorView } from "../../users/view.ts";
import type { RefusedName } from "./users.ts";

export interface UserAccessFacts {
  /** The address of the account's page. */
  readonly action: string;
  readonly emails: readonly EmailView[];
  readonly twoFactor: TwoFactorView;
  readonly refused?: RefusedName | undefined;
  readonly formToken: string;
}

/** What lets somebody in beside his password: further addresses, and the second factor. */
export function UserAccess(facts: UserAccessFacts): Html {
  return [h(FurtherEmails, facts), h(SecondFactor, facts)];
}

function FurtherEmails({ action, emails, refused, formToken }: UserAccessFacts): Html {
  const { administration: texts, account } = useTexts();
  const further = emails.filter(({ isPrimary }) => !isPrimary);
  return h(
    "section",
    null,
    h("h2", null, texts.emails),
    further.length === 0
      ? h("p", { class: "soft" }, texts.noFurtherEmails)
      : h(
          Rows,
          null,
          further.map(({ email, isVerified }) =>
            h(
              Row,
              { action: h(RemoveEmail, { action: `${action}/emails/remove`, email, formToken }) },
              email,
              " ",
              h("span", { class: isVerified ? "badge good" : "badge" }, isVerified ? account.verified : account.unverified),
            ),
          ),
        ),
    h(
      Form,
      { action: `${action}/emails`, formToken, name: "further", problem: refused?.problem },
      h(Field, { name: "email", label: account.email, value: refused?.typed ?? "", type: "email", hint: texts.addEmailHint, autocomplete: "off" }),
      h(Submit, { label: texts.addEmail }),
    ),
  );
}

function RemoveEmail({ action, email, formToken }: { readonly action: string; readonly email: string; readonly formToken: string }): Html {
  const { remove } = useTexts().forms;
  return h(
    "form",
    { method: "post", action },
    h(FormToken, { value: formToken }),
    h("input", { type: "hidden", name: "email", value: email }),
    h("button", { type: "submit", class: "danger", "aria-label": `${remove}: ${email}` }, remove),
  );
}

function SecondFactor({ action, twoFactor, formToken }: UserAccessFacts): Html {
  const { administration: texts } = useTexts();
  const isOn = twoFactor.confirmedMs !== null;
  return h(
    "section",
    null,
    h("h2", null, texts.secondFactor),
    h("p", null, isOn ? texts.factorOn(twoFactor.recoveryCodes) : texts.factorOff),
    isOn && [
      h("p", { class: "soft" }, texts.removeFactorHint),
      h(Form, { action: `${action}/two_factor/remove`, formToken, name: "factor" }, h(Submit, { label: texts.removeFactor, isDanger: true })),
    ],
  );
}
