import type { UserActor } from "../../../../access/actor.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page } from "../../../../core/paging.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { CreateGPGKeyOption } from "../../../../wire/gpg-key.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { addGpgKey, type GpgKeyDeps, gpgChallenge, listGpgKeys, removeGpgKey, verifyGpgKey } from "../service/gpg-keys.ts";
import { GpgKeysView, type GpgKeyValues } from "../views/gpg-keys.tsx";

const KeyForm = inPlace({ armored_public_key: text(), armored_signature: text() });
const ProofForm = inPlace({ key_id: text(), armored_signature: text() });
const NoFields = inPlace({});
const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/gpg_keys";

/** Pages of the caller's OpenPGP keys. */
export const gpgKeyPages = (deps: GpgKeyDeps): Route[] => [
  defineRoute({ ...page, id: "gpgKeysPage", method: "GET", path, summary: "The caller's OpenPGP keys", handle: (request) => show(deps, request) }),
  defineRoute({
    ...page,
    id: "addGpgKeyByForm",
    method: "POST",
    path,
    summary: "Add an OpenPGP key",
    body: KeyForm,
    handle: (request) => {
      const { actor, body } = request;
      const add = async (): Promise<RawReply> => {
        const option = readOption(CreateGPGKeyOption, body);
        await addGpgKey(deps, actor, { armoredKey: option.armored_public_key, armoredSignature: body.armored_signature.trim() });
        return savedAt(path);
      };
      const again = (problem: FormProblem): Promise<RawReply> => show(deps, request, { values: body, keyId: undefined, problem: inForm(problem) });
      return submit(add, again, { field: "armored_public_key", also: ["not_found"] });
    },
  }),
  defineRoute({
    ...page,
    id: "verifyGpgKeyByForm",
    method: "POST",
    path: `${path}/verify`,
    summary: "Verify one of the caller's OpenPGP keys",
    body: ProofForm,
    handle: (request) => {
      const { actor, body } = request;
      const verify = async (): Promise<RawReply> => {
        await verifyGpgKey(deps, actor, body.key_id, body.armored_signature);
        return savedAt(path);
      };
      return submit(verify, (problem) => show(deps, request, { keyId: body.key_id, problem }), { field: "armored_signature" });
    },
  }),
  defineRoute({
    ...page,
    id: "removeGpgKeyByForm",
    method: "POST",
    path: `${path}/{id}/remove`,
    summary: "Remove an OpenPGP key",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await removeGpgKey(deps, actor, readId(params.id));
      return savedAt(path, "deleted");
    },
  }),
];

/** Maps the API's name of the key to the form's. */
const inForm = (problem: FormProblem): FormProblem => (problem.field === "armored_key" ? { ...problem, field: "armored_public_key" } : problem);

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

interface Refusal {
  readonly values?: GpgKeyValues;
  readonly keyId: string | undefined;
  readonly problem: FormProblem;
}

async function show(deps: GpgKeyDeps, request: OwnRequest, refused?: Refusal): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listGpgKeys(deps, actor, actor, page);
  const values = refused?.values ?? { armored_public_key: "", armored_signature: "" };
  const props = { path, keys: items, total, page, challenge: gpgChallenge(deps, actor), values, refused, formToken: formTokenOf(requireSession(session)) };
  return renderAccountSettings({ ...pageReader(request), section: "gpgKeys" }, <GpgKeysView {...props} />);
}
