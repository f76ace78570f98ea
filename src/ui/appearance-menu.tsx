import type { Html } from "./html.ts";
import { Icon } from "./icons.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { languageNames, languages, useLanguage, useTexts } from "./texts/texts.ts";

export const appearancePath = "/-/appearance";

/** Language and theme for visitors. Each button submits its own choice. */
export function AppearanceMenu({ theme }: { readonly theme: "light" | "dark" | undefined }): Html {
  const { site } = useTexts(sharedTexts);
  const current = useLanguage();
  return (
    <details class="menu up">
      <summary>
        <Icon name="globe" />
        {site.languageAndTheme}
      </summary>
      <div class="sheet">
        <form method="post" action={appearancePath}>
          <strong>{site.language}</strong>
          {languages.map((language) => (
            <button type="submit" name="language" value={language} lang={language} aria-pressed={language === current ? "true" : "false"}>
              {languageNames[language]}
            </button>
          ))}
          <strong>{site.theme}</strong>
          {(["system", "light", "dark"] as const).map((name) => (
            <button type="submit" name="theme" value={name} aria-pressed={name === (theme ?? "system") ? "true" : "false"}>
              {site.themes[name]}
            </button>
          ))}
        </form>
      </div>
    </details>
  );
}
