/** A second click on the button of a form that is being sent sends nothing. Without this, the key in the form makes one thing of both. */
export function submitOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[method="post"]')) return;
    if (form.hasAttribute("aria-busy")) {
      event.preventDefault();
      return;
    }
    form.setAttribute("aria-busy", "true");
    // An answer that never comes must not leave a form that cannot be sent.
    setTimeout(() => form.removeAttribute("aria-busy"), 10_000);
  });
  // Whoever goes back finds the page as it was left.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[aria-busy]")) form.removeAttribute("aria-busy");
  });
}
