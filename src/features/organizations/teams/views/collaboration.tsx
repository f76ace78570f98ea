import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { encodeSegment, type Pictured } from "../../../../core/urls.ts";
import { type RepositoryName, settingsPath } from "../../../../ui/addresses.ts";
import { Account } from "../../../../ui/avatar.tsx";
import { Pager } from "../../../../ui/blocks.tsx";
import { Choice, Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { teamTexts } from "../texts/texts.ts";

/** Values of the forms that add collaborators and teams. */
export interface LetIn {
  readonly name: string;
  readonly mode: string;
}

export interface CollaborationProps {
  readonly repository: RepositoryName;
  readonly collaborators: readonly (Pictured & { readonly fullName: string; readonly mode: "read" | "write" | "admin" })[];
  readonly total: number;
  readonly page: Page;
  /** Undefined for a user's repository. */
  readonly teams: readonly { readonly name: string; readonly mode: string; readonly hasAll: boolean }[] | undefined;
  readonly refused?: { readonly form: "person" | "team"; readonly values: LetIn; readonly problem: FormProblem } | undefined;
  readonly formToken: string;
}

/** The collaboration settings of a repository. */
export function CollaborationView(props: CollaborationProps): Html {
  const { repository, collaborators, total, page, refused, formToken } = props;
  const settings = useTexts(teamTexts);
  const texts = settings.collaboration;
  const path = settingsPath(repository, "/collaboration");
  const typed = refused?.form === "person" ? refused : undefined;
  return (
    <>
      <section>
        <h2>{texts.people}</h2>
        {collaborators.length === 0 ? (
          <p class="soft">{texts.none}</p>
        ) : (
          <Rows>
            {collaborators.map((one) => (
              <Row action={<Change path={path} formToken={formToken} {...one} />}>
                <Account account={one} />
              </Row>
            ))}
          </Rows>
        )}
        <Pager path={path} page={page} total={total} />
        <h3>{texts.add}</h3>
        <Form action={path} formToken={formToken} name="person" problem={typed?.problem}>
          <Field name="name" label={texts.name} value={typed?.values.name ?? ""} autocomplete="off" />
          <Mode value={typed?.values.mode ?? "write"} />
          <Submit label={texts.add} />
        </Form>
      </section>
      <Teams path={path} {...props} />
    </>
  );
}

function Mode({ value }: { readonly value: string }): Html {
  const mode = useTexts(teamTexts).collaboration.mode;
  const modes = useTexts(teamTexts).collaboration.modes;
  const options = (["read", "write", "admin"] as const).map((one) => [one, modes[one]] as const);
  return <Choice name="mode" label={mode} value={value} options={options} />;
}

interface ChangeProps {
  readonly path: string;
  readonly formToken: string;
  readonly name: string;
  readonly mode: string;
}

function Change({ path, formToken, name, mode }: ChangeProps): Html {
  const settings = useTexts(teamTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <div class="end">
      <Form action={path} formToken={formToken} name={`of-${name}`} hidden={{ name }} isInline>
        <Mode value={mode} />
        <button type="submit" aria-label={`${settings.collaboration.change}: ${name}`}>
          {settings.collaboration.change}
        </button>
      </Form>
      <Do action={`${path}/${encodeSegment(name)}/remove`} formToken={formToken} label={forms.remove} of={name} isDanger />
    </div>
  );
}

function Teams({ path, teams, refused, formToken }: CollaborationProps & { readonly path: string }): Html {
  const settings = useTexts(teamTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = settings.collaboration;
  if (teams === undefined) return null;
  const typed = refused?.form === "team" ? refused : undefined;
  return (
    <section>
      <h2>{texts.teams}</h2>
      <p class="soft">{texts.ownerPath}</p>
      {teams.length === 0 ? (
        <p class="soft">{texts.noTeams}</p>
      ) : (
        <Rows>
          {teams.map(({ name, mode, hasAll }) => (
            <Row
              action={!hasAll && <Do action={`${path}/teams/${encodeSegment(name)}/remove`} formToken={formToken} label={forms.remove} of={name} isDanger />}
            >
              <strong>{name}</strong>
              <span class="soft">{` ${mode}${hasAll ? `, ${texts.allRepositories}` : ""}`}</span>
            </Row>
          ))}
        </Rows>
      )}
      <h3>{texts.addTeam}</h3>
      <Form action={`${path}/teams`} formToken={formToken} name="team" problem={typed?.problem}>
        <Field name="name" label={texts.teamName} value={typed?.values.name ?? ""} autocomplete="off" />
        <Submit label={texts.addTeam} isSecondary />
      </Form>
    </section>
  );
}
