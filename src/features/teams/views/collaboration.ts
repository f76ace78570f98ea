import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { accountPath, type RepositoryName, settingsPath } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.ts";
import { Choice, Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

/** What is typed into the forms that let people and teams in. */
export interface LetIn {
  readonly name: string;
  readonly mode: string;
}

export interface CollaborationFacts {
  readonly repository: RepositoryName;
  readonly collaborators: readonly { readonly name: string; readonly fullName: string; readonly mode: "read" | "write" | "admin" }[];
  readonly total: number;
  readonly page: Page;
  /** Undefined where a user owns the repository. */
  readonly teams: readonly { readonly name: string; readonly mode: string; readonly hasAll: boolean }[] | undefined;
  readonly refused?: { readonly form: "person" | "team"; readonly values: LetIn; readonly problem: FormProblem } | undefined;
  readonly formToken: string;
}

/** Who works on a repository besides its owner. */
export function CollaborationView(facts: CollaborationFacts): Html {
  const { repository, collaborators, total, page, refused, formToken } = facts;
  const { settings, forms } = useTexts();
  const texts = settings.collaboration;
  const path = settingsPath(repository, "/collaboration");
  const typed = refused?.form === "person" ? refused : undefined;
  return [
    h(
      "section",
      null,
      h("h2", null, texts.people),
      collaborators.length === 0
        ? h("p", { class: "soft" }, texts.none)
        : h(
            Rows,
            null,
            collaborators.map((one) => h(Row, { action: h(Change, { path, formToken, ...one }) }, h(Person, one))),
          ),
      h(Pager, { path, page, total }),
      h("h3", null, texts.add),
      h(
        Form,
        { action: path, formToken, name: "person", problem: typed?.problem },
        h(Field, { name: "name", label: texts.name, value: typed?.values.name ?? "", autocomplete: "off" }),
        h(Mode, { value: typed?.values.mode ?? "write" }),
        h(Submit, { label: forms.add }),
      ),
    ),
    h(Teams, { path, ...facts }),
  ];
}

const Person = ({ name, fullName }: { readonly name: string; readonly fullName: string }): Html => [
  h("a", { href: accountPath(name) }, h("strong", null, name)),
  fullName !== "" && h("span", { class: "soft" }, ` ${fullName}`),
];

function Mode({ value }: { readonly value: string }): Html {
  const { mode, modes } = useTexts().settings.collaboration;
  const options = (["read", "write", "admin"] as const).map((one) => [one, modes[one]] as const);
  return h(Choice, { name: "mode", label: mode, value, options });
}

interface ChangeFacts {
  readonly path: string;
  readonly formToken: string;
  readonly name: string;
  readonly mode: string;
}

function Change({ path, formToken, name, mode }: ChangeFacts): Html {
  const { settings, forms } = useTexts();
  return h(
    "div",
    { class: "end" },
    h(
      Form,
      { action: path, formToken, name: `of-${name}`, hidden: { name }, isInline: true },
      h(Mode, { value: mode }),
      h("button", { type: "submit", "aria-label": `${settings.collaboration.change}: ${name}` }, settings.collaboration.change),
    ),
    h(Do, { action: `${path}/${encodeSegment(name)}/remove`, formToken, label: forms.remove, of: name, isDanger: true }),
  );
}

function Teams({ path, teams, refused, formToken }: CollaborationFacts & { readonly path: string }): Html {
  const { settings, forms } = useTexts();
  const texts = settings.collaboration;
  if (teams === undefined) return null;
  const typed = refused?.form === "team" ? refused : undefined;
  return h(
    "section",
    null,
    h("h2", null, texts.teams),
    h("p", { class: "soft" }, texts.ownerPath),
    teams.length === 0
      ? h("p", { class: "soft" }, texts.noTeams)
      : h(
          Rows,
          null,
          teams.map(({ name, mode, hasAll }) =>
            h(
              Row,
              { action: !hasAll && h(Do, { action: `${path}/teams/${encodeSegment(name)}/remove`, formToken, label: forms.remove, of: name, isDanger: true }) },
              h("strong", null, name),
              h("span", { class: "soft" }, ` ${mode}${hasAll ? `, ${texts.allRepositories}` : ""}`),
            ),
          ),
        ),
    h("h3", null, texts.addTeam),
    h(
      Form,
      { action: `${path}/teams`, formToken, name: "team", problem: typed?.problem },
      h(Field, { name: "name", label: texts.teamName, value: typed?.values.name ?? "", autocomplete: "off" }),
      h(Submit, { label: forms.add }),
    ),
  );
}
