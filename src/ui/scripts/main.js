import { followAnchors } from "./anchors.js";
import { attachFiles } from "./attachments.js";
import { markChangedWords } from "./changed-words.js";
import { editCode, previewChanges } from "./code-editor.js";
import { completeMentions } from "./complete.js";
import { confirmDeletions } from "./confirm.js";
import { settleConflicts } from "./conflicts.js";
import { offerCopies } from "./copy.js";
import { drawDiagrams } from "./diagrams.js";
import { keepDrafts } from "./drafts.js";
import { dragItems } from "./drag.js";
import { filterFiles } from "./file-filter.js";
import { offerFinder } from "./finder.js";
import { countNews } from "./inbox.js";
import { listenForKeys } from "./keys.js";
import { markLines } from "./lines.js";
import { followLog } from "./live-log.js";
import { closeMenus, narrowMenus } from "./menus.js";
import { followMergeMethod } from "./merge-message.js";
import { speak } from "./page.js";
import { loadParts } from "./parts.js";
import { comparePictures } from "./pictures.js";
import { offerPreviews } from "./preview.js";
import { quoteTexts } from "./quotes.js";
import { reviewInPlace } from "./review.js";
import { reachScrollers } from "./scrollers.js";
import { saveSidePanels } from "./side-panels.js";
import { keepTreeLook } from "./source-tree.js";
import { keepTitle } from "./stuck-title.js";
import { submitOnce } from "./submit-once.js";
import { showCurrentTabs } from "./tabs.js";
import { tickTasks } from "./tasks.js";
import { tickMany } from "./tick-many.js";
import { tellTimes } from "./times.js";
import { gatherUploads } from "./uploads.js";

/**
 * Adds the optional behaviour of pages, which work without it.
 * @param {import("./page.js").ScriptTexts} texts of the page's language
 */
export function start(texts) {
  speak(texts);
  confirmDeletions();
  submitOnce();
  for (const begin of [
    showCurrentTabs,
    keepTreeLook,
    followAnchors,
    closeMenus,
    narrowMenus,
    saveSidePanels,
    reachScrollers,
    keepDrafts,
    listenForKeys,
    offerFinder,
    offerPreviews,
    editCode,
    previewChanges,
    filterFiles,
    keepTitle,
    tickTasks,
    dragItems,
    attachFiles,
    offerCopies,
    comparePictures,
    drawDiagrams,
    tellTimes,
    loadParts,
    gatherUploads,
    markLines,
    completeMentions,
    countNews,
    tickMany,
    reviewInPlace,
    quoteTexts,
    followLog,
    settleConflicts,
    followMergeMethod,
    markChangedWords,
  ]) {
    // A module that fails does not affect the others; its error is in the console.
    queueMicrotask(begin);
  }
  // Shortcuts work from here on.
  queueMicrotask(() => document.documentElement.setAttribute("data-ready", ""));
}
