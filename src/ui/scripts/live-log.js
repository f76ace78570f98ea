// Adds the lines of a log as they arrive. At its end, the page is loaded again with the lines in their steps.

export function followLog() {
  const list = document.querySelector("ol[data-live]");
  if (!(list instanceof HTMLElement)) return;
  const source = new EventSource(list.dataset.live ?? "");
  source.addEventListener("message", ({ data }) => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 200;
    list.insertAdjacentHTML("beforeend", JSON.parse(data));
    list.closest(".log")?.querySelector(".no-lines")?.remove();
    if (isAtEnd) list.lastElementChild?.scrollIntoView({ block: "end" });
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
  addEventListener("pagehide", () => source.close());
}
