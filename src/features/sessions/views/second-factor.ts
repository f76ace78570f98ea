import { h } from "preact";
import { Field, Form, Problem } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface SecondFactorFacts {
  readonly name: string;
  readonly redirectTo: string;
  readonly formToken: string;
  readonly problem?: string | undefined;
}

export function SecondFactorView({ name, redirectTo, formToken, problem }: SecondFactorFacts): Html {
  const { secondFactor: texts, goOn } = useTexts().signing;
  return [
    problem === undefined ? h("p", null, texts.needed, h("strong", null, name), texts.neededRest) : h(Problem, { text: problem }),
    h(
      Form,
      { action: "/user/two_factor", formToken, hidden: { redirect_to: redirectTo } },
      h(Field, {
        name: "passcode",
        label: texts.code,
        autocomplete: "one-time-code",
        hint: texts.hint,
        isInvalid: problem !== undefined,
        hasFocus: true,
      }),
      h("button", { class: "primary", type: "submit" }, goOn),
    ),
  ];
}
