import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { organizationPath, repositoryPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Field, Form, Refusal, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { CountedTeam, TeamView } from "../view.ts";
import { Person } from "./members.ts";

interface Place {
  readonly name: string;
  readonly isOwner: boolean;
}

export const teamPath = (organization: { readonly name: string }, team: string, below = ""): string =>
  organizationPath(organization.name, `/teams/${encodeSegment(team)}${below}`);

export interface TeamsFacts {
  readonly organization: Place;
  readonly teams: readonly CountedTeam[];
  readonly total: number;
  readonly page: Page;
}

/** The teams of an organization. */
export function TeamsView({ organization, teams, total, page }: TeamsFacts): Html {
  const { teams: texts } = useTexts();
  const path = organizationPath(organization.name, "/teams");
  return [
    h(
      "div",
      { class: "bar" },
      h("span", { class: "soft" }, texts.intro),
      organization.isOwner && h("div", { class: "end" }, h("a", { class: "button", href: `${path}/new` }, h(Icon, { name: "plus" }), texts.new)),
    ),
    h(
      Rows,
      null,
      teams.map((team) =>
        h(
          Row,
          { action: h("span", { class: "soft" }, texts.members(team.membersCount), " · ", h(Extent, { team, count: team.repositoriesCount })) },
          h("a", { href: teamPath(organization, team.name) }, h("strong", null, team.name)),
          team.mode !== "none" && [" ", h("span", { class: "badge" }, team.mode === "owner" ? texts.owner : texts.administers)],
          team.description !== "" && h("div", { class: "soft", dir: "auto" }, team.description),
        ),
      ),
    ),
    h(Pager, { path, page, total }),
  ];
}

/** Whether a team has repositories without being given each. */
export const hasAllRepositories = ({ mode, includesAllRepositories }: Pick<TeamView, "mode" | "includesAllRepositories">): boolean =>
  mode === "owner" || includesAllRepositories;

function Extent({ team, count }: { readonly team: TeamView; readonly count: number }): Html {
  const { teams: texts } = useTexts();
  return hasAllRepositories(team) ? texts.allRepositories : texts.repositories(count);
}

export type TeamTab = "members" | "repositories" | "edit";

export interface TeamFrameFacts {
  readonly organization: Place;
  readonly team: TeamView;
  readonly tab: TeamTab;
  readonly children?: Html;
}

/** The parts of a team above one of them. */
export function TeamFrame({ organization, team, tab, children }: TeamFrameFacts): Html {
  const { teams: texts } = useTexts();
  const parts: readonly (readonly [TeamTab, string])[] = [
    ["members", ""],
    ["repositories", "/repositories"],
    ...(organization.isOwner ? ([["edit", "/edit"]] as const) : []),
  ];
  return [
    team.description !== "" && h("p", { class: "soft", dir: "auto" }, team.description),
    h(
      "div",
      { class: "bar" },
      h(
        "nav",
        { class: "switch", "aria-label": texts.parts(team.name) },
        parts.map(([part, below]) =>
          h("a", { href: teamPath(organization, team.name, below), ...(part === tab && { "aria-current": "page" }) }, texts.tabs[part]),
        ),
      ),
    ),
    children,
  ];
}

/** A form of one name, refused or not. */
interface NameForm {
  readonly typed: string;
  readonly problem: FormProblem;
}

export interface TeamMembersFacts {
  readonly organization: Place;
  readonly team: TeamView;
  readonly members: readonly { readonly name: string; readonly fullName: string; readonly avatarUrl: string; readonly isViewer: boolean }[];
  readonly total: number;
  readonly page: Page;
  readonly refused?: NameForm | undefined;
  readonly refusal?: string | undefined;
  readonly formToken: string;
}

/** Who is in a team. */
export function TeamMembersView({ organization, team, members, total, page, refused, refusal, formToken }: TeamMembersFacts): Html {
  const { teams: texts, forms } = useTexts();
  const path = teamPath(organization, team.name);
  return [
    refusal !== undefined && h(Refusal, { message: refusal }),
    members.length === 0
      ? h(Empty, { icon: "people", title: texts.noMembers }, h("p", null, texts.noMembersHint))
      : h(
          Rows,
          null,
          members.map((member) => {
            const { name, isViewer } = member;
            const label = isViewer ? texts.leave : forms.remove;
            const of = isViewer ? team.name : name;
            const end = h(Do, { action: `${path}/members/${encodeSegment(name)}/remove`, formToken, label, of, isDanger: true });
            return h(Row, { action: (organization.isOwner || isViewer) && end }, h(Person, member));
          }),
        ),
    h(Pager, { path, page, total }),
    organization.isOwner &&
      h(
        "section",
        null,
        h("h2", null, texts.addTo),
        h(
          Form,
          { action: `${path}/members`, formToken, problem: refused?.problem },
          h(Field, { name: "user", label: texts.userName, value: refused?.typed ?? "", autocomplete: "off" }),
          h(Submit, { label: forms.add }),
        ),
      ),
  ];
}

export interface TeamRepositoriesFacts {
  readonly organization: Place;
  readonly team: TeamView;
  readonly repositories: readonly { readonly name: string; readonly isPrivate: boolean; readonly description: string }[];
  readonly total: number;
  readonly page: Page;
  readonly refused?: NameForm | undefined;
  readonly formToken: string;
}

/** Which repositories a team has, as far as the reader sees them. */
export function TeamRepositoriesView({ organization, team, repositories, total, page, refused, formToken }: TeamRepositoriesFacts): Html {
  const { teams: texts, forms } = useTexts();
  const path = teamPath(organization, team.name, "/repositories");
  const hasAll = hasAllRepositories(team);
  const canChange = organization.isOwner && !hasAll;
  return [
    hasAll && h("p", { class: "soft" }, texts.hasAll),
    repositories.length === 0
      ? h(Empty, { icon: "repo", title: texts.noRepositories }, canChange && h("p", null, texts.noRepositoriesHint))
      : h(
          Rows,
          null,
          repositories.map(({ name, isPrivate, description }) =>
            h(
              Row,
              { action: canChange && h(Do, { action: `${path}/${encodeSegment(name)}/remove`, formToken, label: forms.remove, of: name, isDanger: true }) },
              h(Icon, { name: isPrivate ? "lock" : "repo" }),
              " ",
              h("a", { href: repositoryPath({ ownerName: organization.name, name }) }, h("strong", null, name)),
              description !== "" && h("div", { class: "soft", dir: "auto" }, description),
            ),
          ),
        ),
    h(Pager, { path, page, total }),
    canChange &&
      h(
        "section",
        null,
        h("h2", null, texts.give),
        h(
          Form,
          { action: path, formToken, problem: refused?.problem },
          h(Field, { name: "repository", label: texts.repository, value: refused?.typed ?? "", autocomplete: "off" }),
          h(Submit, { label: forms.add }),
        ),
      ),
  ];
}
