import { type ScopeCategory, scopeCategories } from "../../../../access/scopes.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { unavailable } from "../../../../core/unavailable.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { FieldProblem } from "../../../../ui/form-problems.tsx";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { TokenView } from "../model.ts";
import { accountTexts } from "../texts/texts.ts";
import { PasswordFirst } from "./password.tsx";

/** Values of the token form; each category's level under its name. */
export type TokenValues = Readonly<Record<`scope_${ScopeCategory}`, string>> & {
  readonly name: string;
  readonly public_only: boolean;
  readonly expires: string;
  readonly repositories: string;
};

export interface TokensProps {
  readonly path: string;
  readonly tokens: readonly TokenView[];
  readonly total: number;
  readonly page: Page;
  /** The token that was just created. */
  readonly made: string | undefined;
  readonly values: TokenValues;
  /** False for a user who signs in only through an identity provider. */
  readonly hasPassword: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function TokensView({ path, tokens, total, page, made, values, hasPassword, problem, formToken }: TokensProps): Html {
  const account = useTexts(accountTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = account.tokens;
  return (
    <>
      {made !== undefined && (
        <div class="notice good" role="status">
          <p>{texts.made}</p>
          <code class="secret">{made}</code>
        </div>
      )}
      {tokens.length === 0 ? (
        <Empty icon="key" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Rows>
          {tokens.map((token) => (
            <Row action={<Do action={`${path}/${token.id}/remove`} formToken={formToken} label={forms.remove} of={token.name} isDanger />}>
              <TokenLine token={token} />
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <section>
        <h2>{texts.add}</h2>
        {hasPassword ? <TokenForm path={path} values={values} problem={problem} formToken={formToken} /> : <PasswordFirst />}
      </section>
    </>
  );
}

function TokenLine({ token }: { readonly token: TokenView }): Html {
  const account = useTexts(accountTexts);
  const texts = account.tokens;
  const { name, lastEight, scopes, lastUsedMs, expiresMs, repositories } = token;
  return (
    <>
      <strong>{name}</strong> <code>{`…${lastEight}`}</code>
      <div class="soft">{scopes.map((scope) => (scope === "all" ? texts.all : scope)).join(", ")}</div>
      {repositories !== null && (
        <div class="soft">
          {texts.limited} {repositories.join(", ")}
        </div>
      )}
      <div class="soft">
        {lastUsedMs === 0 ? (
          texts.neverUsed
        ) : (
          <>
            {texts.used} <Day ms={lastUsedMs} />
          </>
        )}
        {expiresMs !== null && (
          <>
            {", "}
            {texts.ends} <Day ms={expiresMs} />
          </>
        )}
      </div>
    </>
  );
}

const offeredCategories = scopeCategories.filter((category) => !unavailable.has(category));

function TokenForm({ path, values, problem, formToken }: Pick<TokensProps, "path" | "values" | "problem" | "formToken">): Html {
  const texts = useTexts(accountTexts).tokens;
  return (
    <Form action={path} formToken={formToken} problem={problem}>
      <Field name="name" label={texts.name} value={values.name} autocomplete="off" />
      <Group legend={texts.scopes}>
        <FieldProblem name="scopes" hasFocus />
        <div class="beside">
          {offeredCategories.map((category) => (
            <Choice name={`scope_${category}`} label={texts.categories[category]} value={values[`scope_${category}`]} options={Object.entries(texts.levels)} />
          ))}
        </div>
        <CheckBox name="public_only" label={texts.publicOnly} isChecked={values.public_only} />
      </Group>
      <Field name="expires" label={texts.expires} value={values.expires} type="date" hint={texts.expiresHint} autocomplete="off" isOptional />
      <OptionalField name="repositories" label={texts.repositories} value={values.repositories} hint={texts.repositoriesHint} />
      <Field name="password" label={texts.password} type="password" hint={texts.passwordHint} autocomplete="current-password" />
      <Submit label={texts.add} />
    </Form>
  );
}
