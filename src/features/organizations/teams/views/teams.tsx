import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { organizationPath, repositoryPath } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { InvitationView } from "../invitations/model.ts";
import { Invitations } from "../invitations/views.tsx";
import type { CountedTeam, TeamView } from "../model.ts";
import { teamTexts } from "../texts/texts.ts";
import { Person } from "./members.tsx";

interface Place {
  readonly name: string;
  readonly isOwner: boolean;
}

export const teamPath = (organization: { readonly name: string }, team: string, below = ""): string =>
  organizationPath(organization.name, `/teams/${encodeSegment(team)}${below}`);

export interface TeamsProps {
  readonly organization: Place;
  readonly teams: readonly CountedTeam[];
  readonly total: number;
  readonly page: Page;
}

export function TeamsView({ organization, teams, total, page }: TeamsProps): Html {
  const texts = useTexts(teamTexts);
  const path = organizationPath(organization.name, "/teams");
  return (
    <>
      <div class="bar">
        <span class="soft">{texts.intro}</span>
        {organization.isOwner && (
          <div class="end">
            <a class="button primary" href={`${path}/new`}>
              <Icon name="plus" />
              {texts.new}
            </a>
          </div>
        )}
      </div>
      <Rows>
        {teams.map((team) => (
          <Row
            action={
              <span class="soft">
                {texts.members(team.membersCount)}
                {" · "}
                <Extent team={team} count={team.repositoriesCount} />
              </span>
            }
          >
            <a href={teamPath(organization, team.name)}>
              <strong>{team.name}</strong>
            </a>
            {team.mode !== "none" && (
              <>
                {" "}
                <span class="badge">{team.mode === "owner" ? texts.owner : texts.administers}</span>
              </>
            )}
            {team.description !== "" && (
              <div class="soft" dir="auto">
                {team.description}
              </div>
            )}
          </Row>
        ))}
      </Rows>
      <Pager path={path} page={page} total={total} />
    </>
  );
}

/** Whether a team has all repositories without listing each. */
export const hasAllRepositories = ({ mode, includesAllRepositories }: Pick<TeamView, "mode" | "includesAllRepositories">): boolean =>
  mode === "owner" || includesAllRepositories;

function Extent({ team, count }: { readonly team: TeamView; readonly count: number }): Html {
  const texts = useTexts(teamTexts);
  return hasAllRepositories(team) ? texts.allRepositories : texts.repositories(count);
}

export type TeamTab = "members" | "repositories" | "edit";

export interface TeamFrameProps {
  readonly organization: Place;
  readonly team: TeamView;
  readonly tab: TeamTab;
  readonly children?: Html;
}

/** The header and tabs of a team's pages. */
export function TeamFrame({ organization, team, tab, children }: TeamFrameProps): Html {
  const texts = useTexts(teamTexts);
  const parts: readonly (readonly [TeamTab, string])[] = [
    ["members", ""],
    ["repositories", "/repositories"],
    ...(organization.isOwner ? ([["edit", "/edit"]] as const) : []),
  ];
  return (
    <>
      {team.description !== "" && (
        <p class="soft" dir="auto">
          {team.description}
        </p>
      )}
      <div class="bar">
        <nav class="switch" aria-label={texts.parts(team.name)}>
          {parts.map(([part, below]) => (
            <a href={teamPath(organization, team.name, below)} {...(part === tab && { "aria-current": "page" })}>
              {texts.tabs[part]}
            </a>
          ))}
        </nav>
      </div>
      {children}
    </>
  );
}

/** A form with a single name, with its error if refused. */
interface NameForm {
  readonly typed: string;
  readonly problem: FormProblem;
}

export interface TeamMembersProps {
  readonly organization: Place;
  readonly team: TeamView;
  readonly members: readonly { readonly name: string; readonly fullName: string; readonly avatarPath: string; readonly isViewer: boolean }[];
  readonly total: number;
  readonly page: Page;
  /** The open invitations to the team, for owners. */
  readonly invitations: readonly InvitationView[];
  /** The server sends email. */
  readonly canInvite: boolean;
  readonly refused?: NameForm | undefined;
  readonly refusal?: Explained | undefined;
  readonly formToken: string;
}

export function TeamMembersView({ organization, team, members, total, page, invitations, canInvite, refused, refusal, formToken }: TeamMembersProps): Html {
  const texts = useTexts(teamTexts);
  const { forms } = useTexts(sharedTexts);
  const path = teamPath(organization, team.name);
  return (
    <>
      {refusal !== undefined && <Refusal problem={refusal} />}
      {members.length === 0 ? (
        <Empty icon="people" title={texts.noMembers}>
          <p>{texts.noMembersHint}</p>
        </Empty>
      ) : (
        <Rows>
          {members.map((member) => {
            const { name, isViewer } = member;
            const label = isViewer ? texts.leave : forms.remove;
            const of = isViewer ? team.name : name;
            const end = <Do action={`${path}/members/${encodeSegment(name)}/remove`} formToken={formToken} label={label} of={of} isDanger />;
            return (
              <Row action={(organization.isOwner || isViewer) && end}>
                <Person {...member} />
              </Row>
            );
          })}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <Invitations organization={organization} invitations={invitations} formToken={formToken} />
      {organization.isOwner && (
        <section class="page-form">
          <h2>{texts.addTo}</h2>
          <Form action={`${path}/members`} formToken={formToken} problem={refused?.problem}>
            <Field
              name="user"
              label={canInvite ? texts.invitations.userOrAddress : texts.userName}
              hint={canInvite ? texts.invitations.hint : texts.invitations.noEmail}
              value={refused?.typed ?? ""}
              autocomplete="off"
            />
            <Submit label={texts.addTo} />
          </Form>
        </section>
      )}
    </>
  );
}

export interface TeamRepositoriesProps {
  readonly organization: Place;
  readonly team: TeamView;
  readonly repositories: readonly { readonly name: string; readonly isPrivate: boolean; readonly description: string }[];
  readonly total: number;
  readonly page: Page;
  readonly refused?: NameForm | undefined;
  readonly formToken: string;
}

/** The repositories of a team that the viewer can see. */
export function TeamRepositoriesView({ organization, team, repositories, total, page, refused, formToken }: TeamRepositoriesProps): Html {
  const texts = useTexts(teamTexts);
  const { forms } = useTexts(sharedTexts);
  const path = teamPath(organization, team.name, "/repositories");
  const hasAll = hasAllRepositories(team);
  const canChange = organization.isOwner && !hasAll;
  return (
    <>
      {hasAll && <p class="soft">{texts.hasAll}</p>}
      {repositories.length === 0 ? (
        <Empty icon="repo" title={texts.noRepositories}>
          {canChange && <p>{texts.noRepositoriesHint}</p>}
        </Empty>
      ) : (
        <Rows>
          {repositories.map(({ name, isPrivate, description }) => (
            <Row action={canChange && <Do action={`${path}/${encodeSegment(name)}/remove`} formToken={formToken} label={forms.remove} of={name} isDanger />}>
              <Icon name={isPrivate ? "lock" : "repo"} />{" "}
              <a href={repositoryPath({ ownerName: organization.name, name })}>
                <strong>{name}</strong>
              </a>
              {description !== "" && (
                <div class="soft" dir="auto">
                  {description}
                </div>
              )}
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      {canChange && (
        <section class="page-form">
          <h2>{texts.give}</h2>
          <Form action={path} formToken={formToken} problem={refused?.problem}>
            <Field name="repository" label={texts.repository} value={refused?.typed ?? ""} autocomplete="off" />
            <Submit label={texts.give} />
          </Form>
        </section>
      )}
    </>
  );
}
