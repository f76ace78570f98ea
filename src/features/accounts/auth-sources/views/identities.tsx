import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { IdentityView } from "../model.ts";
import { authSourceTexts } from "../texts/texts.ts";

export interface IdentitiesProps {
  readonly identities: readonly IdentityView[];
  /** Names of sources that are not linked yet. */
  readonly others: readonly string[];
  readonly formToken: string;
}

export function IdentitiesView({ identities, others, formToken }: IdentitiesProps): Html {
  const texts = useTexts(authSourceTexts).identities;
  if (identities.length === 0 && others.length === 0)
    return (
      <Empty icon="person" title={texts.none}>
        <p>{texts.noneHint}</p>
      </Empty>
    );
  return (
    <>
      <p>{identities.length === 0 ? texts.unlinked : texts.lead}</p>
      <Rows>
        {identities.map(({ id, sourceName, label }) => (
          <Row action={<Do action={`/user/identities/${id}/unlink`} formToken={formToken} label={texts.unlink} of={sourceName} />}>
            <strong>{sourceName}</strong>
            <div class="soft">{label}</div>
          </Row>
        ))}
        {others.map((name) => (
          <Row action={<Do action={`/user/oauth2/${encodeURIComponent(name)}/link`} formToken={formToken} label={texts.link} of={name} />}>
            <strong>{name}</strong>
          </Row>
        ))}
      </Rows>
    </>
  );
}
