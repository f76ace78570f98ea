import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  LanguageDescription,
  syntaxHighlighting,
} from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The code editor of the pages that change files. It is a module of its own, loaded by these pages only, and replaces a text field that works without it.

const theme = EditorView.theme({
  "&": {
    height: "var(--editor-height)",
    boxSizing: "border-box",
    fontSize: "var(--text-code)",
    color: "var(--fg)",
    backgroundColor: "var(--bg)",
    border: "1px solid var(--control-border, var(--border))",
    borderRadius: "var(--radius)",
  },
  "&.cm-focused": { outline: "2px solid var(--focus, var(--accent))" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "var(--line-code)", overflow: "auto" },
  ".cm-content": { caretColor: "var(--fg)" },
  ".cm-cursor": { borderLeftColor: "var(--fg)" },
  ".cm-gutters": { backgroundColor: "var(--bg-muted)", color: "var(--fg-muted)", borderRight: "1px solid var(--border-muted)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--bg-hover)" },
  ".cm-panels": { backgroundColor: "var(--bg-muted)", color: "var(--fg)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--bg-inset)" },
});

const colors = HighlightStyle.define([
  { tag: [tags.comment, tags.quote], color: "var(--fg-muted)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.null, tags.typeName], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.regexp, tags.attributeValue, tags.link, tags.url], color: "var(--code-string)" },
  { tag: [tags.number, tags.meta, tags.list], color: "var(--code-number)" },
  { tag: [tags.heading, tags.className, tags.tagName, tags.function(tags.definition(tags.variableName))], color: "var(--code-title)" },
  { tag: [tags.attributeName, tags.propertyName, tags.standard(tags.name)], color: "var(--code-name)" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
]);

/**
 * Puts the editor in the place of a text field, which keeps the text for the form.
 * @param {HTMLTextAreaElement} field
 * @param {{ label: string, indent: string, tabSize: number, nameField: HTMLInputElement | null }} options
 */
export function mountEditor(field, { label, indent, tabSize, nameField }) {
  const host = document.createElement("div");
  host.className = "code-editor";
  // The editor has the height of the field, so that nothing on the page moves.
  host.style.setProperty("--editor-height", `${field.offsetHeight}px`);
  field.after(host);
  // Styles of a shadow root are constructed, which the policy of pages allows; style elements are forbidden.
  const root = host.attachShadow({ mode: "open" });
  const language = new Compartment();
  const submit = () => {
    field.form?.requestSubmit();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: field.value,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        rectangularSelection(),
        crosshairCursor(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        EditorState.tabSize.of(tabSize),
        indentUnit.of(indent),
        syntaxHighlighting(colors),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        keymap.of([{ key: "Mod-Enter", run: submit }, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
        language.of([]),
        theme,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.domEventHandlers({
          // Browsers keep the look of replaced text in an inline style, which the policy of pages forbids.
          beforeinput: (event, view) => {
            const isSelected = view.state.selection.ranges.some((range) => !range.empty);
            if (event.inputType !== "insertText" || event.data === null || event.isComposing || !isSelected) return false;
            view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
            return true;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          field.value = update.state.doc.toString();
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }),
      ],
    }),
  });
  // A restored draft.
  field.form?.addEventListener("input", () => {
    if (field.value !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
  });
  field.addEventListener("focus", () => view.focus());
  const hasFocus = document.activeElement === field;
  field.classList.add("hidden");
  field.tabIndex = -1;
  field.setAttribute("aria-hidden", "true");
  if (hasFocus) view.focus();
  // Shortcuts of pages do not apply while a user types.
  host.addEventListener("keydown", (event) => event.stopPropagation());
  const highlight = async () => {
    const name = (nameField?.value ?? "").split("/").at(-1) ?? "";
    const found = LanguageDescription.matchFilename(languages, name);
    const support = found === null ? [] : await found.load();
    view.dispatch({ effects: language.reconfigure(support) });
  };
  nameField?.addEventListener("change", highlight);
  return highlight();
}
