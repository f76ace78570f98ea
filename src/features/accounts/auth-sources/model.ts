/** A sign-in source: an LDAP directory or an OpenID Connect provider. */
export type SourceView = LdapSource | OidcSource;

interface SourceBase {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  /** Creates an account at the first sign-in of each user that the source knows. */
  readonly autoRegister: boolean;
  /** The sealed bind password or client secret; empty: none. */
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
 * A directory. With `bindDn` (or anonymously) the server searches for the user's entry, then binds as it with the given password.
 * With `userDn` the entry's name follows from the login, and the server binds directly.
 */
export interface LdapSettings {
  readonly host: string;
  readonly port: number;
  readonly security: "ldaps" | "starttls" | "none";
  /** PEM certificates of the authorities to trust instead of the system's. Empty: the system's. */
  readonly authority: string;
  readonly verifiesCertificate: boolean;
  readonly bindDn: string;
  /** Base of the search for users. */
  readonly userBase: string;
  /** The user's entry, with `%s` for the login: `uid=%s,ou=people,dc=example,dc=org`. Empty: the server searches for it. */
  readonly userDn: string;
  /** Filter for users with the right to sign in, with `%s` for the login. */
  readonly userFilter: string;
  /** Filter for administrators. Empty: the directory does not decide. */
  readonly adminFilter: string;
  /** Filter for restricted users. Empty: the directory does not decide. */
  readonly restrictedFilter: string;
  /** Base of the search for groups. */
  readonly groupBase: string;
  /** Filter for a group that admits the user: `%d` is the entry's DN, `%s` the login. Empty: no group is required. */
  readonly groupFilter: string;
  /** Empty: the login as typed. */
  readonly nameAttribute: string;
  readonly fullNameAttribute: string;
  readonly emailAttribute: string;
}

/** An OpenID Connect provider. */
export interface OidcSettings {
  /** `https://id.example.org/realms/main`. The discovery document is below it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Requested in addition to `openid`. */
  readonly scopes: readonly string[];
  /** The claim from which the account name is derived. */
  readonly nameClaim: string;
  /** The claim that lists the user's groups. */
  readonly groupsClaim: string;
  /** Only members of this group may sign in. Empty: everyone. */
  readonly requiredGroup: string;
  /** Members are administrators. Empty: the provider does not decide. */
  readonly adminGroup: string;
  /** Members are restricted users. Empty: the provider does not decide. */
  readonly restrictedGroup: string;
  /** Treats addresses as verified if the provider omits the claim. */
  readonly trustsEmail: boolean;
  /** Links an account by an address that both the provider and this server have verified, without a manual link by its owner. */
  readonly linksByEmail: boolean;
}

export type SourceSettings = { readonly kind: "ldap"; readonly settings: LdapSettings } | { readonly kind: "oidc"; readonly settings: OidcSettings };

/** Input for creating a source. */
export type SourceInput = SourceSettings & {
  readonly name: string;
  readonly isActive: boolean;
  readonly autoRegister: boolean;
  /** Empty: none. */
  readonly secret: string;
};

/** Changes to a source; undefined fields stay unchanged. */
export interface SourceChanges {
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly autoRegister?: boolean | undefined;
  readonly secret?: string | undefined;
  readonly ldap?: Partial<LdapSettings> | undefined;
  readonly oidc?: Partial<OidcSettings> | undefined;
}

/** A link between an account and an identity at a provider. */
export interface IdentityView {
  readonly id: number;
  readonly accountId: number;
  readonly sourceId: number;
  readonly sourceName: string;
  readonly subject: string;
  /** The provider's name for the identity. */
  readonly label: string;
  readonly createdMs: number;
  readonly lastUsedMs: number;
}

/** The source's data about a user who just signed in. */
export interface ExternalPerson {
  /** Basis for the name of a new account. */
  readonly name: string;
  readonly fullName: string;
  /** Empty: the source has no address, or has not verified it. */
  readonly email: string;
  /** Undefined: the source does not decide. */
  readonly isAdmin: boolean | undefined;
  readonly isRestricted: boolean | undefined;
}
