import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { CheckBox, Choice, Field, Form, OptionalField, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { EmailView } from "../view.ts";

export interface ProfileValues {
  readonly full_name: string;
  readonly website: string;
  readonly location: string;
  readonly description: string;
  readonly hide_email: boolean;
  readonly hide_activity: boolean;
  readonly email_notifications: string;
}

interface FormFacts<Values> {
  readonly values: Values;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** What others see of somebody, and what reaches him. */
export function ProfileForm({ values, problem, formToken }: FormFacts<ProfileValues>): Html {
  const { account: texts, forms } = useTexts();
  return h(
    Form,
    { action: "/user/settings", formToken, problem },
    h(OptionalField, { name: "full_name", label: texts.fullName, value: values.full_name }),
    h(OptionalField, { name: "website", label: texts.website, value: values.website }),
    h(OptionalField, { name: "location", label: texts.location, value: values.location }),
    h(TextArea, { name: "description", label: texts.description, value: values.description, rows: 3 }),
    h(CheckBox, { name: "hide_email", label: texts.hideEmail, isChecked: values.hide_email }),
    h(CheckBox, { name: "hide_activity", label: texts.hideActivity, isChecked: values.hide_activity }),
    h(Choice, { name: "email_notifications", label: texts.mail, value: values.email_notifications, options: Object.entries(texts.mails) }),
    h(Submit, { label: forms.save }),
  );
}

export interface AppearanceValues {
  readonly language: string;
  readonly theme: string;
}

/** How pages look for somebody, in every browser. */
export function AppearanceForm({ values, problem, formToken }: FormFacts<AppearanceValues>): Html {
  const { account: texts, forms } = useTexts();
  return h(
    Form,
    { action: "/user/settings/appearance", formToken, problem },
    h(Choice, { name: "language", label: texts.language, value: values.language, options: Object.entries(texts.languages) }),
    h(Choice, { name: "theme", label: texts.theme, value: values.theme, options: Object.entries(texts.themes) }),
    h(Submit, { label: forms.save }),
  );
}

export interface EmailsFacts extends FormFacts<{ readonly email: string }> {
  readonly emails: readonly EmailView[];
  readonly sendsLetters: boolean;
  /** A letter was sent just before. */
  readonly isSent: boolean;
}

/** Somebody's addresses. */
export function EmailsView({ emails, values, problem, sendsLetters, isSent, formToken }: EmailsFacts): Html {
  const { account: texts, forms } = useTexts();
  const deed = (email: string, below: string, label: string, isDanger = false): Html =>
    h(
      "form",
      { method: "post", action: `/user/settings/account/emails/${below}` },
      h(FormToken, { value: formToken }),
      h("input", { type: "hidden", name: "email", value: email }),
      h("button", { type: "submit", ...(isDanger && { class: "danger" }), "aria-label": `${label}: ${email}` }, label),
    );
  const deeds = ({ email, isVerified }: EmailView): Html =>
    h(
      "div",
      { class: "end" },
      isVerified ? deed(email, "primary", texts.makePrimary) : sendsLetters && deed(email, "letter", texts.sendAgain),
      deed(email, "remove", forms.remove, true),
    );
  return h(
    "section",
    null,
    h("h2", null, texts.emails),
    isSent && h("p", { class: "notice good", role: "status" }, texts.letterSent),
    h(
      Rows,
      null,
      emails.map((address) =>
        h(
          Row,
          { action: !address.isPrimary && deeds(address) },
          address.email,
          " ",
          address.isPrimary && h("span", { class: "badge" }, texts.primary),
          " ",
          h("span", { class: address.isVerified ? "badge good" : "badge" }, address.isVerified ? texts.verified : texts.unverified),
        ),
      ),
    ),
    h("h3", null, texts.addEmail),
    h(
      Form,
      { action: "/user/settings/account/emails", formToken, name: "new", problem },
      h(Field, { name: "email", label: texts.email, value: values.email, type: "email", autocomplete: "email" }),
      h(Submit, { label: forms.add }),
    ),
  );
}

/** The way to the end of the account. */
export function DeletionLink(): Html {
  const { deletion: texts } = useTexts().account;
  return h(
    "section",
    null,
    h("h2", null, texts.title),
    h("p", { class: "soft" }, texts.lead),
    h("a", { class: "button", href: "/user/settings/account/delete" }, texts.open),
  );
}
