import { make, makeButton, say } from "./page.js";

/** Adds copy buttons to clone URLs, secrets and code blocks. */
export function offerCopies() {
  const fileButtons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy-from]"));
  // Pages of other machines over plain HTTP cannot write to the clipboard.
  if (navigator.clipboard === undefined) {
    for (const button of [...fileButtons, .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copies]"))]) button.hidden = true;
    return;
  }
  const texts = say();
  const offer = (/** @type {Element} */ source, /** @type {() => string} */ read) => {
    const button = makeButton(texts.copy, async () => {
      await navigator.clipboard.writeText(read());
      button.textContent = texts.copied;
      setTimeout(() => {
        button.textContent = texts.copy;
      }, 2_000);
    });
    button.classList.add("copy");
    const place = make("div", { class: "copied" });
    source.replaceWith(place);
    place.append(source, button);
  };
  for (const button of fileButtons) {
    button.addEventListener("click", async () => {
      const response = await fetch(button.dataset.copyFrom ?? "");
      if (!response.ok) return;
      await navigator.clipboard.writeText(await response.text());
      button.textContent = texts.copied;
      setTimeout(() => {
        button.textContent = texts.copy;
      }, 2_000);
    });
  }
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-copies]")) : null;
    if (button === null) return;
    const { ariaLabel } = button;
    await navigator.clipboard.writeText(button.dataset.copies ?? "");
    button.ariaLabel = texts.copied;
    button.classList.add("done");
    setTimeout(() => {
      button.ariaLabel = ariaLabel;
      button.classList.remove("done");
    }, 2_000);
  });
  for (const source of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
    const button = makeButton(texts.copy, async () => {
      await navigator.clipboard.writeText(source.dataset.copy ?? "");
      button.textContent = texts.copied;
      setTimeout(() => {
        button.textContent = texts.copy;
      }, 2_000);
    });
    button.className = "small";
    button.setAttribute("aria-label", `${texts.copy}: ${source.dataset.copy}`);
    // A button cannot be in a link.
    (source.closest("a") ?? source).after(" ", button);
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("main input[readonly]"))) offer(input, () => input.value);
  for (const secret of document.querySelectorAll("code.secret")) offer(secret, () => (secret.textContent ?? "").trim());
  for (const block of document.querySelectorAll(".markdown pre, .empty pre, pre.secret")) {
    const text = block.textContent ?? "";
    offer(block, () => text);
  }
}
