import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { accountPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Choice, Field, Form, Refusal, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

/** Somebody in an organization, as its list shows him. */
export interface ListedMember {
  readonly name: string;
  readonly fullName: string;
  readonly avatarUrl: string;
  readonly isPublic: boolean;
  readonly isOwner: boolean | undefined;
  readonly isViewer: boolean;
}

export interface NewMember {
  readonly user: string;
  readonly team: string;
}

export interface MembersFacts {
  readonly organization: { readonly name: string; readonly isOwner: boolean };
  /** Of the list. */
  readonly path: string;
  readonly members: readonly ListedMember[];
  readonly total: number;
  readonly page: Page;
  /** Set for owners: the teams that somebody can be put into. */
  readonly teams: readonly string[] | undefined;
  readonly refused?: { readonly values: NewMember; readonly problem: FormProblem } | undefined;
  /** Why what a button does was refused. */
  readonly refusal?: string | undefined;
  /** Empty for who has not signed in, who is offered nothing to do. */
  readonly formToken: string;
}

/** Who belongs to an organization, as far as the reader may know. */
export function MembersView(facts: MembersFacts): Html {
  const { organization, path, members, total, page, teams, refusal } = facts;
  const { teams: texts } = useTexts();
  return [
    refusal !== undefined && h(Refusal, { message: refusal }),
    members.length === 0
      ? h(Empty, { icon: "people", title: texts.nobodyShown(organization.name) }, h("p", null, texts.nobodyShownHint))
      : h(
          Rows,
          null,
          members.map((member) => h(Row, { action: h(MemberActions, { ...facts, member }) }, h(Person, member), h(Marks, member))),
        ),
    h(Pager, { path, page, total }),
    teams !== undefined && h(AddMember, { ...facts, teams }),
  ];
}

/** Somebody by picture and name. */
export const Person = ({ name, fullName, avatarUrl }: { readonly name: string; readonly fullName: string; readonly avatarUrl: string }): Html => [
  h("img", { class: "avatar", src: avatarUrl, width: 24, height: 24, alt: "", loading: "lazy" }),
  " ",
  h("a", { href: accountPath(name) }, h("strong", null, name)),
  fullName !== "" && h("span", { class: "soft" }, ` ${fullName}`),
];

function Marks({ isOwner, isViewer, isPublic }: ListedMember): Html {
  const { teams: texts } = useTexts();
  return [
    isOwner === true && [" ", h("span", { class: "badge" }, texts.owner)],
    isViewer && [" ", h("span", { class: "badge" }, texts.you)],
    isOwner !== undefined && h("div", { class: "soft" }, isPublic ? texts.isPublic : texts.isHidden),
  ];
}

function MemberActions({ organization, path, member, formToken }: MembersFacts & { readonly member: ListedMember }): Html {
  const { teams: texts, forms } = useTexts();
  const { name, isViewer, isPublic } = member;
  if (formToken === "" || !(organization.isOwner || isViewer)) return null;
  const below = `${path}/${encodeSegment(name)}`;
  return h(
    "div",
    { class: "end" },
    h(Do, { action: `${below}/${isPublic ? "hide" : "show"}`, formToken, label: isPublic ? texts.hide : texts.show, of: texts.membershipOf(name) }),
    h(Do, { action: `${below}/remove`, formToken, label: isViewer ? texts.leave : forms.remove, of: isViewer ? organization.name : name, isDanger: true }),
  );
}

function AddMember({ path, teams, refused, formToken }: MembersFacts & { readonly teams: readonly string[] }): Html {
  const { teams: texts, forms } = useTexts();
  return h(
    "section",
    null,
    h("h2", null, texts.add),
    h("p", { class: "soft" }, texts.addHint),
    h(
      Form,
      { action: path, formToken, problem: refused?.problem },
      h(Field, { name: "user", label: texts.userName, value: refused?.values.user ?? "", autocomplete: "off" }),
      h(Choice, { name: "team", label: texts.team, value: refused?.values.team ?? teams.at(-1) ?? "", options: teams.map((name) => [name, name] as const) }),
      h(Submit, { label: forms.add }),
    ),
  );
}
