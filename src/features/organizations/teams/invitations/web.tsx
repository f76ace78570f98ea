import { isUser } from "../../../../access/actor.ts";
import { anyone, signedIn } from "../../../../http/access.ts";
import { raw } from "../../../../http/answers.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { accountPath } from "../../../../ui/addresses.ts";
import { renderPage } from "../../../../ui/page.tsx";
import { languageFor, textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { teamTexts } from "../texts/texts.ts";
import { acceptInvitation, codeToRegister, type InvitationDeps, readInvitation, type Sending } from "./service.ts";
import { InvitationPage } from "./views.tsx";

const CodeForm = inPlace({ code: text() });

const linked = { mount: "root", tag: "organization", isUnlisted: true, isPage: true, answers: raw(["text/html"]) } as const;
const path = "/user/invitation";

/** The page of the link in an invitation. `members.tsx` has the list and the forms of owners. */
export const invitationPages = (deps: InvitationDeps): Route[] => [
  defineRoute({
    ...linked,
    id: "invitationPage",
    method: "GET",
    path,
    summary: "The page of an emailed invitation",
    isOpen: true,
    access: anyone,
    scope: "none",
    query: { code: query.text("The code from the emailed link") },
    handle: async (request) => {
      const code = request.query.code ?? "";
      const invitation = await readInvitation(deps, code);
      const reader = pageReader(request);
      const viewer = isUser(request.actor) && reader.viewer !== undefined ? reader.viewer : undefined;
      const registration = viewer === undefined ? await codeToRegister(deps, invitation) : undefined;
      const title = textsFor(teamTexts, reader.languages).invitations.heading(invitation.orgName);
      return renderPage({ ...reader, title, isNarrow: true }, <InvitationPage {...{ invitation, code, viewer, registration }} />);
    },
  }),
  defineRoute({
    ...linked,
    id: "acceptInvitation",
    method: "POST",
    path,
    summary: "Join the team of an emailed invitation",
    access: signedIn,
    scope: "organization",
    body: CodeForm,
    handle: async ({ actor, body }) => seeOther(accountPath((await acceptInvitation(deps, actor, body.code)).orgName)),
  }),
];

/** The email is written in the language of the sender, because that of the recipient is not known. */
export const sendingOf = (request: PageRequest & { readonly remoteAddress: string }): Sending => ({
  language: languageFor(pageReader(request).languages),
  remoteAddress: request.remoteAddress,
});
