/** The frame: where one is, which collection is looked at, language and theme. */
import type { ComponentType } from "preact";
import { useEffect, useId } from "preact/hooks";
import { hasKey, keepKey } from "./api/http.ts";
import { DocumentPanel } from "./parts/document-panel.tsx";
import { Help, helpOpen, Keys } from "./parts/help.tsx";
import { Icon, type IconName, Mark } from "./parts/icon.tsx";
import { KeyDialog } from "./parts/key-dialog.tsx";
import { Empty, ErrorNote, Waiting } from "./parts/notes.tsx";
import {
  chooseCollection,
  collection,
  collections,
  collectionsError,
  loadCollections,
  loadStatus,
  status,
} from "./state/collections.ts";
import { linkTo, route, VIEWS, type View } from "./state/route.ts";
import { chooseLocale, chooseTheme, locale, type Theme, theme } from "./state/settings.ts";
import { harmless } from "./text/harmless.ts";
import { say } from "./text/index.ts";
import { Analyzers } from "./views/analyzers.tsx";
import { Ask } from "./views/ask.tsx";
import { Compare } from "./views/compare.tsx";
import { Console } from "./views/console.tsx";
import { Documents } from "./views/documents.tsx";
import { Neighbours } from "./views/neighbours.tsx";
import { Reports } from "./views/reports.tsx";
import { Search } from "./views/search.tsx";

interface Shown {
  component: ComponentType;
  /** Shows something without any document. */
  alone?: boolean;
}

const SHOWN: Record<View, Shown> = {
  ask: { component: Ask },
  search: { component: Search },
  compare: { component: Compare },
  documents: { component: Documents, alone: true },
  neighbours: { component: Neighbours },
  analyzers: { component: Analyzers, alone: true },
  reports: { component: Reports, alone: true },
  console: { component: Console, alone: true },
};

export function App() {
  const words = say();
  const { view } = route.value;
  useEffect(() => {
    void loadCollections();
  }, []);
  useEffect(() => {
    void loadStatus();
  }, [collection.value]);
  useEffect(() => {
    document.title = `${words.views[view]} · ${words.brand}`;
  }, [view, words]);
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="side">
        <a class="brand" href={linkTo("ask")}>
          <Mark />
          <span class="brand-name">{words.brand}</span>
        </a>
        <CollectionChoice />
        <nav class="views" aria-label={words.navigation}>
          <ul>
            {VIEWS.map((name) => (
              <li key={name}>
                <a href={linkTo(name)} {...(name === view ? { "aria-current": "page" as const } : {})}>
                  <Icon name={name} />
                  <span>{words.views[name]}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Settings />
      </header>
      <main id="main" tabIndex={-1}>
        <Content view={view} />
      </main>
      <DocumentPanel />
      <KeyDialog />
      <Help />
      <Keys />
    </>
  );
}

function Content({ view }: { view: View }) {
  const { component: Component, alone } = SHOWN[view];
  if (collectionsError.value !== undefined)
    return <ErrorNote error={collectionsError.value} retry={() => void loadCollections()} />;
  if (collections.value === undefined) return <Waiting lines={6} />;
  const nothing = collection.value === undefined || status.value?.documents === 0;
  if (nothing && !alone) return <Nothing />;
  return <Component key={collection.value} />;
}

function Nothing() {
  const words = say();
  return (
    <Empty icon="documents" title={words.empty.title}>
      <p>{words.empty.text}</p>
      <pre class="command">
        <code>huiliu add docs/</code>
      </pre>
      <a class="primary" href={linkTo("documents")}>
        {words.empty.action}
      </a>
    </Empty>
  );
}

function CollectionChoice() {
  const words = say();
  const id = useId();
  const known = collections.value ?? [];
  if (known.length === 0) return <div class="collection-choice" />;
  return (
    <div class="collection-choice">
      <label for={id}>{words.collection}</label>
      <select
        id={id}
        value={collection.value ?? ""}
        onChange={({ currentTarget }) => chooseCollection(currentTarget.value)}
      >
        {known.map((name) => (
          <option key={name} value={name}>
            {harmless(name)}
          </option>
        ))}
      </select>
      <p class="hint">{status.value && words.holds(status.value.documents, status.value.passages)}</p>
    </div>
  );
}

const THEMES: Record<Theme, { next: Theme; icon: IconName }> = {
  auto: { next: "light", icon: "system" },
  light: { next: "dark", icon: "sun" },
  dark: { next: "auto", icon: "moon" },
};

function Settings() {
  const words = say();
  const { next, icon } = THEMES[theme.value];
  const themeLabel = words.themeNext(words.theme[theme.value]);
  return (
    <div class="settings">
      <button
        type="button"
        class="icon-button worded"
        lang={locale.value === "zh" ? "en" : "zh-CN"}
        aria-label={words.languageLabel}
        onClick={() => chooseLocale(locale.value === "zh" ? "en" : "zh")}
      >
        <Icon name="language" />
        <span>{words.language}</span>
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={themeLabel}
        title={words.theme[theme.value]}
        onClick={() => chooseTheme(next)}
      >
        <Icon name={icon} />
      </button>
      <button
        type="button"
        class="icon-button keyboard-only"
        aria-label={words.shortcuts}
        title={`${words.shortcuts} (?)`}
        onClick={() => {
          helpOpen.value = true;
        }}
      >
        <Icon name="keyboard" />
      </button>
      {hasKey.value && (
        <button
          type="button"
          class="icon-button"
          aria-label={words.key.forget}
          title={words.key.forget}
          onClick={() => {
            keepKey(undefined);
            location.reload();
          }}
        >
          <Icon name="key" />
        </button>
      )}
    </div>
  );
}
