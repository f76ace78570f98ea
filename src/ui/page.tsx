import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import type { Confirmation } from "../core/confirmations.ts";
import { productVersion } from "../core/product-version.ts";
import { type Pictured, signInPath } from "../core/urls.ts";
import { AppearanceMenu } from "./appearance-menu.tsx";
import { Avatar } from "./avatar.tsx";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { prefetchRulesPath } from "./prefetch.ts";
import { scriptPathIn } from "./script.ts";
import { stylePath } from "./style.ts";
import { sharedTexts } from "./texts/shared.ts";
import { languageFor, renderIn, useLanguage, useTexts } from "./texts/texts.ts";

/** The response of a page, as routes pass it to the HTTP kit. */
export interface RenderedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageProps {
  readonly title: string;
  readonly status?: number;
  /** Heading above the content: the title by default, none if null. */
  readonly heading?: Html | null;
  /** Actions at the end of the heading. */
  readonly beside?: Html;
  /** The heading is for screen readers only, because the selected tab says the same. */
  readonly hidesHeading?: boolean;
  /** Full-width content above the page, such as the header of a repository. */
  readonly banner?: Html;
  /** A narrow column, for a single form or message. */
  readonly isNarrow?: boolean | "form";
  /** Origins besides this server to which its forms may redirect: browsers apply `form-action` to redirects too. */
  readonly formTargets?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The preview of links to the page on other sites. */
  readonly card?: PageCard;
  /** Addresses of its feeds. */
  readonly feed?: { readonly rss: string; readonly atom: string };
  /** The signed-in user, with the token for forms. */
  readonly viewer?: PageViewer | undefined;
  /** Preferred languages of the reader, in descending order. */
  readonly languages?: readonly string[];
  /** Undefined: the preference of the browser. */
  readonly theme?: "light" | "dark" | undefined;
  /** The change of the previous form, which a message at the top confirms. */
  readonly confirmation?: Confirmation | undefined;
  /** The page to which a visitor returns after the sign-in; by default the front page. */
  readonly here?: string | undefined;
  /** The repository of the page, which the search and the menu of new things offer first. */
  readonly place?: PagePlace | undefined;
}

/** A repository, as the header of the site refers to it. */
export interface PagePlace {
  /** The path of its page. */
  readonly path: string;
  readonly showsIssues: boolean;
  readonly showsPulls: boolean;
}

/** The preview of a link (OpenGraph, ogp.me). */
export interface PageCard {
  readonly kind: "website" | "profile" | "article";
  readonly description: string;
  /** Absolute, like the image. */
  readonly url: string;
  readonly imageUrl?: string | undefined;
}

export interface PageViewer extends Pictured {
  readonly formToken: string;
  /** The user is a site administrator. */
  readonly isAdmin?: boolean;
}

/**
 * Renders a page without inline scripts and styles, which cannot be framed and is not cached.
 * The referrer is sent to this server only. Without any referrer, browsers would also hide the origin of forms from this server.
 */
export function renderPage(props: PageProps, ...content: readonly Html[]): RenderedPage {
  const language = languageFor(props.languages ?? []);
  const formAction = ["'self'", ...(props.formTargets ?? [])].join(" ");
  return {
    status: props.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; frame-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "private, no-store",
      // Lets browsers and proxies request it before they parse the page (RFC 8297).
      link: `<${stylePath}>; rel=preload; as=style`,
      "speculation-rules": `"${prefetchRulesPath}"`,
      ...props.headers,
    },
    body: `<!doctype html>${renderIn(language, () => render(<Document props={props}>{content}</Document>))}`,
  };
}

/**
 * Renders a part that scripts insert into pages.
 * @param languages preferred, as in `PageProps`
 * @param keptSeconds browsers use it again for this time
 */
export const renderPart = (languages: readonly string[], keptSeconds: number, content: VNode): RenderedPage => ({
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": `private, max-age=${keptSeconds}`,
    vary: "cookie, authorization",
  },
  body: renderIn(languageFor(languages), () => render(content)),
});

