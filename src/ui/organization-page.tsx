import { accountPath, organizationPath, withQuery } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { type PageProps, type RenderedPage, renderPage } from "./page.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { textsFor, useTexts } from "./texts/texts.ts";

export type OrganizationTab = "repositories" | "activity" | "members" | "teams" | "settings";

/** Data that every page of an organization shows. */
export interface OrganizationHeader {
  readonly name: string;
  /** Members can see all members and teams. */
  readonly isMember: boolean;
  readonly isOwner: boolean;
}

export interface OrganizationPageProps extends Omit<PageProps, "banner" | "title"> {
  readonly organization: OrganizationHeader;
  readonly tab: OrganizationTab;
  /** Precedes the organization's name in the title; by default the name of the tab. */
  readonly title?: string;
}

/** A page of an organization, with its name and tabs above the content. */
export function renderOrganizationPage({ organization, tab, title, ...props }: OrganizationPageProps, ...content: readonly Html[]): RenderedPage {
  const shown = title ?? textsFor(sharedTexts, props.languages ?? []).organization.tabs[tab];
  const banner = <OrganizationBanner organization={organization} tab={tab} />;
  return renderPage({ heading: shown, ...props, title: `${shown} - ${organization.name}`, banner }, ...content);
}

function OrganizationBanner(props: { readonly organization: OrganizationHeader; readonly tab: OrganizationTab }): Html {
  const texts = useTexts(sharedTexts).organization;
  const { name } = props.organization;
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
      <OrganizationTabs {...props} />
    </section>
  );
}

/** The tabs that the reader has access to. */
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
