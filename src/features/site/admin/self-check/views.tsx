import type { Html } from "../../../../ui/html.ts";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { WithCode } from "../../../../ui/with-code.tsx";
import { selfCheckTexts } from "../texts/texts.ts";
import type { CheckResult } from "./model.ts";

const looks = { good: "badge good", hint: "badge", bad: "badge bad" } as const;
const order = ["bad", "hint", "good"] as const;

/** The results, problems first. */
export function SelfCheckView({ results }: { readonly results: readonly CheckResult[] }): Html {
  const texts = useTexts(selfCheckTexts);
  return (
    <>
      <p class="soft">
        <WithCode text={texts.intro} />
      </p>
      <p role="status">{texts.count(results.filter(({ state }) => state === "bad").length)}</p>
      <Rows>
        {order
          .flatMap((state) => results.filter((result) => result.state === state))
          .map(({ part, state, finding, value }) => (
            <Row action={<span class={looks[state]}>{texts.states[state]}</span>}>
              <strong>{texts.parts[part]}</strong>
              <div class="soft">
                <WithCode text={texts.findings[finding](value)} />
              </div>
            </Row>
          ))}
      </Rows>
    </>
  );
}