function Heading({ props: { title, heading = title, hidesHeading, beside } }: { readonly props: PageProps }): Html {
  if (heading === null) return null;
  const words = <h1 {...(hidesHeading && { class: "hidden" })}>{heading}</h1>;
  if (beside === undefined) return words;
  return (
    <div class="heading">
      {words}
      <div class="bar">{beside}</div>
    </div>
  );
}

function Document({ props, children }: { readonly props: PageProps; readonly children?: Html }): Html {
  const { site, forms } = useTexts(sharedTexts);
  const { title, viewer, isNarrow, banner, confirmation, here, place, status = 200 } = props;
  const language = useLanguage();
  return (
    <html lang={language} {...(props.theme !== undefined && { "data-theme": props.theme })} {...(status >= 400 && { "data-refused": true })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title === "Hearth" ? title : `${title} - Hearth`}</title>
        <link rel="stylesheet" href={stylePath} />
        <script type="module" src={scriptPathIn(language)} />
        {props.feed !== undefined && <FeedLinks title={title} {...props.feed} />}
        {props.card !== undefined && <CardTags title={title} card={props.card} />}
      </head>
      <body>
        <a class="skip" href="#page-content">
          {site.skip}
        </a>
        <SiteHeader viewer={viewer} here={here} place={place} />
        {banner}
        <main id="page-content" {...(isNarrow && { class: isNarrow === "form" ? "form" : "narrow" })}>
          <Heading props={props} />
          {confirmation !== undefined && (
            <p class="notice good" role="status">
              {forms.confirmations[confirmation]}
            </p>
          )}
          {children}
        </main>
        <SiteFooter viewer={viewer} theme={props.theme} />
      </body>
    </html>
  );
}

const FeedLinks = ({ title, rss, atom }: { readonly title: string; readonly rss: string; readonly atom: string }): Html => (
  <>
    <link rel="alternate" type="application/rss+xml" title={`${title} (RSS)`} href={rss} />
    <link rel="alternate" type="application/atom+xml" title={`${title} (Atom)`} href={atom} />
  </>
);

/** Longer descriptions are truncated by the sites that show previews. */
const maxDescription = 300;

function CardTags({ title, card }: { readonly title: string; readonly card: PageCard }): Html {
  const description = card.description.replace(/\s+/g, " ").trim().slice(0, maxDescription).toWellFormed();
  const props = {
    "og:site_name": "Hearth",
    "og:type": card.kind,
    "og:title": title,
    "og:url": card.url,
    ...(description !== "" && { "og:description": description }),
    ...(card.imageUrl !== undefined && { "og:image": card.imageUrl }),
  };
  return (
    <>
      {Object.entries(props).map(([property, content]) => (
        <meta property={property} content={content} />
      ))}
      {description !== "" && <meta name="description" content={description} />}
    </>
  );
}

function SiteHeader({ viewer, here, place }: Pick<PageProps, "viewer" | "here" | "place">): Html {
  const { site } = useTexts(sharedTexts);
  return (
    <header class="site">
      <a class="brand" href="/" aria-label="Hearth">
        <Icon name="flame" />
        <span class="text">Hearth</span>
      </a>
      <nav aria-label={site.places}>
        {viewer !== undefined && (
          <>
            <a href="/issues">{site.issues}</a>
            <a href="/pulls">{site.pulls}</a>
          </>
        )}
        <a href="/explore/repos">{site.explore}</a>
      </nav>
      <SiteSearch isSignedIn={viewer !== undefined} place={place} />
      <div class="end">
        {viewer === undefined ? (
          <a class="button" href={signInPath(here)}>
            {site.signIn}
          </a>
        ) : (
          <>
            <CreateMenu place={place} />
            <a class="inbox" href="/notifications">
              <Icon name="inbox" label={site.notifications} />
            </a>
            <ViewerMenu {...viewer} />
          </>
        )}
      </div>
    </header>
  );
}

