/** Ignores a second click on the button of a form that is being sent. Without this script, the key in the form makes the server create only one object. */
export function submitOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[method="post"]')) return;
    if (form.hasAttribute("aria-busy")) {
      event.preventDefault();
      return;
    }
    form.setAttribute("aria-busy", "true");
    // If no response arrives, the form can be sent again.
    setTimeout(() => form.removeAttribute("aria-busy"), 10_000);
  });
  // Browsers restore the page in its previous state when the user goes back.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[aria-busy]")) form.removeAttribute("aria-busy");
  });
}
