/** The collections that there are, and the one that is looked at. */
import { computed, signal } from "@preact/signals";
import { api, part } from "../api/http.ts";
import type { CollectionStatus, StrategyInfo } from "../api/types.ts";
import { note, route } from "./route.ts";
import { remember } from "./settings.ts";

export const collections = signal<readonly string[] | undefined>(undefined);
export const collectionsError = signal<unknown>(undefined);
export const status = signal<CollectionStatus | undefined>(undefined);
export const strategies = signal<readonly StrategyInfo[]>([]);

function remembered(): string | null {
  try {
    return localStorage.getItem("huiliu.collection");
  } catch {
    return null;
  }
}

/** Its name; undefined where there is none. */
export const collection = computed(() => {
  const known = collections.value ?? [];
  const wanted = route.value.params["c"] ?? remembered();
  return known.find((name) => name === wanted) ?? known[0];
});

export function chooseCollection(name: string): void {
  remember("collection", name);
  note({ c: name });
}

export async function loadCollections(): Promise<void> {
  try {
    const [found, known] = await Promise.all([
      api<{ collections: { name: string }[] }>("GET", "/collections"),
      api<{ strategies: StrategyInfo[] }>("GET", "/strategies"),
    ]);
    strategies.value = known.strategies;
    collections.value = found.collections.map(({ name }) => name);
    collectionsError.value = undefined;
  } catch (error) {
    collectionsError.value = error;
  }
}

/** How much the collection holds now. */
export async function loadStatus(): Promise<void> {
  const name = collection.value;
  if (name === undefined) {
    status.value = undefined;
    return;
  }
  try {
    const loaded = await api<CollectionStatus>("GET", `/collections/${part(name)}`);
    if (collection.value === name) status.value = loaded;
  } catch {
    // The view that needs the collection says what is wrong with it.
    status.value = undefined;
  }
}

/** A path below the collection. */
export function inCollection(path: string): string {
  return `/collections/${part(collection.value ?? "")}${path}`;
}
