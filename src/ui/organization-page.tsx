import { accountPath, organizationPath, withQuery } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { type PageProps, type RenderedPage, renderPage } from "./page.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { textsFor, useTexts } from "./texts/texts.ts";

export type OrganizationTab = "repositories" | "activity" | "members" | "teams" | "settings";

/** What every page of an organization says of it, and which of its parts the reader has. */
export interface OrganizationHeader {
  readonly name: string;
  /** Knows all members and teams. */
  readonly isMember: boolean;
  readonly isOwner: boolean;
}

export interface OrganizationPageProps extends Omit<PageProps, "banner" | "title"> {
  readonly organization: OrganizationHeader;
  readonly tab: OrganizationTab;
  /** Before the organization's name; that of the tab unless given. */
  readonly title?: string;
}

/** A page within an organization: its name and its parts above the content. */
export function renderOrganizationPage({ organization, tab, title, ...facts }: OrganizationPageProps, ...content: readonly Html[]): RenderedPage {
  const shown = title ?? textsFor(sharedTexts, facts.languages ?? []).organization.tabs[tab];
  const banner = <OrganizationBanner organization={organization} tab={tab} />;
  return renderPage({ heading: shown, ...facts, title: `${shown} - ${organization.name}`, banner }, ...content);
}

function OrganizationBanner(facts: { readonly organization: OrganizationHeader; readonly tab: OrganizationTab }): Html {
  const texts = useTexts(sharedTexts).organization;
  const { name } = facts.organization;
  return (
    <section class="repository" aria-label={texts.title}>
      <div class="title">
        <Icon name="organization" />
        <p class="name">
          <a href={accountPath(name)}>
            <strong>{name}</strong>
          </a>
        </p>
      </div>
      <OrganizationTabs {...facts} />
    </section>
  );
}

/** The parts of an organization that the reader may know of. */
export function OrganizationTabs({ organization, tab }: { readonly organization: OrganizationHeader; readonly tab: OrganizationTab }): Html {
  const texts = useTexts(sharedTexts).organization;
  const { name, isMember, isOwner } = organization;
  const tabs: readonly (readonly [OrganizationTab, IconName, string])[] = [
    ["repositories", "repo", accountPath(name)],
    ["activity", "history", withQuery(accountPath(name), { tab: "activity" })],
    ["members", "people", organizationPath(name, "/members")],
    ...(isMember || isOwner ? ([["teams", "shield-check", organizationPath(name, "/teams")]] as const) : []),
    ...(isOwner ? ([["settings", "gear", organizationPath(name, "/settings")]] as const) : []),
  ];
  return (
    <nav class="tabs" aria-label={texts.parts(name)}>
      {tabs.map(([one, icon, href]) => (
        <a href={href} {...(one === tab && { "aria-current": "page" })}>
          <Icon name={icon} />
          {texts.tabs[one]}
        </a>
      ))}
    </nav>
  );
}
