import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { pullPath, type RepositoryName } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Person } from "../../issues/views/person.ts";
import type { PullView } from "../../pulls/view.ts";

export interface RequestsFacts {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly formToken: string;
  /** As it was typed. */
  readonly names: string;
  readonly problem: FormProblem | undefined;
}

/** Who is asked for a review, and whom else to ask. */
export function RequestsView({ repository, pull, formToken, names, problem }: RequestsFacts): Html {
  const { reviewing: texts, compare, forms } = useTexts();
  const action = `${pullPath(repository, pull.number)}/reviewers`;
  const teams = pull.requestedTeams.map(({ team, organization }) => `${organization.name}/${team.name}`);
  const withdraw = (name: string): Html => h(Do, { action, formToken, label: texts.withdraw, of: name, hidden: { names: name, withdraw: "true" } });
  return [
    pull.requestedUsers.length + teams.length === 0
      ? h(Empty, { icon: "people", title: texts.nobodyAsked })
      : h(
          Rows,
          null,
          pull.requestedUsers.map((user) => h(Row, { action: withdraw(user.name) }, h(Person, { user }))),
          teams.map((name) => h(Row, { action: withdraw(name) }, name)),
        ),
    h(
      Form,
      { action, formToken, problem, hidden: { withdraw: "false" } },
      h(Field, { name: "names", label: texts.ask, value: names, hint: compare.reviewersHint, autocomplete: "off" }),
      h("div", { class: "bar" }, h(Submit, { label: texts.askThem }), h("a", { href: pullPath(repository, pull.number) }, forms.cancel)),
    ),
  ];
}
