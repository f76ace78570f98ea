import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { GpgKeyView } from "../model.ts";
import { keyTexts } from "../texts/texts.ts";

export interface GpgKeyValues {
  readonly armored_public_key: string;
  readonly armored_signature: string;
}

/** The values and error of a refused form: to add a key or to verify one. */
interface RefusedGpgForm {
  /** The id of the key to verify; undefined for a new one. */
  readonly keyId: string | undefined;
  readonly problem: FormProblem;
}

export interface GpgKeysProps {
  readonly path: string;
  readonly keys: readonly GpgKeyView[];
  readonly total: number;
  readonly page: Page;
  /** The text to sign as proof. */
  readonly challenge: string;
  readonly values: GpgKeyValues;
  readonly refused?: RefusedGpgForm | undefined;
  readonly formToken: string;
}

export function GpgKeysView(props: GpgKeysProps): Html {
  const { path, keys, total, page, challenge, values, refused, formToken } = props;
  const account = useTexts(keyTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = account.gpgKeys;
  return (
    <>
      {keys.length === 0 ? (
        <Empty icon="key" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Rows>
          {keys.map((key) => (
            <Row action={<Do action={`${path}/${key.id}/remove`} formToken={formToken} label={forms.remove} of={key.keyId} isDanger />}>
              <GpgKeyLine gpgKey={key} />
              {!key.isVerified && <Proof {...props} keyId={key.keyId} />}
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <section>
        <h2>{texts.add}</h2>
        <Form action={path} formToken={formToken} name="new" problem={refused !== undefined && refused.keyId === undefined ? refused.problem : undefined}>
          <TextArea name="armored_public_key" label={texts.key} value={values.armored_public_key} hint={texts.keyHint} rows={8} isCode />
          <details class="more" open={values.armored_signature !== "" || refused?.problem.field === "armored_signature"}>
            <summary>{texts.otherAddress}</summary>
            <SignatureField challenge={challenge} keyId={texts.anyKey} value={values.armored_signature} />
          </details>
          <Submit label={texts.add} />
        </Form>
      </section>
    </>
  );
}

function GpgKeyLine({ gpgKey }: { readonly gpgKey: GpgKeyView }): Html {
  const texts = useTexts(keyTexts).gpgKeys;
  const { keyId, emails, subkeys, isVerified, createdMs, expiresMs } = gpgKey;
  return (
    <>
      <code>{keyId}</code>
      {isVerified && (
        <>
          {" "}
          <span class="badge good">{texts.verified}</span>
        </>
      )}
      {emails.length > 0 && <div>{emails.join(", ")}</div>}
      {subkeys.length > 0 && (
        <div class="soft">
          {`${texts.subkeys}: `}
          <code>{subkeys.map((subkey) => subkey.keyId).join(" ")}</code>
        </div>
      )}
      <div class="soft">
        {`${texts.added} `}
        <Day ms={createdMs} />
        {expiresMs !== null && (
          <>
            {`, ${texts.ends} `}
            <Day ms={expiresMs} />
          </>
        )}
      </div>
    </>
  );
}

function Proof({ path, challenge, keyId, refused, formToken }: GpgKeysProps & { readonly keyId: string }): Html {
  const texts = useTexts(keyTexts).gpgKeys;
  const problem = refused?.keyId === keyId ? refused.problem : undefined;
  return (
    <details class="more" open={problem !== undefined}>
      <summary>{texts.prove}</summary>
      <Form action={`${path}/verify`} formToken={formToken} name={keyId} hidden={{ key_id: keyId }} problem={problem}>
        <SignatureField challenge={challenge} keyId={keyId} value="" />
        <Submit label={texts.prove} />
      </Form>
    </details>
  );
}

function SignatureField({ challenge, keyId, value }: { readonly challenge: string; readonly keyId: string; readonly value: string }): Html {
  const texts = useTexts(keyTexts).gpgKeys;
  return (
    <>
      <TextArea name="armored_signature" label={texts.signature} hint={texts.signatureHint} value={value} rows={4} isCode />
      <code class="secret">{texts.sign(challenge, keyId)}</code>
    </>
  );
}
