import { h } from "preact";
import { accountPath, organizationPath, withQuery } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.ts";
import { type PageFacts, type RenderedPage, renderPage } from "./page.ts";
import { textsFor, useTexts } from "./texts/texts.ts";

export type OrganizationTab = "repositories" | "activity" | "members" | "teams" | "settings";

/** What every page of an organization says of it, and which of its parts the reader has. */
export interface OrganizationHeader {
  readonly name: string;
  /** Knows all members and teams. */
  readonly isMember: boolean;
  readonly isOwner: boolean;
}

export interface OrganizationPageFacts extends Omit<PageFacts, "banner" | "title"> {
  readonly organization: OrganizationHeader;
  readonly tab: OrganizationTab;
  /** Before the organization's name; that of the tab unless given. */
  readonly title?: string;
}

/** A page within an organization: its name and its parts above the content. */
export function renderOrganizationPage({ organization, tab, title, ...facts }: OrganizationPageFacts, ...content: readonly Html[]): RenderedPage {
  const shown = title ?? textsFor(facts.languages ?? []).organizations.tabs[tab];
  const banner = h(OrganizationBanner, { organization, tab });
  return renderPage({ heading: shown, ...facts, title: `${shown} - ${organization.name}`, banner }, ...content);
}

function OrganizationBanner(facts: { readonly organization: OrganizationHeader; readonly tab: OrganizationTab }): Html {
  const { organizations: texts } = useTexts();
  const { name } = facts.organization;
  return h(
    "section",
    { class: "repository", "aria-label": texts.title },
    h("div", { class: "title" }, h(Icon, { name: "organization" }), h("p", { class: "name" }, h("a", { href: accountPath(name) }, h("strong", null, name)))),
    h(OrganizationTabs, facts),
  );
}

/** The parts of an organization that the reader may know of. */
export function OrganizationTabs({ organization, tab }: { readonly organization: OrganizationHeader; readonly tab: OrganizationTab }): Html {
  const { organizations: texts } = useTexts();
  const { name, isMember, isOwner } = organization;
  const tabs: readonly (readonly [OrganizationTab, IconName, string])[] = [
    ["repositories", "repo", accountPath(name)],
    ["activity", "history", withQuery(accountPath(name), { tab: "activity" })],
    ["members", "people", organizationPath(name, "/members")],
    ...(isMember || isOwner ? ([["teams", "shield-check", organizationPath(name, "/teams")]] as const) : []),
    ...(isOwner ? ([["settings", "gear", organizationPath(name, "/settings")]] as const) : []),
  ];
  return h(
    "nav",
    { class: "tabs", "aria-label": texts.parts(name) },
    tabs.map(([one, icon, href]) => h("a", { href, ...(one === tab && { "aria-current": "page" }) }, h(Icon, { name: icon }), texts.tabs[one])),
  );
}
