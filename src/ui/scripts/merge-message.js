/**
 * Shows the default message of the selected merge method, unless the user has changed the text. A method without a message of its own hides
 * the fields.
 */
export function followMergeMethod() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-messages]"))) {
    const form = place.closest("form");
    const style = form?.elements.namedItem("style");
    if (!(style instanceof HTMLSelectElement) || form === null) continue;
    const messages = JSON.parse(place.dataset.messages ?? "{}");
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    const follow = () => {
      const message = messages[style.value];
      place.querySelector("details")?.toggleAttribute("hidden", message === undefined);
      const isTyped = ["title", "message"].some((name) => field(name).value !== field(`filled_${name}`).value.replaceAll("\r\n", "\n"));
      if (message === undefined || isTyped) return;
      for (const name of ["title", "message"]) field(name).value = field(`filled_${name}`).value = message[name];
    };
    style.addEventListener("change", follow);
    follow();
  }
}
