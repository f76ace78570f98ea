import type { FormProblem } from "../../../../core/form-problem.ts";
import { pullPath, type RepositoryName } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Person } from "../../issues/views/person.tsx";
import type { PullView } from "../../pulls/model.ts";
import { compareTexts } from "../../pulls/texts/texts.ts";
import { reviewTexts } from "../texts/texts.ts";

export interface RequestsProps {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly formToken: string;
  /** Names as entered. */
  readonly names: string;
  readonly problem: FormProblem | undefined;
}

/** Requested reviewers, with a form to request more. */
export function RequestsView({ repository, pull, formToken, names, problem }: RequestsProps): Html {
  const texts = useTexts(reviewTexts);
  const compare = useTexts(compareTexts);
  const { forms } = useTexts(sharedTexts);
  const action = `${pullPath(repository, pull.number)}/reviewers`;
  const teams = pull.requestedTeams.map(({ team, organization }) => `${organization.name}/${team.name}`);
  const withdraw = (name: string): Html => (
    <Do action={action} formToken={formToken} label={texts.withdraw} of={name} hidden={{ names: name, withdraw: "true" }} />
  );
  return (
    <>
      {pull.requestedUsers.length + teams.length === 0 ? (
        <Empty icon="people" title={texts.noReviewRequests} />
      ) : (
        <Rows>
          {pull.requestedUsers.map((user) => (
            <Row action={withdraw(user.name)}>
              <Person user={user} avatarSize={20} />
            </Row>
          ))}
          {teams.map((name) => (
            <Row action={withdraw(name)}>{name}</Row>
          ))}
        </Rows>
      )}
      <Form action={action} formToken={formToken} problem={problem} hidden={{ withdraw: "false" }}>
        <Field name="names" label={texts.ask} value={names} hint={compare.reviewersHint} autocomplete="off" />
        <div class="bar">
          <Submit label={texts.askThem} />
          <a href={pullPath(repository, pull.number)}>{forms.cancel}</a>
        </div>
      </Form>
    </>
  );
}
