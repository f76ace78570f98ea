/** Passwords that are kept elsewhere, in a directory for instance. The composition root says where. */
export interface PasswordSources {
  /**
   * Asks the source of an account whether this is its password there, and brings the account's row up to what the source says of it.
   * @returns undefined for a source that keeps no passwords: the one that is kept here counts then
   * @throws ForgeError `unavailable` when the source is out of reach
   */
  verify(account: SourcedAccount, password: string): Promise<boolean | undefined>;
  /**
   * Asks the sources for somebody whom no name and address here fits.
   * @returns the id of the account of that source and login name, made now where the source lets people register
   * @throws ForgeError `unavailable`; `forbidden` for a right password where no account can be made, with the reason
   */
  admit(login: string, password: string): Promise<number | undefined>;
}

export interface SourcedAccount {
  readonly id: number;
  readonly name: string;
  readonly sourceId: number;
  /** What the source calls the account; empty: as it is called here. */
  readonly loginName: string;
}
