import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { accountPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Problem } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { sayProblem } from "../../../ui/refusals.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { OrganizationView } from "../../orgs/view.ts";

export interface OwnOrganizationsFacts {
  readonly path: string;
  readonly organizations: readonly OrganizationView[];
  readonly total: number;
  readonly page: Page;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Organizations that somebody belongs to, and the way out of each. */
export function OwnOrganizationsView({ path, organizations, total, page, problem, formToken }: OwnOrganizationsFacts): Html {
  const all = useTexts();
  const { organizations: texts } = all.account;
  const make = h("p", null, h("a", { class: "button", href: "/org/create" }, texts.make));
  if (organizations.length === 0) return h(Empty, { icon: "organization", title: texts.none }, h("p", null, texts.noneHint), make);
  return [
    problem !== undefined && h(Problem, { text: sayProblem(all, problem.message) }),
    h(
      Rows,
      null,
      organizations.map(({ name, fullName, description }) =>
        h(
          Row,
          { action: h(Do, { action: `${path}/${encodeSegment(name)}/leave`, formToken, label: texts.leave, of: name, isDanger: true }) },
          h("a", { href: accountPath(name) }, h("strong", null, name)),
          fullName !== "" && ` ${fullName}`,
          description !== "" && h("div", { class: "soft", dir: "auto" }, description),
        ),
      ),
    ),
    h(Pager, { path, page, total }),
    make,
  ];
}
