/** Where people sign in whose passwords are not kept here. */
export type SourceView = LdapSource | OidcSource;

interface SourceBase {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  /** Whoever the source knows gets an account at the first sign-in. */
  readonly autoRegister: boolean;
  /** The bind password or the client secret, as it is kept; empty: there is none. */
  readonly sealedSecret: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface LdapSource extends SourceBase {
  readonly kind: "ldap";
  readonly settings: LdapSettings;
}

export interface OidcSource extends SourceBase {
  readonly kind: "oidc";
  readonly settings: OidcSettings;
}

/**
 * A directory. With `bindDn` (or anonymously) it is searched for the person, whose entry then binds with the given password;
 * with `userDn` the entry's name follows from the login and binds at once.
 */
export interface LdapSettings {
  readonly host: string;
  readonly port: number;
  readonly security: "ldaps" | "starttls" | "none";
  /** Certificates of authorities to trust beside the system's none: PEM. Empty: the system's. */
  readonly authority: string;
  readonly verifiesCertificate: boolean;
  readonly bindDn: string;
  /** Where people are searched for. */
  readonly userBase: string;
  /** The person's entry, with `%s` for the login: `uid=%s,ou=people,dc=example,dc=org`. Empty: it is searched for. */
  readonly userDn: string;
  /** Which entries are people who may sign in, with `%s` for the login. */
  readonly userFilter: string;
  /** Which of them administrate the server. Empty: the directory does not say. */
  readonly adminFilter: string;
  /** Which of them are restricted. Empty: the directory does not say. */
  readonly restrictedFilter: string;
  /** Where groups are searched for. */
  readonly groupBase: string;
  /** A group that is found by this admits the person: `%d` stands for the name of the entry, `%s` for the login. Empty: no group is needed. */
  readonly groupFilter: string;
  /** Empty: the login as it was typed. */
  readonly nameAttribute: string;
  readonly fullNameAttribute: string;
  readonly emailAttribute: string;
}

/** A provider of OpenID Connect. */
export interface OidcSettings {
  /** `https://id.example.org/realms/main`: its description is found below. */
  readonly issuer: string;
  readonly clientId: string;
  /** Asked for beside `openid`. */
  readonly scopes: readonly string[];
  /** The claim that an account's name is made from. */
  readonly nameClaim: string;
  /** The claim that lists somebody's groups. */
  readonly groupsClaim: string;
  /** Only its members may sign in. Empty: everybody. */
  readonly requiredGroup: string;
  /** Its members administrate the server. Empty: the provider does not say. */
  readonly adminGroup: string;
  /** Its members are restricted. Empty: the provider does not say. */
  readonly restrictedGroup: string;
  /** Addresses count as verified where the provider does not say whether they are. */
  readonly trustsEmail: boolean;
  /** An account is found by an address that the provider and this server have both verified, without its owner having linked it. */
  readonly linksByEmail: boolean;
}

export type SourceSettings = { readonly kind: "ldap"; readonly settings: LdapSettings } | { readonly kind: "oidc"; readonly settings: OidcSettings };

/** A source to be made. */
export type SourceInput = SourceSettings & {
  readonly name: string;
  readonly isActive: boolean;
  readonly autoRegister: boolean;
  /** Empty: none. */
  readonly secret: string;
};

/** Changes to a source. What is undefined stays as it is. */
export interface SourceChanges {
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly autoRegister?: boolean | undefined;
  readonly secret?: string | undefined;
  readonly ldap?: Partial<LdapSettings> | undefined;
  readonly oidc?: Partial<OidcSettings> | undefined;
}

/** That an account is somebody at a provider. */
export interface IdentityView {
  readonly id: number;
  readonly accountId: number;
  readonly sourceId: number;
  readonly sourceName: string;
  readonly subject: string;
  /** How the provider names it. */
  readonly label: string;
  readonly createdMs: number;
  readonly lastUsedMs: number;
}

/** What a source says of somebody who has just signed in there. */
export interface ExternalPerson {
  /** For the account's name, when one is made. */
  readonly name: string;
  readonly fullName: string;
  /** Empty: the source has none, or has not verified it. */
  readonly email: string;
  /** Undefined: the source does not say. */
  readonly isAdmin: boolean | undefined;
  readonly isRestricted: boolean | undefined;
}
