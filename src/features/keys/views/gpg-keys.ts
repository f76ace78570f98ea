import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Form, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { GpgKeyView } from "../view.ts";

export interface GpgKeyValues {
  readonly armored_public_key: string;
  readonly armored_signature: string;
}

/** The form of a new key, or the one that proves a key to be somebody's. */
interface RefusedGpgForm {
  /** Of the key that was to be proved; undefined for a new one. */
  readonly keyId: string | undefined;
  readonly problem: FormProblem;
}

export interface GpgKeysFacts {
  readonly path: string;
  readonly keys: readonly GpgKeyView[];
  readonly total: number;
  readonly page: Page;
  /** What a signature signs that proves a key. */
  readonly challenge: string;
  readonly values: GpgKeyValues;
  readonly refused?: RefusedGpgForm | undefined;
  readonly formToken: string;
}

/** Keys that vouch for somebody's commits and tags, and the form of another one. */
export function GpgKeysView(facts: GpgKeysFacts): Html {
  const { path, keys, total, page, challenge, values, refused, formToken } = facts;
  const { account, forms } = useTexts();
  const texts = account.gpgKeys;
  return [
    keys.length === 0
      ? h(Empty, { icon: "key", title: texts.none }, h("p", null, texts.noneHint))
      : h(
          Rows,
          null,
          keys.map((key) =>
            h(
              Row,
              { action: h(Do, { action: `${path}/${key.id}/remove`, formToken, label: forms.remove, of: key.keyId, isDanger: true }) },
              h(GpgKeyLine, { gpgKey: key }),
              !key.isVerified && h(Proof, { ...facts, keyId: key.keyId }),
            ),
          ),
        ),
    h(Pager, { path, page, total }),
    h(
      "section",
      null,
      h("h2", null, texts.add),
      h(
        Form,
        { action: path, formToken, name: "new", problem: refused !== undefined && refused.keyId === undefined ? refused.problem : undefined },
        h(TextArea, { name: "armored_public_key", label: texts.key, value: values.armored_public_key, hint: texts.keyHint, rows: 8, isCode: true }),
        h(
          "details",
          { class: "more", open: values.armored_signature !== "" || refused?.problem.field === "armored_signature" },
          h("summary", null, texts.otherAddress),
          h(SignatureField, { challenge, keyId: texts.anyKey, value: values.armored_signature }),
        ),
        h(Submit, { label: forms.add }),
      ),
    ),
  ];
}

function GpgKeyLine({ gpgKey }: { readonly gpgKey: GpgKeyView }): Html {
  const { gpgKeys: texts } = useTexts().account;
  const { keyId, emails, subkeys, isVerified, createdMs, expiresMs } = gpgKey;
  return [
    h("code", null, keyId),
    isVerified && [" ", h("span", { class: "badge good" }, texts.verified)],
    emails.length > 0 && h("div", null, emails.join(", ")),
    subkeys.length > 0 && h("div", { class: "soft" }, `${texts.subkeys}: `, h("code", null, subkeys.map((subkey) => subkey.keyId).join(" "))),
    h("div", { class: "soft" }, `${texts.added} `, h(Day, { ms: createdMs }), expiresMs !== null && [`, ${texts.ends} `, h(Day, { ms: expiresMs })]),
  ];
}

function Proof({ path, challenge, keyId, refused, formToken }: GpgKeysFacts & { readonly keyId: string }): Html {
  const { gpgKeys: texts } = useTexts().account;
  const problem = refused?.keyId === keyId ? refused.problem : undefined;
  return h(
    "details",
    { class: "more", open: problem !== undefined },
    h("summary", null, texts.prove),
    h(
      Form,
      { action: `${path}/verify`, formToken, name: keyId, hidden: { key_id: keyId }, problem },
      h(SignatureField, { challenge, keyId, value: "" }),
      h(Submit, { label: texts.prove }),
    ),
  );
}

function SignatureField({ challenge, keyId, value }: { readonly challenge: string; readonly keyId: string; readonly value: string }): Html {
  const { gpgKeys: texts } = useTexts().account;
  return [
    h(TextArea, { name: "armored_signature", label: texts.signature, hint: texts.signatureHint, value, rows: 4, isCode: true }),
    h("code", { class: "secret" }, texts.sign(challenge, keyId)),
  ];
}
