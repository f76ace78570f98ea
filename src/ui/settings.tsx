import { organizationPath, settingsPath } from "./addresses.ts";
import type { Html } from "./html.ts";
import { renderOrganizationPage } from "./organization-page.tsx";
import { type PageProps, type RenderedPage, renderPage } from "./page.tsx";
import { type RepositoryPageProps, renderRepositoryPage } from "./repository-page.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { textsFor, useTexts } from "./texts/texts.ts";

export interface SettingsLink {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
  /** Heading of this link and those after it. */
  readonly heading?: string | undefined;
}

export interface SettingsProps {
  /** Label of the navigation, for screen readers. */
  readonly label: string;
  readonly links: readonly SettingsLink[];
  readonly children?: Html;
}

/** A page of settings, with links to the others. */
export const Settings = ({ label, links, children }: SettingsProps): Html => (
  <div class="settings">
    <nav aria-label={label}>
      {links.map(({ href, text, isCurrent, heading }) => [
        heading !== undefined && <h2>{heading}</h2>,
        <a href={href} {...(isCurrent && { "aria-current": "page" })}>
          {text}
        </a>,
      ])}
    </nav>
    <div>{children}</div>
  </div>
);

/** @param groups headings, by the name of the first section below each */
const headingOf = (groups: Readonly<Record<string, string>>, section: string): string | undefined =>
  Object.hasOwn(groups, section) ? groups[section] : undefined;

/** The pages of a repository's settings, in order, by their paths below `/settings`. */
const repositorySections = {
  general: "",
  avatar: "/avatar",
  collaboration: "/collaboration",
  branches: "/branches",
  tags: "/tags",
  hooks: "/hooks",
  actions: "/actions",
  lfs: "/lfs",
  mirrors: "/mirrors",
  keys: "/keys",
};
export type RepositorySection = keyof typeof repositorySections;

export interface RepositorySettingsProps extends Omit<RepositoryPageProps, "tab" | "title" | "heading"> {
  readonly section: RepositorySection;
}

export function renderRepositorySettings({ section, ...props }: RepositorySettingsProps, ...content: readonly Html[]): RenderedPage {
  const title = textsFor(sharedTexts, props.languages ?? []).settings.repository.sections[section];
  return renderRepositoryPage(
    { ...props, tab: "settings", title, heading: title },
    <RepositorySettings props={{ section, ...props }}>{content}</RepositorySettings>,
  );
}

function RepositorySettings({ props: { repository, section }, children }: { readonly props: RepositorySettingsProps; readonly children?: Html }): Html {
  const texts = useTexts(sharedTexts).settings;
  const sections = Object.entries(repositorySections) as [RepositorySection, string][];
  const links = sections.map(([name, below]) => ({
    href: settingsPath(repository, below),
    text: texts.repository.sections[name],
    isCurrent: name === section,
    heading: headingOf(texts.repository.groups, name),
  }));
  return (
    <Settings label={texts.repository.title} links={links}>
      {children}
    </Settings>
  );
}

/** The pages of a user's settings, in order. */
export const accountPaths = {
  profile: "/user/settings",
  avatar: "/user/settings/avatar",
  pins: "/user/settings/pins",
  starLists: "/user/settings/star_lists",
  account: "/user/settings/account",
  appearance: "/user/settings/appearance",
  notifications: "/user/settings/notifications",
  replies: "/user/settings/replies",
  searches: "/user/settings/searches",
  data: "/user/settings/data",
  security: "/user/settings/security",
  sessions: "/user/sessions",
  identities: "/user/identities",
  blocked: "/user/settings/blocked_users",
  keys: "/user/settings/keys",
  gpgKeys: "/user/settings/gpg_keys",
  tokens: "/user/settings/applications",
  grants: "/user/applications",
  applications: "/user/settings/applications/oauth2",
  hooks: "/user/settings/hooks",
  actions: "/user/settings/actions",
  organizations: "/user/settings/organization",
  deleted: "/user/settings/repos",
};
export type AccountSection = keyof typeof accountPaths;

