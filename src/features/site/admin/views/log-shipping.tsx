import type { Html } from "../../../../ui/html.ts";
import { Technical } from "../../../../ui/technical.tsx";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { LogShippingView } from "../model.ts";
import { isBehind } from "../self-check/log-delay.ts";
import { adminTexts } from "../texts/texts.ts";

export interface LogShippingProps {
  readonly log: LogShippingView;
}

export const needsAttention = (log: LogShippingView | undefined): boolean => log !== undefined && isBehind(log);

export function LogShippingProblem({ log }: LogShippingProps): Html {
  const texts = useTexts(adminTexts).logShipping;
  return (
    <div class="notice bad">
      <p>{texts.behind}</p>
      {log.failure !== undefined && <Technical message={log.failure} isOpen />}
    </div>
  );
}

export function LogShippingSection({ log }: LogShippingProps): Html {
  const language = useLanguage();
  const texts = useTexts(adminTexts).logShipping;
  return (
    <section>
      <h2>{texts.title}</h2>
      <dl class="pairs">
        <dt>{texts.newest}</dt>
        <dd>{log.shippedMs === undefined ? texts.none : <Moment ms={log.shippedMs} />}</dd>
        <dt>{texts.lag}</dt>
        <dd>{texts.seconds(Math.round(log.lagMs / 1_000))}</dd>
        <dt>{texts.waiting}</dt>
        <dd>{sizeText(log.lagBytes, language)}</dd>
      </dl>
    </section>
  );
}
