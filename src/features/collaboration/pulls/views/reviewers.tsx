import { pullPath, type RepositoryName } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { SidebarProps } from "../../issues/planning/sidebar-props.ts";
import { Narrow } from "../../issues/planning/views/plan-forms.tsx";
import { SidePanel } from "../../issues/planning/views/side.tsx";
import { issueTexts, planningTexts } from "../../issues/texts/texts.ts";
import { Person } from "../../issues/views/person.tsx";
import type { PullView } from "../model.ts";
import type { ReviewerStanding } from "../reviewing.ts";
import { compareTexts, pullTexts } from "../texts/texts.ts";
import { verdictIcons } from "./review.tsx";

interface ReviewersProps {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly side: SidebarProps;
  readonly standings: readonly ReviewerStanding[];
  /** Undefined for readers who cannot request reviews. */
  readonly formToken: string | undefined;
  /** Content below the reviewers. */
  readonly children?: Html;
}

const teamNames = ({ requestedTeams }: PullView): readonly string[] => requestedTeams.map(({ team, organization }) => `${organization.name}/${team.name}`);

/** The reviewers and their verdicts, with a panel to request and withdraw reviews. */
export function Reviewers(props: ReviewersProps): Html {
  const texts = useTexts(pullTexts);
  const issues = useTexts(issueTexts);
  const { pull, standings, formToken } = props;
  const teams = teamNames(pull);
  const requested = new Set(pull.requestedUsers.map(({ id }) => id));
  const waits = [
    " ",
    <span class="soft">
      <Icon name="clock" /> {texts.waitsForReview}
    </span>,
  ];
  return (
    <SidePanel name="reviewers" title={texts.reviewers} form={formToken !== undefined && <ReviewersForm {...props} formToken={formToken} />}>
      {requested.size + teams.length + standings.length === 0 && <span class="soft">{issues.noneSet}</span>}
      {standings
        .filter(({ reviewer }) => !requested.has(reviewer.id))
        .map((standing) => (
          <Standing {...props} standing={standing} />
        ))}
      {pull.requestedUsers.map((user) => (
        <p>
          <Person user={user} avatarSize={20} />
          {waits}
        </p>
      ))}
      {teams.map((name) => (
        <p>
          {name}
          {waits}
        </p>
      ))}
      {props.children}
    </SidePanel>
  );
}

/** The verdict of a reviewer, with a button to request another review. */
function Standing({ repository, pull, standing, formToken }: ReviewersProps & { readonly standing: ReviewerStanding }): Html {
  const texts = useTexts(pullTexts);
  const { reviewer, kind, isStale, anchorId } = standing;
  const words = [<Icon name={verdictIcons[kind]} />, " ", texts.verdicts[kind]];
  return (
    <div class={`standing ${kind}`}>
      <Person user={reviewer} avatarSize={20} /> {anchorId === null ? <span>{words}</span> : <a href={`#issuecomment-${anchorId}`}>{words}</a>}
      {isStale && <span class="soft">{texts.stale}</span>}
      {formToken !== undefined && (
        <Do
          action={`${pullPath(repository, pull.number)}/reviewers`}
          formToken={formToken}
          label={texts.askAgain}
          of={reviewer.name}
          hidden={{ names: reviewer.name, withdraw: "false" }}
        />
      )}
    </div>
  );
}

/** Ticks of the requested and possible reviewers. A script saves each change at once. */
function ReviewersForm({ repository, pull, side, standings, formToken }: ReviewersProps & { readonly formToken: string }): Html {
  const texts = useTexts(pullTexts);
  const planning = useTexts(planningTexts);
  const compare = useTexts(compareTexts);
  const { forms } = useTexts(sharedTexts);
  const teams = teamNames(pull);
  const requested = pull.requestedUsers.map(({ name }) => name);
  const known = [...pull.requestedUsers, ...standings.map(({ reviewer }) => reviewer), ...(side.choices?.people ?? [])];
  const people = [...new Map(known.map((user) => [user.id, user])).values()].filter(({ id }) => id !== pull.issue.posterId);
  return (
    <Form action={`${pullPath(repository, pull.number)}/side/reviewers`} formToken={formToken} name="reviewers">
      {/* A review that arrives while the page is open is not requested again: only differences to this list are saved. */}
      <input type="hidden" name="shown" value={[...requested, ...teams].join(", ")} data-saved="" />
      <fieldset class="choices">
        <legend>{texts.reviewers}</legend>
        <Narrow label={planning.narrow} />
        {people.map((user) => (
          <label class="tick" data-value={user.name}>
            <input type="checkbox" name="people" value={user.name} checked={requested.includes(user.name)} />
            <Avatar account={user} size={20} />
            <span>{user.name}</span>
          </label>
        ))}
        {teams.map((name) => (
          <label class="tick" data-value={name}>
            <input type="checkbox" name="people" value={name} checked />
            <Icon name="people" />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <Field name="names" label={texts.otherReviewers} value="" hint={compare.reviewersHint} autocomplete="off" isOptional holdsNames />
      <div class="bar">
        <button type="submit">{forms.save}</button>
      </div>
    </Form>
  );
}
