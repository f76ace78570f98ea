import type { FormProblem } from "../../../../core/form-problem.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { RepositoryView } from "../../repos/model.ts";
import { maxPins, type PinningAccount, pinSteps } from "../model.ts";
import { pinTexts } from "../texts/texts.ts";

export interface PinsProps {
  readonly account: PinningAccount;
  /** Path of the page; its forms are below it. */
  readonly path: string;
  readonly pins: readonly RepositoryView[];
  /** Names of repositories that the reader may want to pin. */
  readonly offered: readonly string[];
  readonly typed: string;
  readonly problem: FormProblem | undefined;
  readonly formToken: string;
}

/** The page that chooses and orders the pinned repositories of a profile. */
export function PinsView({ account, path, pins, offered, typed, problem, formToken }: PinsProps): Html {
  const texts = useTexts(pinTexts);
  const isOrganization = account.kind === "organization";
  const hint = (isOrganization ? texts.organizationHint : texts.hint)(maxPins);
  return (
    <>
      {pins.length === 0 ? (
        <Empty icon="pin" title={texts.none}>
          <p>{hint}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{hint}</p>
          <Rows>
            {pins.map((repository, at) => (
              <Row
                {...(pins.length > 1 && {
                  drag: { action: `${path}/move`, fields: { id: String(repository.id) }, field: "to", position: String(at + 1) },
                })}
                action={
                  <div class="end">
                    <Move path={path} formToken={formToken} repository={repository} isFirst={at === 0} isLast={at === pins.length - 1} />
                    <Do action={`${path}/remove`} formToken={formToken} label={texts.unpin} of={fullName(repository)} hidden={{ id: String(repository.id) }} />
                  </div>
                }
              >
                <a id={`pin-${repository.id}`} href={repositoryPath({ ownerName: repository.owner.name, name: repository.name })}>
                  {fullName(repository)}
                </a>
                {repository.description !== "" && (
                  <p class="soft" dir="auto">
                    {repository.description}
                  </p>
                )}
              </Row>
            ))}
          </Rows>
        </>
      )}
      {pins.length >= maxPins && problem === undefined ? (
        <p class="soft">{texts.full(maxPins)}</p>
      ) : (
        <section>
          <h2>{texts.add}</h2>
          <Form action={path} formToken={formToken} problem={problem}>
            <Field
              name="repository"
              label={texts.repository}
              value={typed}
              hint={isOrganization ? texts.ownHint : texts.repositoryHint}
              suggestions={offered}
              autocomplete="off"
            />
            <Submit label={texts.pin} />
          </Form>
        </section>
      )}
    </>
  );
}

const fullName = ({ owner, name }: RepositoryView): string => `${owner.name}/${name}`;

interface MoveProps {
  readonly path: string;
  readonly formToken: string;
  readonly repository: RepositoryView;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The buttons that move a pinned repository. */
function Move({ path, formToken, repository, isFirst, isLast }: MoveProps): Html {
  const texts = useTexts(pinTexts);
  return (
    <form class="end" method="post" action={`${path}/move`}>
      <FormToken value={formToken} />
      <input type="hidden" name="id" value={String(repository.id)} />
      {pinSteps.map(
        (to) =>
          !(to === "up" ? isFirst : isLast) && (
            <button type="submit" name="to" value={to} aria-label={`${texts.moves[to]}: ${fullName(repository)}`}>
              {texts.moves[to]}
            </button>
          ),
      )}
    </form>
  );
}
