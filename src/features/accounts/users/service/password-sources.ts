/** Passwords stored elsewhere, for example in a directory. Provided by the composition root. */
export interface PasswordSources {
  /**
   * Checks a password with the account's source and updates the account to the source's data.
   * @returns undefined for a source without passwords, where the local one counts
   * @throws ForgeError `unavailable` when the source cannot be reached
   */
  verify(account: SourcedAccount, password: string): Promise<boolean | undefined>;
  /**
   * Asks the sources for a login that matches no local name or address.
   * @returns the id of the account of that source and login, created now if the source allows it
   * @throws ForgeError `unavailable`; `forbidden` with the reason if the password is correct but no account can be created
   */
  admit(login: string, password: string): Promise<number | undefined>;
}

export interface SourcedAccount {
  readonly id: number;
  readonly name: string;
  readonly sourceId: number;
  /** The account's login at the source; empty: the same as here. */
  readonly loginName: string;
}
