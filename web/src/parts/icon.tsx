/** Pictures for buttons and views; each stands beside words or in a button that has a name, so readers skip them. */

const PATHS = {
  ask: "M4 5h12v8H9l-4 3v-3H4z",
  search: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zm3.6 8.6L16.5 16.5",
  compare: "M3 6c6 0 8 8 14 8M3 14c6 0 8-8 14-8",
  documents: "M5 3h7l3 3v11H5zM12 3v3h3M7.5 10h5M7.5 13h5",
  neighbours: "M10 10m-1.6 0a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M4 5h.01M15 4h.01M16 12h.01M5 15h.01M12 16.500h.01",
  analyzers: "M3 6h5v8H3zM9.500 6H12v8H9.500zM13.500 6H17v8h-3.500z",
  reports: "M4 16V9M8 16V5M12 16v-5M16 16V7M3 16h14",
  console: "M3 5h14v10H3zM6 8.500l2 1.500-2 1.500M10 12h3",
  close: "M5 5l10 10M15 5L5 15",
  sun: "M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M15.700 4.300l-1.100 1.100M5.400 14.600l-1.100 1.100",
  moon: "M15.500 12A6.500 6.500 0 0 1 8 4.500a6.500 6.500 0 1 0 7.500 7.500z",
  system: "M3 4h14v9H3zM7 16.500h6M10 13v3.500",
  language: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM3 10h14M10 3c2.500 2 2.500 12 0 14M10 3c-2.500 2-2.500 12 0 14",
  keyboard: "M2.500 5.500h15v9h-15zM5 8.500h.01M8 8.500h.01M11 8.500h.01M14 8.500h.01M6.500 11.800h7",
  key: "M12.500 3.500a4 4 0 1 0-3.400 6.200L4 14.800V17h2.500v-1.800h1.800v-1.800l2.300-2.300a4 4 0 0 0 1.900-7.600zM13.200 6.700h.01",
  filter: "M3 5h14M6 10h8M8.500 15h3",
  chevron: "M7 4l6 6-6 6",
  up: "M10 16V4M5 9l5-5 5 5",
  trash: "M4 6h12M8 6V4h4v2M5.500 6l.8 10.500h7.400L14.500 6",
  stop: "M5.500 5.500h9v9h-9z",
  upload: "M10 13V4M6 8l4-4 4 4M4 13v3h12v-3",
  copy: "M7 7h9v9H7zM4 13V4h9",
  info: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 9v4.500M10 6.500h.01",
  warning: "M10 3.500L17.500 16.500h-15zM10 8.500v3.500M10 14.200h.01",
  spark: "M10 3v5M10 12v5M3 10h5M12 10h5",
  check: "M4 10.500l4 4 8-9",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Two streams that become one. */
export function Mark({ size = 30 }: { size?: number }) {
  return (
    <svg class="brand-mark" width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M4 8c7 0 8 8 14 8h10" stroke="var(--accent)" stroke-width="3.4" stroke-linecap="round" />
      <path d="M4 24c7 0 8-8 14-8" stroke="var(--amber)" stroke-width="3.4" stroke-linecap="round" />
    </svg>
  );
}
