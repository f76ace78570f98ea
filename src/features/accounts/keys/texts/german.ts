import type { english } from "./english.ts";

export const german: typeof english = {
  sshKeys: {
    none: "Keine SSH-Schlüssel",
    noneHint:
      "Mit einem SSH-Schlüssel klonen und pushen Sie über SSH. Erstellen Sie einen mit ssh-keygen, und fügen Sie den öffentlichen Schlüssel hier hinzu.",
    add: "SSH-Schlüssel hinzufügen",
    title: "Titel",
    key: "Öffentlicher Schlüssel",
    keyHint: "Beginnt mit ssh-ed25519, ecdsa-sha2 oder ssh-rsa.",
    added: "hinzugefügt",
    lastUsed: "zuletzt verwendet",
    neverUsed: "noch nie verwendet",
  },
  principals: {
    title: "Principals für SSH-Zertifikate",
    hint: "Ein SSH-Zertifikat meldet Sie an, wenn es einen Ihrer Principals enthält und von einer Stelle kommt, der dieser Server vertraut.",
    principal: "Principal",
    add: "Principal hinzufügen",
    allowed: (kinds) =>
      kinds.includes("anything")
        ? "Ein Principal Ihres Zertifikats, wie ssh-keygen -L ihn anzeigt."
        : kinds.includes("username") && kinds.includes("email")
          ? "Ihr Benutzername oder eine Ihrer bestätigten E-Mail-Adressen."
          : kinds.includes("email")
            ? "Eine Ihrer bestätigten E-Mail-Adressen."
            : "Ihr Benutzername.",
  },
  gpgKeys: {
    none: "Keine GPG-Schlüssel",
    noneHint: "Fügen Sie einen GPG-Schlüssel hinzu, damit Ihre signierten Commits und Tags als verifiziert angezeigt werden.",
    add: "GPG-Schlüssel hinzufügen",
    key: "Öffentlicher Schlüssel",
    keyHint: "Die Ausgabe von gpg --armor --export.",
    signature: "Signatur",
    otherAddress: "Der Schlüssel enthält keine Ihrer bestätigten E-Mail-Adressen",
    signatureHint: "Fügen Sie die Ausgabe dieses Befehls ein:",
    sign: (challenge, key) => `printf ${challenge} | gpg --armor --default-key ${key} --detach-sig`,
    anyKey: "SCHLÜSSEL",
    added: "hinzugefügt",
    ends: "läuft ab",
    verified: "verifiziert",
    prove: "Verifizieren",
    subkeys: "Unterschlüssel",
  },
  deployKeys: {
    hint: "Ein Deploy-Schlüssel gibt einer Maschine nur auf dieses Repository Zugriff.",
    none: "Keine Deploy-Schlüssel",
    noneHint: "Erstellen Sie auf der Maschine einen Schlüssel mit ssh-keygen, und fügen Sie den öffentlichen Schlüssel hier hinzu.",
    add: "Deploy-Schlüssel hinzufügen",
    title: "Titel",
    key: "Öffentlicher Schlüssel",
    keyHint: "Beginnt mit ssh-ed25519, ecdsa-sha2 oder ssh-rsa.",
    canWrite: "Schreibzugriff erlauben",
    readOnly: "nur lesen",
    writes: "lesen und schreiben",
    added: "hinzugefügt",
  },
};
