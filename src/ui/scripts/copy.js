import { make, makeButton, say } from "./page.js";

/** Adds copy buttons to clone URLs, secrets and code blocks. */
export function offerCopies() {
  // Pages of other machines over plain HTTP cannot write to the clipboard.
  if (navigator.clipboard === undefined) return;
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
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("[data-copy-from]"))) {
    const button = makeButton(texts.copy, async () => {
      const response = await fetch(link.dataset.copyFrom ?? "");
      if (response.ok) await navigator.clipboard.writeText(await response.text());
      button.textContent = response.ok ? texts.copied : texts.copy;
      setTimeout(() => {
        button.textContent = texts.copy;
      }, 2_000);
    });
    button.className = "small";
    link.after(button);
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("main input[readonly]"))) offer(input, () => input.value);
  for (const secret of document.querySelectorAll("code.secret")) offer(secret, () => (secret.textContent ?? "").trim());
  for (const block of document.querySelectorAll(".markdown pre, .empty pre, pre.secret")) {
    const text = block.textContent ?? "";
    offer(block, () => text);
  }
}
