/** Where one is: the view and what it shows stand in the address after `#`, so that it can be kept, shared and gone back to. */
import { signal } from "@preact/signals";

export const VIEWS = [
  "ask",
  "search",
  "compare",
  "documents",
  "neighbours",
  "analyzers",
  "reports",
  "console",
] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  view: View;
  params: Readonly<Record<string, string>>;
}

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const view = VIEWS.find((one) => one === path) ?? "ask";
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

export function writeRoute(view: View, params: Readonly<Record<string, string | undefined>>): string {
  const kept = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

export const route = signal<Route>(readRoute(location.hash));

export function followAddress(): void {
  window.addEventListener("hashchange", () => {
    // A link within the page, such as the one to the content, leaves the view where it is.
    if (location.hash !== "" && !location.hash.startsWith("#/"))
      history.replaceState(null, "", writeRoute(route.value.view, route.value.params));
    else route.value = readRoute(location.hash);
  });
}

/** The address of a view; the collection stays. */
export function linkTo(view: View, params: Readonly<Record<string, string | undefined>> = {}): string {
  return writeRoute(view, { c: route.value.params["c"], ...params });
}

export function go(view: View, params: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = linkTo(view, params);
}

/** Changes what the view shows without a step back to what it showed. */
export function note(params: Readonly<Record<string, string | undefined>>): void {
  const { view, params: before } = route.value;
  history.replaceState(null, "", writeRoute(view, { ...before, ...params }));
  route.value = readRoute(location.hash);
}