/** The first entry is that of the Enter key. Without a script, the entries are reached with the Tab key, too. */
function SiteSearch({ isSignedIn, place }: { readonly isSignedIn: boolean } & Pick<PageProps, "place">): Html {
  const { site } = useTexts(sharedTexts);
  const scopes: readonly (readonly [action: string, IconName, string])[] = [
    ...(place === undefined ? [] : ([[`${place.path}/search`, "code", site.searchIn.code]] as const)),
    ...(place?.showsIssues ? ([[`${place.path}/issues`, "issue-opened", site.searchIn.ownIssues]] as const) : []),
    ...(place?.showsPulls ? ([[`${place.path}/pulls`, "git-pull-request", site.searchIn.ownPulls]] as const) : []),
    ["/explore/repos", "repo", site.searchIn.repositories],
    ...(isSignedIn
      ? ([
          ["/issues", "issue-opened", site.searchIn.issues],
          ["/pulls", "git-pull-request", site.searchIn.pulls],
        ] as const)
      : []),
    ["/explore/users", "people", site.searchIn.people],
  ];
  return (
    <form class="search" action={scopes[0]?.[0]} role="search" aria-label={site.search}>
      <input type="search" name="q" aria-label={site.search} placeholder={site.search} />
      <kbd>/</kbd>
      <div class="scopes">
        {scopes.map(([action, icon, text]) => (
          <button type="submit" formaction={action}>
            <Icon name={icon} />
            {text}
          </button>
        ))}
      </div>
    </form>
  );
}

function CreateMenu({ place }: Pick<PageProps, "place">): Html {
  const { site, organization } = useTexts(sharedTexts);
  return (
    <details class="menu">
      <summary aria-label={site.create}>
        <Icon name="plus" />
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <a href="/repo/create">
          <Icon name="repo" />
          {site.newRepository}
        </a>
        <a href="/repo/migrate">
          <Icon name="sync" />
          {site.migrate}
        </a>
        <a href="/org/create">
          <Icon name="organization" />
          {organization.create}
        </a>
        {place?.showsIssues && (
          <>
            <hr />
            <a href={`${place.path}/issues/new`}>
              <Icon name="issue-opened" />
              {site.newIssueHere}
            </a>
          </>
        )}
      </div>
    </details>
  );
}

function ViewerMenu({ formToken, isAdmin, ...account }: PageViewer): Html {
  const { site, settings } = useTexts(sharedTexts);
  const { name } = account;
  const links = [
    [`/${name}`, "person", site.profile],
    ["/user/settings", "gear", settings.account.title],
    ["/user/settings/appearance", "globe", site.languageAndTheme],
    ...(isAdmin ? ([["/-/admin", "shield-check", settings.administration.title]] as const) : []),
  ] as const;
  return (
    <details class="menu viewer">
      <summary aria-label={site.menuOf(name)}>
        <Avatar account={account} size={24} />
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <strong>{name}</strong>
        {links.map(([href, icon, text]) => (
          <a href={href}>
            <Icon name={icon} />
            {text}
          </a>
        ))}
        <hr />
        <form method="post" action="/user/logout">
          <FormToken value={formToken} />
          <button type="submit">
            <Icon name="sign-out" />
            {site.signOut}
          </button>
        </form>
      </div>
    </details>
  );
}

function SiteFooter({ viewer, theme }: Pick<PageProps, "viewer" | "theme">): Html {
  const { site } = useTexts(sharedTexts);
  return (
    <footer class="foot">
      <span>
        <a href="/">Hearth</a> {productVersion}
      </span>
      <a href="/api/swagger">{site.forPrograms}</a>
      {viewer === undefined ? <AppearanceMenu theme={theme} /> : <a href="/user/settings/appearance">{site.languageAndTheme}</a>}
    </footer>
  );
}

/** The hidden field with the token of the session, for every form. */
export function FormToken({ value }: { readonly value: string }): Html {
  return <input type="hidden" name="_csrf" value={value} />;
}
