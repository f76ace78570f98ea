import { h } from "preact";
import { Field, Form, Problem } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";

export interface SecondFactorFacts {
  readonly name: string;
  readonly redirectTo: string;
  readonly formToken: string;
  readonly problem?: string | undefined;
}

export const SecondFactorView = ({ name, redirectTo, formToken, problem }: SecondFactorFacts): Html => [
  problem === undefined ? h("p", null, "The password of ", h("strong", null, name), " needs a code beside it.") : h(Problem, { text: problem }),
  h(
    Form,
    { action: "/user/two_factor", formToken, hidden: { redirect_to: redirectTo } },
    h(Field, {
      name: "passcode",
      label: "Code",
      autocomplete: "one-time-code",
      hint: "The six digits that your app shows now, or one of your recovery codes.",
      isInvalid: problem !== undefined,
      hasFocus: true,
    }),
    h("button", { class: "primary", type: "submit" }, "Go on"),
  ),
];
