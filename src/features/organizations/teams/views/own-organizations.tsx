import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { Account } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Problem } from "../../../../ui/form-problems.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sayProblem } from "../../../../ui/refusals.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { OrganizationView } from "../../orgs/model.ts";
import { teamTexts } from "../texts/texts.ts";

export interface OwnOrganizationsProps {
  readonly path: string;
  readonly organizations: readonly OrganizationView[];
  readonly total: number;
  readonly page: Page;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The user's organizations, each with a button to leave it. */
export function OwnOrganizationsView({ path, organizations, total, page, problem, formToken }: OwnOrganizationsProps): Html {
  const all = useTexts(sharedTexts);
  const texts = useTexts(teamTexts).ownOrganizations;
  const make = (
    <p>
      <a class="button primary" href="/org/create">
        {texts.make}
      </a>
    </p>
  );
  if (organizations.length === 0)
    return (
      <Empty icon="organization" title={texts.none}>
        <p>{texts.noneHint}</p>
        {make}
      </Empty>
    );
  return (
    <>
      {problem !== undefined && <Problem text={sayProblem(all, problem)} />}
      <Rows>
        {organizations.map(({ name, fullName, email, avatar, description }) => (
          <Row action={<Do action={`${path}/${encodeSegment(name)}/leave`} formToken={formToken} label={texts.leave} of={name} isDanger />}>
            <Account account={{ name, fullName, email, avatar, kind: "organization" }} />
            {description !== "" && (
              <div class="soft" dir="auto">
                {description}
              </div>
            )}
          </Row>
        ))}
      </Rows>
      <Pager path={path} page={page} total={total} />
      {make}
    </>
  );
}
