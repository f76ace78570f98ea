import { h } from "preact";
import { type ScopeCategory, scopeCategories } from "../../../access/scopes.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { TokenView } from "../view.ts";
import { PasswordFirst } from "./password.ts";

/** The form of a token; the level of each category under its name. */
export type TokenValues = Readonly<Record<`scope_${ScopeCategory}`, string>> & {
  readonly name: string;
  readonly public_only: boolean;
  readonly expires: string;
  readonly repositories: string;
};

export interface TokensFacts {
  readonly path: string;
  readonly tokens: readonly TokenView[];
  readonly total: number;
  readonly page: Page;
  /** The text of one that was just made. */
  readonly made: string | undefined;
  readonly values: TokenValues;
  /** False: he has none, and comes in by a provider of identities alone. */
  readonly hasPassword: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** What lets programs act for somebody, and the form of another one. */
export function TokensView({ path, tokens, total, page, made, values, hasPassword, problem, formToken }: TokensFacts): Html {
  const { account, forms } = useTexts();
  const texts = account.tokens;
  return [
    made !== undefined && h("div", { class: "notice good", role: "status" }, h("p", null, texts.made), h("code", { class: "secret" }, made)),
    tokens.length === 0
      ? h(Empty, { icon: "key", title: texts.none }, h("p", null, texts.noneHint))
      : h(
          Rows,
          null,
          tokens.map((token) =>
            h(
              Row,
              { action: h(Do, { action: `${path}/${token.id}/remove`, formToken, label: forms.remove, of: token.name, isDanger: true }) },
              h(TokenLine, { token }),
            ),
          ),
        ),
    h(Pager, { path, page, total }),
    h("section", null, h("h2", null, texts.add), hasPassword ? h(TokenForm, { path, values, problem, formToken }) : h(PasswordFirst, {})),
  ];
}

function TokenLine({ token }: { readonly token: TokenView }): Html {
  const { account, forms } = useTexts();
  const texts = account.tokens;
  const { name, lastEight, scopes, lastUsedMs, expiresMs, repositories } = token;
  return [
    h("strong", null, name),
    " ",
    h("code", null, `…${lastEight}`),
    h("div", { class: "soft" }, scopes.map((scope) => (scope === "all" ? texts.all : scope)).join(", ")),
    repositories !== null && h("div", { class: "soft" }, texts.limited, " ", repositories.join(", ")),
    h(
      "div",
      { class: "soft" },
      texts.used,
      " ",
      lastUsedMs === 0 ? forms.never : h(Day, { ms: lastUsedMs }),
      expiresMs !== null && [", ", texts.ends, " ", h(Day, { ms: expiresMs })],
    ),
  ];
}

function TokenForm({ path, values, problem, formToken }: Pick<TokensFacts, "path" | "values" | "problem" | "formToken">): Html {
  const { tokens: texts } = useTexts().account;
  return h(
    Form,
    { action: path, formToken, problem },
    h(Field, { name: "name", label: texts.name, value: values.name, autocomplete: "off" }),
    h(
      Group,
      { legend: texts.scopes },
      problem?.field === "scopes" && h("p", { class: "wrong" }, texts.chooseScope),
      h(
        "div",
        { class: "beside" },
        scopeCategories.map((category) =>
          h(Choice, {
            name: `scope_${category}`,
            label: texts.categories[category],
            value: values[`scope_${category}`],
            options: Object.entries(texts.levels),
          }),
        ),
      ),
      h(CheckBox, { name: "public_only", label: texts.publicOnly, isChecked: values.public_only }),
    ),
    h(Field, { name: "expires", label: texts.expires, value: values.expires, type: "date", hint: texts.expiresHint, autocomplete: "off", isOptional: true }),
    h(OptionalField, { name: "repositories", label: texts.repositories, value: values.repositories, hint: texts.repositoriesHint }),
    h(Field, { name: "password", label: texts.password, type: "password", hint: texts.passwordHint, autocomplete: "current-password" }),
    h(Submit, { label: texts.add }),
  );
}
