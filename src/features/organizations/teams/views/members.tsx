import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { accountPath } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { Choice, Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { InvitationView } from "../invitations/model.ts";
import { Invitations } from "../invitations/views.tsx";
import { teamTexts } from "../texts/texts.ts";

export interface ListedMember {
  readonly name: string;
  readonly fullName: string;
  readonly avatarPath: string;
  readonly isPublic: boolean;
  readonly isOwner: boolean | undefined;
  readonly hasTwoFactor: boolean | undefined;
  readonly isViewer: boolean;
}

export interface NewMember {
  readonly user: string;
  readonly team: string;
}

export interface MembersProps {
  readonly organization: { readonly name: string; readonly isOwner: boolean };
  /** Path of the list. */
  readonly path: string;
  readonly members: readonly ListedMember[];
  readonly total: number;
  readonly page: Page;
  /** For owners: the teams to which a user can be added. */
  readonly teams: readonly string[] | undefined;
  /** For owners: the open invitations. */
  readonly invitations: readonly InvitationView[];
  /** The server sends email. */
  readonly canInvite: boolean;
  readonly refused?: { readonly values: NewMember; readonly problem: FormProblem } | undefined;
  /** The error of a refused button. */
  readonly refusal?: Explained | undefined;
  /** Empty for visitors, who are offered no actions. */
  readonly formToken: string;
}

/** The members of an organization that the viewer can see. */
export function MembersView(props: MembersProps): Html {
  const { organization, path, members, total, page, teams, refusal } = props;
  const texts = useTexts(teamTexts);
  return (
    <>
      {refusal !== undefined && <Refusal problem={refusal} />}
      {members.length === 0 ? (
        <Empty icon="people" title={texts.noPublicMembers(organization.name)}>
          <p>{texts.noPublicMembersHint}</p>
        </Empty>
      ) : (
        <Rows>
          {members.map((member) => (
            <Row action={<MemberActions {...props} member={member} />}>
              <Person {...member} />
              <Marks {...member} />
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <Invitations {...props} />
      {teams !== undefined && <AddMember {...props} teams={teams} />}
    </>
  );
}

/** A user's picture and name. */
export const Person = ({ name, fullName, avatarPath }: { readonly name: string; readonly fullName: string; readonly avatarPath: string }): Html => (
  <>
    <img class="avatar" src={avatarPath} width={24} height={24} alt="" loading="lazy" />{" "}
    <a href={accountPath(name)}>
      <strong>{name}</strong>
    </a>
    {fullName !== "" && <span class="soft">{` ${fullName}`}</span>}
  </>
);

/** The role, and further properties for readers who may know them. */
function Marks({ isOwner, isViewer, isPublic, hasTwoFactor }: ListedMember): Html {
  const texts = useTexts(teamTexts);
  return (
    <>
      {isViewer && (
        <>
          {" "}
          <span class="badge">{texts.you}</span>
        </>
      )}
      {isOwner !== undefined && (
        <div class="soft">
          {isOwner ? texts.owner : texts.member}
          {` · ${isPublic ? texts.isPublic : texts.isHidden}`}
          {hasTwoFactor === true && ` · ${texts.twoFactor}`}
          {hasTwoFactor === false && (
            <>
              {" · "}
              <span class="badge bad">{texts.noTwoFactor}</span>
            </>
          )}
        </div>
      )}
    </>
  );
}

function MemberActions({ organization, path, member, formToken }: MembersProps & { readonly member: ListedMember }): Html {
  const texts = useTexts(teamTexts);
  const { forms } = useTexts(sharedTexts);
  const { name, isViewer, isPublic } = member;
  if (formToken === "" || !(organization.isOwner || isViewer)) return null;
  const below = `${path}/${encodeSegment(name)}`;
  return (
    <div class="end">
      <Do action={`${below}/${isPublic ? "hide" : "show"}`} formToken={formToken} label={isPublic ? texts.hide : texts.show} of={texts.membershipOf(name)} />
      <Do action={`${below}/remove`} formToken={formToken} label={isViewer ? texts.leave : forms.remove} of={isViewer ? organization.name : name} isDanger />
    </div>
  );
}

function AddMember({ path, teams, canInvite, refused, formToken }: MembersProps & { readonly teams: readonly string[] }): Html {
  const texts = useTexts(teamTexts);
  return (
    <section class="page-form">
      <h2>{texts.add}</h2>
      <p class="soft">{texts.addHint}</p>
      <Form action={path} formToken={formToken} problem={refused?.problem}>
        <Field
          name="user"
          label={canInvite ? texts.invitations.userOrAddress : texts.userName}
          hint={canInvite ? texts.invitations.hint : texts.invitations.noEmail}
          value={refused?.values.user ?? ""}
          autocomplete="off"
        />
        <Choice name="team" label={texts.team} value={refused?.values.team ?? teams.at(-1) ?? ""} options={teams.map((name) => [name, name] as const)} />
        <Submit label={texts.add} />
      </Form>
    </section>
  );
}
