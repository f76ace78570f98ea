import { formToken, make } from "./page.js";

/** Lets users drag items of an ordered list to the place of another one. Buttons do the same with the keyboard. */
export function dragItems() {
  /** @type {HTMLElement | undefined} */
  let dragged;
  const itemOf = (/** @type {Event} */ { target }) =>
    target instanceof Node ? /** @type {HTMLElement | null} */ ((target instanceof Element ? target : target.parentElement)?.closest("[data-drag]")) : null;
  /** The item below the pointer, if the dragged one can take its place. */
  const placeOf = (/** @type {Event} */ event) => {
    const item = itemOf(event);
    return dragged !== undefined && item !== null && item !== dragged && item.parentElement === dragged.parentElement ? item : undefined;
  };
  const mark = (/** @type {HTMLElement | undefined} */ place) => {
    for (const marked of document.querySelectorAll("[data-drop]")) if (marked !== place) marked.removeAttribute("data-drop");
    place?.setAttribute("data-drop", "");
  };
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-drag]"))) item.draggable = true;
  document.addEventListener("dragstart", (event) => {
    dragged = itemOf(event) ?? undefined;
    if (dragged !== undefined && event.dataTransfer !== null) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => {
    const place = placeOf(event);
    mark(place);
    if (place !== undefined) event.preventDefault();
  });
  document.addEventListener("dragend", () => {
    dragged = undefined;
    mark(undefined);
  });
  document.addEventListener("drop", (event) => {
    const place = placeOf(event);
    if (place === undefined || dragged === undefined) return;
    event.preventDefault();
    const { drag = "", fields = "{}", field = "" } = dragged.dataset;
    const values = { ...JSON.parse(fields), [field]: place.dataset.position ?? "", _csrf: formToken() ?? "" };
    const inputs = Object.entries(values).map(([name, value]) => make("input", { type: "hidden", name, value: String(value) }));
    const form = /** @type {HTMLFormElement} */ (make("form", { method: "post", action: drag, hidden: "" }, inputs));
    document.body.append(form);
    form.submit();
  });
}
