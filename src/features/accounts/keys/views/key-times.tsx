import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { PublicKeyView } from "../model.ts";
import { keyTexts } from "../texts/texts.ts";

/** When a key was added and last used. */
export function KeyTimes({ of: { createdMs, lastUsedMs } }: { readonly of: Pick<PublicKeyView, "createdMs" | "lastUsedMs"> }): Html {
  const { sshKeys: texts } = useTexts(keyTexts);
  return (
    <div class="soft">
      {texts.added} <Day ms={createdMs} />
      {", "}
      {lastUsedMs === 0 ? (
        texts.neverUsed
      ) : (
        <>
          {texts.lastUsed} <Day ms={lastUsedMs} />
        </>
      )}
    </div>
  );
}
