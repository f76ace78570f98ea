import type { Html } from "./html.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export type ExploreTab = "repos" | "users" | "organizations";

/** The tabs of the search pages. */
export function ExploreTabs({ tab }: { readonly tab: ExploreTab }): Html {
  const { explore } = useTexts(sharedTexts);
  const tabs: readonly (readonly [ExploreTab, string])[] = [
    ["repos", explore.repositories],
    ["users", explore.users],
    ["organizations", explore.organizations],
  ];
  return (
    <nav class="tabs" aria-label={explore.parts}>
      {tabs.map(([name, text]) => (
        <a href={`/explore/${name}`} {...(name === tab && { "aria-current": "page" })}>
          {text}
        </a>
      ))}
    </nav>
  );
}
