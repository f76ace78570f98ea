import type { Html } from "../../../../ui/html.ts";
import { percentText } from "../../../../ui/texts/numbers.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { codeTexts } from "../texts/texts.ts";

export interface LanguageSize {
  readonly language: string;
  readonly bytes: number;
}

/** Further languages are combined. */
const shownLanguages = 5;

interface Part {
  /** Undefined for all other languages together. */
  readonly language: string | undefined;
  /** Between 0 and 1. */
  readonly share: number;
}

/** The languages of a repository, as a bar and as text. */
export function Languages({ languages }: { readonly languages: readonly LanguageSize[] }): Html {
  const locale = useLanguage();
  const texts = useTexts(codeTexts);
  const parts = partsOf(languages);
  return (
    <>
      <h2>{texts.languages}</h2>
      <Bar parts={parts} />
      <ul class="facts languages">
        {parts.map(({ language, share }, at) => (
          <li>
            <Dot at={at} isRest={language === undefined} />
            {language ?? texts.otherLanguages} <span class="soft">{percentText(share, locale)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function partsOf(languages: readonly LanguageSize[]): Part[] {
  const whole = languages.reduce((sum, { bytes }) => sum + bytes, 0);
  const named = languages.slice(0, languages.length > shownLanguages + 1 ? shownLanguages : languages.length);
  const parts: Part[] = named.map(({ language, bytes }) => ({ language, share: bytes / whole }));
  const rest = 1 - parts.reduce((sum, { share }) => sum + share, 0);
  return named.length < languages.length ? [...parts, { language: undefined, share: rest }] : parts;
}

const colourOf = (at: number, isRest: boolean): string => (isRest ? "share-rest" : `share-${at}`);

function Bar({ parts }: { readonly parts: readonly Part[] }): Html {
  let from = 0;
  const pieces = parts.map(({ language, share }, at) => {
    const piece = <rect class={colourOf(at, language === undefined)} x={(from * 1000).toFixed(1)} y={0} width={(share * 1000).toFixed(1)} height={8} />;
    from += share;
    return piece;
  });
  return (
    <svg class="shares" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
      {pieces}
    </svg>
  );
}

const Dot = ({ at, isRest }: { readonly at: number; readonly isRest: boolean }): Html => (
  <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
    <circle class={colourOf(at, isRest)} cx={5} cy={5} r={5} />
  </svg>
);
