/** SSH, OpenPGP and deploy keys. */
export const english = {
  sshKeys: {
    none: "No SSH keys",
    noneHint: "Use an SSH key to clone and push over SSH. Create one with ssh-keygen and add its public key here.",
    add: "Add SSH key",
    title: "Title",
    key: "Public key",
    keyHint: "Starts with ssh-ed25519, ecdsa-sha2 or ssh-rsa.",
    added: "added",
    lastUsed: "last used",
    neverUsed: "never used",
  },
  principals: {
    title: "SSH certificate principals",
    hint: "An SSH certificate signs you in if it names one of your principals and comes from an authority that this server trusts.",
    principal: "Principal",
    add: "Add principal",
    allowed: (kinds: readonly string[]): string =>
      kinds.includes("anything")
        ? "A principal of your certificate, as ssh-keygen -L shows it."
        : kinds.includes("username") && kinds.includes("email")
          ? "Your username or one of your verified email addresses."
          : kinds.includes("email")
            ? "One of your verified email addresses."
            : "Your username.",
  },
  gpgKeys: {
    none: "No GPG keys",
    noneHint: "Add a GPG key to have your signed commits and tags shown as verified.",
    add: "Add GPG key",
    key: "Public key",
    keyHint: "The output of gpg --armor --export.",
    signature: "Signature",
    otherAddress: "The key does not contain any of your verified email addresses",
    signatureHint: "Paste the output of this command:",
    sign: (challenge: string, key: string) => `printf ${challenge} | gpg --armor --default-key ${key} --detach-sig`,
    anyKey: "KEY",
    added: "added",
    ends: "expires",
    verified: "verified",
    prove: "Verify",
    subkeys: "Subkeys",
  },
  deployKeys: {
    hint: "A deploy key gives a machine access to this repository only.",
    none: "No deploy keys",
    noneHint: "Create a key with ssh-keygen on the machine and add its public key here.",
    add: "Add deploy key",
    title: "Title",
    key: "Public key",
    keyHint: "Starts with ssh-ed25519, ecdsa-sha2 or ssh-rsa.",
    canWrite: "Allow write access",
    readOnly: "read-only",
    writes: "read and write",
    added: "added",
  },
};
