/** Follows `#title` to the heading of a text, whose id has a prefix. */
export function followAnchors() {
  const follow = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    if (name !== "" && document.getElementById(name) === null) document.getElementById(`user-content-${name}`)?.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
}
