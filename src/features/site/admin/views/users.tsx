import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { accountPath, withQuery } from "../../../../ui/addresses.ts";
import { Account } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { CheckBox, Choice, Field, Form, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { UserView } from "../../../accounts/users/model.ts";
import { orgTexts } from "../../../organizations/orgs/texts/texts.ts";
import type { Possessions } from "../model.ts";
import { adminTexts } from "../texts/texts.ts";
import { Find } from "./find.tsx";

export interface UsersProps {
  readonly path: string;
  readonly users: readonly UserView[];
  readonly total: number;
  readonly requested: { readonly q: string; readonly kind: string; readonly sort: string };
  readonly page: Page;
}

export function UsersView({ path, users, total, requested, page }: UsersProps): Html {
  const texts = useTexts(adminTexts);
  const { forms } = useTexts(sharedTexts);
  const choices = [
    { name: "kind", label: texts.which, value: requested.kind, options: Object.entries(texts.kinds) },
    { name: "sort", label: texts.sort, value: requested.sort, options: Object.entries(texts.userSorts) },
  ];
  return (
    <>
      <Find path={path} text={requested.q} label={texts.find} choices={choices}>
        <a class="button primary" href={`${path}/new`}>
          {texts.newUser}
        </a>
      </Find>
      <p class="soft">{texts.count(total)}</p>
      {users.length === 0 && (
        <Empty icon="person" title={texts.noUsers}>
          <p>
            <a href={path}>{texts.kinds[""]}</a>
          </p>
        </Empty>
      )}
      <Rows>
        {users.map((user) => (
          <Row
            action={
              <a class="button" href={`${path}/${encodeSegment(user.name)}`} aria-label={`${forms.edit}: ${user.name}`}>
                {forms.edit}
              </a>
            }
          >
            <Account account={user} />
            <Marks {...user} />
            <div class="soft">
              {user.email}
              {", "}
              {user.lastLoginMs === 0 ? (
                texts.neverSignedIn
              ) : (
                <>
                  {texts.lastLogin} <Day ms={user.lastLoginMs} />
                </>
              )}
            </div>
          </Row>
        ))}
      </Rows>
      <Pager path={path} query={requested} page={page} total={total} />
    </>
  );
}

/** Links to the account's other pages. */
export function UserLinks({ name }: { readonly name: string }): Html {
  const texts = useTexts(adminTexts);
  return (
    <p>
      <a href={accountPath(name)}>{texts.profileOf(name)}</a>
      {" · "}
      <a href={withQuery(administrationPaths.audit, { actor: name })}>{texts.doneBy}</a>
      {" · "}
      <a href={withQuery(administrationPaths.audit, { account: name })}>{texts.doneTo}</a>
    </p>
  );
}

function Marks({ isAdmin, isActive, isRestricted, prohibitLogin }: UserView): Html {
  const { marks } = useTexts(adminTexts);
  const words = [isAdmin && marks.admin, !isActive && marks.inactive, isRestricted && marks.restricted, prohibitLogin && marks.prohibited];
  return words.filter((word) => word !== false).map((word) => [<span class="badge">{word}</span>, " "]);
}

export interface UserValues {
  readonly username: string;
  readonly full_name: string;
  readonly email: string;
  readonly visibility: string;
  readonly must_change_password: boolean;
  readonly active: boolean;
  readonly admin: boolean;
  readonly restricted: boolean;
  readonly prohibit_login: boolean;
}

export interface UserFormProps {
  readonly action: string;
  readonly isNew: boolean;
  readonly values: UserValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The account form for administrators. */
export function UserForm({ action, isNew, values, problem, formToken }: UserFormProps): Html {
  const texts = useTexts(adminTexts);
  const { forms } = useTexts(sharedTexts);
  const switches = [
    ["active", texts.active],
    ["admin", texts.admin],
    ["prohibit_login", texts.prohibited],
  ] as const;
  const password = isNew
    ? { label: texts.password, hint: texts.passwordHint }
    : { label: texts.newPassword, hint: `${texts.newPasswordHint} ${texts.passwordHint}`, isOptional: true };
  return (
    <Form action={action} formToken={formToken} problem={problem}>
      {isNew && <Field name="username" label={texts.name} value={values.username} names="account" autocomplete="off" hasFocus />}
      <OptionalField name="full_name" label={texts.fullName} value={values.full_name} />
      <Field name="email" label={texts.email} value={values.email} type="email" autocomplete="off" />
      <Choice name="visibility" label={texts.visibility} value={values.visibility} options={Object.entries(texts.visibilities)} />
      <CheckBox name="restricted" label={texts.restricted} isChecked={values.restricted} />
      {!isNew && switches.map(([name, label]) => <CheckBox name={name} label={label} isChecked={values[name]} />)}
      <Field name="password" maxLength={lengths.password} type="password" autocomplete="new-password" {...password} />
      <CheckBox name="must_change_password" label={texts.mustChange} hint={isNew ? undefined : texts.mustChangeHint} isChecked={values.must_change_password} />
      <Submit label={isNew ? texts.createUser : forms.save} />
    </Form>
  );
}

/** A refused form with one field. */
export interface RefusedName {
  readonly typed: string;
  readonly problem: FormProblem;
}

export interface RenameProps {
  /** Path of the account's page. */
  readonly action: string;
  readonly name: string;
  readonly refused?: RefusedName | undefined;
  readonly formToken: string;
}

/** The form to rename an account, and the link to its deletion. */
export function RenameForm({ action, name, refused, formToken }: RenameProps): Html {
  const texts = useTexts(adminTexts);
  return (
    <>
      <section>
        <h2>{texts.rename}</h2>
        <Form action={`${action}/rename`} formToken={formToken} name="rename" problem={refused?.problem}>
          <Field
            name="new_name"
            maxLength={lengths.accountName}
            label={texts.newName}
            value={refused?.typed ?? name}
            hint={texts.renameHint}
            names="account"
            autocomplete="off"
          />
          <Submit label={texts.rename} isSecondary />
        </Form>
      </section>
      <section>
        <h2>{texts.deleteUser}</h2>
        <p class="soft">{texts.deleteHint}</p>
        <a class="button" href={`${action}/delete`}>
          {texts.deleteUser}
        </a>
      </section>
    </>
  );
}

export interface DeleteUserProps {
  readonly action: string;
  readonly name: string;
  readonly possessions: Possessions;
  /** Administrators cannot delete themselves here. */
  readonly isViewer: boolean;
  readonly refused?: RefusedName | undefined;
  readonly formToken: string;
}

/** The possessions deleted with an account, and the confirmation form. */
export function DeleteUserView({ action, name, possessions, isViewer, refused, formToken }: DeleteUserProps): Html {
  const texts = useTexts(adminTexts);
  const organizations = useTexts(orgTexts);
  const { repositories, organizations: alone } = possessions;
  if (isViewer) return <p class="notice">{texts.isSelf}</p>;
  return (
    <>
      {repositories.total + alone.total === 0 ? (
        <p>{texts.ownsNothing}</p>
      ) : (
        <>
          <p>{texts.goes}</p>
          <ul>
            {repositories.total > 0 && (
              <li>
                {texts.repositoriesGo(repositories.total)}
                <Names {...repositories} />
              </li>
            )}
            {alone.total > 0 && (
              <li>
                {texts.organizationsGo(alone.total)}
                <Names {...alone} />
              </li>
            )}
          </ul>
        </>
      )}
      <Form action={action} formToken={formToken} problem={refused?.problem}>
        <Field name="confirmation" label={organizations.confirm(name)} value={refused?.typed ?? ""} autocomplete="off" />
        <Submit label={texts.deleteUser} isDanger />
      </Form>
    </>
  );
}

function Names({ names, total }: Possessions["repositories"]): Html {
  const texts = useTexts(adminTexts);
  return (
    <ul>
      {names.map((name) => (
        <li>
          <a href={`/${name}`}>{name}</a>
        </li>
      ))}
      {total > names.length && <li>{texts.andMore(total - names.length)}</li>}
    </ul>
  );
}
