import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { ApplicationView } from "../view.ts";

export interface ApplicationValues {
  readonly name: string;
  readonly redirect_uris: string;
  readonly confidential_client: boolean;
  readonly skip_secondary_authorization: boolean;
}

interface FormFacts {
  /** Of the list. */
  readonly path: string;
  readonly values: ApplicationValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export interface ApplicationsFacts extends FormFacts {
  readonly applications: readonly ApplicationView[];
  readonly total: number;
  readonly page: Page;
}

/** Applications of somebody's own, and the form of another one. */
export function ApplicationsView(facts: ApplicationsFacts): Html {
  const { path, applications, total, page } = facts;
  const { account, forms } = useTexts();
  const texts = account.applications;
  return [
    applications.length === 0
      ? h(Empty, { icon: "gear", title: texts.none }, h("p", null, texts.noneHint))
      : h(
          Rows,
          null,
          applications.map(({ id, name, clientId, createdMs }) =>
            h(
              Row,
              { action: h("a", { class: "button", href: `${path}/${id}`, "aria-label": `${forms.edit}: ${name}` }, forms.edit) },
              h("strong", null, name),
              h("div", { class: "soft" }, h("code", null, clientId), ", ", h(Day, { ms: createdMs })),
            ),
          ),
        ),
    h(Pager, { path, page, total }),
    h("section", null, h("h2", null, texts.add), h(ApplicationForm, { ...facts, action: path, label: texts.register })),
  ];
}

function ApplicationForm({ action, label, values, problem, formToken }: Omit<FormFacts, "path"> & { readonly action: string; readonly label: string }): Html {
  const { applications: texts } = useTexts().account;
  return h(
    Form,
    { action, formToken, problem },
    h(Field, { name: "name", label: texts.name, value: values.name, autocomplete: "off" }),
    h(TextArea, { name: "redirect_uris", label: texts.redirects, hint: texts.redirectsHint, value: values.redirect_uris, rows: 3, isCode: true }),
    h(CheckBox, { name: "confidential_client", label: texts.confidential, hint: texts.confidentialHint, isChecked: values.confidential_client }),
    h(CheckBox, { name: "skip_secondary_authorization", label: texts.skips, hint: texts.skipsHint, isChecked: values.skip_secondary_authorization }),
    h(Submit, { label }),
  );
}

/** One of them: its id, its form, another secret, its end. */
export function ApplicationPage(facts: FormFacts & { readonly application: ApplicationView }): Html {
  const { path, application, formToken } = facts;
  const { account, forms } = useTexts();
  const texts = account.applications;
  const own = `${path}/${application.id}`;
  return [
    h("dl", { class: "pairs" }, h("dt", null, texts.clientId), h("dd", null, h("code", null, application.clientId))),
    h(ApplicationForm, { ...facts, action: own, label: forms.save }),
    h(Deed, { action: `${own}/secret`, title: texts.renew, hint: texts.renewHint, formToken }),
    h(Deed, { action: `${own}/delete`, title: texts.remove, hint: texts.removeHint, formToken }),
  ];
}

interface DeedFacts {
  readonly action: string;
  readonly title: string;
  readonly hint: string;
  readonly formToken: string;
}

/** Something that cannot be taken back. */
const Deed = ({ action, title, hint, formToken }: DeedFacts): Html =>
  h(
    "section",
    null,
    h("h2", null, title),
    h("p", { class: "soft" }, hint),
    h("form", { method: "post", action }, h(FormToken, { value: formToken }), h("button", { class: "danger", type: "submit" }, title)),
  );

/** What an application signs in with, shown this once. */
export function SecretView({ path, application, secret }: { readonly path: string; readonly application: ApplicationView; readonly secret: string }): Html {
  const { applications: texts } = useTexts().account;
  return [
    h("h2", null, application.name),
    h("p", { class: "notice good", role: "status" }, texts.made),
    h("p", null, texts.clientId),
    h("code", { class: "secret" }, application.clientId),
    h("p", null, texts.secret),
    h("code", { class: "secret" }, secret),
    h("p", null, h("a", { class: "button", href: `${path}/${application.id}` }, texts.goOn)),
  ];
}
