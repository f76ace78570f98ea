import type { Html } from "./html.ts";
import { useTexts } from "./texts/texts.ts";

export type ExploreTab = "repos" | "users" | "organizations";

/** What there is to look for. */
export function ExploreTabs({ tab }: { readonly tab: ExploreTab }): Html {
  const { explore, people } = useTexts();
  const tabs: readonly (readonly [ExploreTab, string])[] = [
    ["repos", explore.repositories],
    ["users", people.users],
    ["organizations", people.organizations],
  ];
  return (
    <nav class="tabs" aria-label={people.exploreParts}>
      {tabs.map(([name, text]) => (
        <a href={`/explore/${name}`} {...(name === tab && { "aria-current": "page" })}>
          {text}
        </a>
      ))}
    </nav>
  );
}
