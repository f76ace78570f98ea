import { defineFeature } from "../../../mount/feature.ts";
import { archiveRoutes } from "./api/archives.ts";
import { changeRoutes } from "./api/changes.ts";
import { contentsRoutes } from "./api/contents.ts";
import { editorSettingsRoutes } from "./api/editor-settings.ts";
import { rawRoutes } from "./api/raw.ts";
import { otherAddressPages } from "./web/addresses.ts";
import { tracingPages } from "./web/blame.tsx";
import { editingPages } from "./web/edit.tsx";
import { findFilePages } from "./web/find-file.tsx";
import { pickingPages } from "./web/pick.tsx";
import { contentsPages } from "./web/read.tsx";
import { switchPages } from "./web/switch.ts";
import { uploadPages } from "./web/upload.tsx";

export const contentsFeature = defineFeature({
  name: "repositories/contents",
  routes: [
    contentsRoutes,
    rawRoutes,
    contentsPages,
    switchPages,
    otherAddressPages,
    tracingPages,
    findFilePages,
    pickingPages,
    editingPages,
    uploadPages,
    changeRoutes,
    archiveRoutes,
    editorSettingsRoutes,
  ],
});
