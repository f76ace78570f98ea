import type { UserActor } from "../../../../access/actor.ts";
import type { Page } from "../../../../core/paging.ts";
import { siteAdmin } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import type { Html } from "../../../../ui/html.ts";
import { type AdministrationSection, renderAdministration } from "../../../../ui/settings.tsx";
import { type TextsOf, textsFor } from "../../../../ui/texts/texts.ts";
import { adminTexts } from "../texts/texts.ts";

/** The declarations that all administration pages share. */
export const adminPage = { ...settingsPage, tag: "admin", scope: "admin", access: siteAdmin } as const;

export interface AdminRequest extends PageRequest {
  readonly actor: UserActor;
  readonly page: Page;
}

export const tokenOf = ({ session }: PageRequest): string => formTokenOf(requireSession(session));
export const textsOf = (request: PageRequest): TextsOf<typeof adminTexts> => textsFor(adminTexts, pageReader(request).languages);

export const show = (request: AdminRequest, section: AdministrationSection, ...content: readonly Html[]): RawReply =>
  renderAdministration({ ...pageReader(request), section }, ...content);
