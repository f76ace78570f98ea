import type { Confirmation } from "../../../core/confirmations.ts";
import { shortDuration } from "../../../core/duration.ts";
import { invalid, isForgeError } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { type Refused, repositorySettingsPage, type SettingsRequest } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { type RepositoryName, settingsPath } from "../../../ui/addresses.ts";
import { renderRepositorySettings } from "../../../ui/settings.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../repos/header.ts";
import { editRepository } from "../repos/service/edit.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { getPullProblem, requestPull } from "./service/pull.ts";
import { requestAllPushes } from "./service/push.ts";
import { addPushMirror, deletePushMirror, listPushMirrors, type PushMirrorDeps } from "./service/push-mirrors.ts";
import { mirrorTexts } from "./texts/texts.ts";
import { MirrorsView, type NewPushMirror } from "./views/mirrors.tsx";

const IntervalForm = inPlace({ interval: text() });
const MirrorForm = inPlace({ remote_address: text(), remote_username: text(), remote_password: text(), interval: text(), sync_on_commit: bool() });
const NoFields = inPlace({});
const page = repositorySettingsPage;
const path = "/{owner}/{repo}/settings/mirrors";

/** The mirror settings for repository administrators. */
export const mirrorPages = (deps: PushMirrorDeps): Route[] => [
  defineRoute({
    ...page,
    id: "mirrorsPage",
    method: "GET",
    path,
    summary: "The mirror settings of a repository",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...page,
    id: "addMirrorByForm",
    method: "POST",
    path,
    summary: "Add a push mirror",
    body: MirrorForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const { remote_address: address, remote_username: username, remote_password: password, interval, sync_on_commit: syncsOnCommit } = body;
      const add = async (): Promise<RawReply> => {
        if (address.trim() === "") throw invalid("an address is required", { reason: "required" });
        const input = { address: address.trim(), username, password, interval: interval.trim(), syncsOnCommit };
        await addPushMirror(deps, actor, repository, input).catch((error: unknown) => {
          // The API returns 401 here, which would make a browser ask for credentials.
          throw isForgeError(error, "unauthenticated") ? invalid(textsFor(mirrorTexts, pageReader(request).languages).notAllowed) : error;
        });
        return back(repository);
      };
      return submit(add, (problem) => show(deps, request, { add: { values: body, problem: about(problem) } }), { field: "remote_address" });
    },
  }),
  defineRoute({
    ...page,
    id: "pushMirrorsNow",
    method: "POST",
    path: `${path}/push`,
    summary: "Push to all push mirrors",
    body: NoFields,
    handle: async ({ repository }) => {
      await requestAllPushes(deps, repository.id);
      return back(repository, "started");
    },
  }),
  defineRoute({
    ...page,
    id: "pullMirrorNow",
    method: "POST",
    path: `${path}/pull`,
    summary: "Synchronize a mirror",
    body: NoFields,
    handle: async ({ repository }) => {
      await requestPull(deps, repository);
      return back(repository, "started");
    },
  }),
  defineRoute({
    ...page,
    id: "setMirrorInterval",
    method: "POST",
    path: `${path}/interval`,
    summary: "Change the interval of a mirror",
    body: IntervalForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const save = async (): Promise<RawReply> => {
        await editRepository(deps, actor, repository, { mirrorInterval: body.interval.trim() });
        return back(repository);
      };
      return submit(save, (problem) => show(deps, request, { interval: { values: body.interval, problem } }), { field: "interval" });
    },
  }),
  defineRoute({
    ...page,
    id: "removeMirrorByForm",
    method: "POST",
    path: `${path}/{name}/remove`,
    summary: "Delete a push mirror",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await deletePushMirror(deps, actor, repository, params.name);
      return back(repository, "removed");
    },
  }),
];

const back = (repository: RepositoryName, confirmation?: Confirmation): RawReply => savedAt(settingsPath(repository, "/mirrors"), confirmation);

/** Assigns errors about intervals to their field. */
const about = (problem: FormProblem): FormProblem =>
  problem.reason === "invalid_duration" || problem.reason === "interval_too_short" ? { ...problem, field: "interval" } : problem;

interface RefusedForms {
  readonly add?: Refused<NewPushMirror>;
  readonly interval?: Refused<string>;
}

async function show(deps: PushMirrorDeps, request: SettingsRequest, { add, interval }: RefusedForms = {}): Promise<RawReply> {
  const { actor, repository, page, session } = request;
  const { items, total } = await listPushMirrors(deps, repository, page);
  const view = await getRepository(deps, actor, repository.id);
  const { mirror } = view;
  const pull = mirror && {
    address: view.originalUrl,
    interval: interval?.values ?? (mirror.intervalMs === 0 ? "0" : shortDuration(mirror.intervalMs)),
    syncedMs: mirror.syncedMs,
    failed: await getPullProblem(deps, repository),
    problem: interval?.problem,
  };
  const values = { remote_address: "", remote_username: "", interval: "", sync_on_commit: true };
  const props = { repository, pull, pushes: items, total, page, values, formToken: formTokenOf(requireSession(session)), ...add };
  return renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section: "mirrors" }, <MirrorsView {...props} />);
}