export interface AccountSettingsProps extends Omit<PageProps, "title" | "heading"> {
  readonly section: AccountSection;
}

export function renderAccountSettings({ section, ...props }: AccountSettingsProps, ...content: readonly Html[]): RenderedPage {
  const account = textsFor(sharedTexts, props.languages ?? []).settings;
  const sections = Object.entries(accountPaths) as [AccountSection, string][];
  const links = sections.map(([name, href]) => ({
    href,
    text: account.account.sections[name],
    isCurrent: name === section,
    heading: headingOf(account.account.groups, name),
  }));
  const heading = account.account.sections[section];
  return renderPage(
    { ...props, title: `${heading} - ${account.account.title}`, heading },
    <Settings label={account.account.title} links={links}>
      {content}
    </Settings>,
  );
}

/** The pages of an organization's settings, by their paths below `/settings`. */
const organizationSections = {
  general: "",
  avatar: "/avatar",
  pins: "/pins",
  labels: "/labels",
  hooks: "/hooks",
  actions: "/actions",
  required: "/required_workflows",
  applications: "/applications/oauth2",
  blocked: "/blocked_users",
  audit: "/audit",
};

export interface OrganizationSettingsProps extends Omit<PageProps, "title" | "heading"> {
  readonly organization: { readonly name: string };
  readonly section: keyof typeof organizationSections;
}

export function renderOrganizationSettings({ organization, section, ...props }: OrganizationSettingsProps, ...content: readonly Html[]): RenderedPage {
  const texts = textsFor(sharedTexts, props.languages ?? []).settings;
  const sections = Object.entries(organizationSections) as [keyof typeof organizationSections, string][];
  const links = sections.map(([name, below]) => ({
    href: organizationPath(organization.name, `/settings${below}`),
    text: texts.organization.sections[name],
    isCurrent: name === section,
    heading: headingOf(texts.organization.groups, name),
  }));
  // Only owners have access to these pages.
  const header = { name: organization.name, isMember: true, isOwner: true };
  const page = { ...props, organization: header, tab: "settings", title: texts.organization.sections[section] } as const;
  return renderOrganizationPage(
    page,
    <Settings label={texts.organization.title} links={links}>
      {content}
    </Settings>,
  );
}

/** The administration pages, in order. */
export const administrationPaths = {
  overview: "/-/admin",
  users: "/-/admin/users",
  organizations: "/-/admin/orgs",
  emails: "/-/admin/emails",
  sources: "/-/admin/auths",
  repositories: "/-/admin/repos",
  deleted: "/-/admin/repos/deleted",
  unadopted: "/-/admin/repos/unadopted",
  hooks: "/-/admin/hooks",
  actions: "/-/admin/actions",
  jobs: "/-/admin/monitor/queue",
  schedules: "/-/admin/monitor/cron",
  status: "/-/admin/monitor/stats",
  notices: "/-/admin/notices",
  selfCheck: "/-/admin/self_check",
  config: "/-/admin/config",
  audit: "/-/admin/audit",
} as const;
export type AdministrationSection = keyof typeof administrationPaths;

export interface AdministrationProps extends Omit<PageProps, "title" | "heading"> {
  readonly section: AdministrationSection;
}

export function renderAdministration({ section, ...props }: AdministrationProps, ...content: readonly Html[]): RenderedPage {
  const texts = textsFor(sharedTexts, props.languages ?? []).settings;
  const sections = Object.entries(administrationPaths) as [AdministrationSection, string][];
  const links = sections.map(([name, href]) => ({
    href,
    text: texts.administration.sections[name],
    isCurrent: name === section,
    heading: headingOf(texts.administration.groups, name),
  }));
  const heading = texts.administration.sections[section];
  return renderPage(
    { ...props, title: `${heading} - ${texts.administration.title}`, heading },
    <Settings label={texts.administration.title} links={links}>
      {content}
    </Settings>,
  );
}
