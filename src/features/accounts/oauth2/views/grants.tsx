import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { GrantView } from "../model.ts";
import { oauth2Texts } from "../texts/texts.ts";
import { describeScopes } from "./consent.tsx";

export interface GrantsProps {
  readonly grants: readonly GrantView[];
  readonly formToken: string;
}

/** The user's grants, described as on the consent page. */
export function GrantsView({ grants, formToken }: GrantsProps): Html {
  const { grants: texts, rights } = useTexts(oauth2Texts);
  if (grants.length === 0)
    return (
      <Empty icon="key" title={texts.none}>
        <p>{texts.noneHint}</p>
      </Empty>
    );
  return (
    <>
      <p>{texts.lead}</p>
      <Rows>
        {grants.map(({ id, application, scopes, updatedMs }) => (
          <Row action={<Do action={`/user/applications/${id}/revoke`} formToken={formToken} label={texts.takeBack} of={application.name} />}>
            <div>
              <strong>{application.name}</strong>
              {`, ${texts.since} `}
              <Moment ms={updatedMs} />
              {`, ${texts.can}`}
            </div>
            <ul class="soft">
              {describeScopes(rights, scopes).map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          </Row>
        ))}
      </Rows>
    </>
  );
}
