/** The page's look: light and dark, readable without colours. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #fff; --fg: #1c1e21; --dim: #62676e; --line: #dfe2e6; --accent: #2563eb; --good: #15803d; --bad: #b91c1c;
  --s0: #2563eb; --s1: #d97706; --s2: #059669; --s3: #9333ea; --s4: #dc2626; --s5: #0891b2; --s6: #65a30d; --s7: #db2777; }
@media (prefers-color-scheme: dark) { :root { --bg: #15171a; --fg: #e6e8eb; --dim: #9aa1aa; --line: #33383f; --accent: #6ea0ff; --good: #4ade80; --bad: #f87171;
  --s0: #6ea0ff; --s1: #fbbf24; --s2: #34d399; --s3: #c084fc; --s4: #f87171; --s5: #22d3ee; --s6: #a3e635; --s7: #f472b6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem 4rem; background: var(--bg); color: var(--fg);
  font: 16px/1.55 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; } h3 { font-size: 1.05rem; margin-top: 2rem; }
p.note, .dim { color: var(--dim); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; white-space: nowrap; } td.text, th.text { text-align: left; min-width: 18rem; }
td small { color: var(--dim); display: block; white-space: nowrap; } td.best { font-weight: 700; } .better, .gain { color: var(--good); } .worse, .loss { color: var(--bad); }
.plots { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 0; max-width: 100%; overflow-x: auto; } figcaption { color: var(--dim); font-size: .85rem; }
details { margin: .6rem 0; } summary { cursor: pointer; }
svg { max-width: 100%; height: auto; font-size: 12px; } svg text { fill: var(--fg); } svg text.name { fill: var(--dim); } svg text.on { fill: var(--bg); }
.grid { stroke: var(--line); } .axis { stroke: var(--dim); stroke-dasharray: 4 3; } .whisker { stroke: var(--fg); stroke-width: 1.5; }
.point { fill-opacity: .55; stroke: var(--bg); } circle.gain { fill: var(--good); } circle.loss { fill: var(--bad); } circle.even { fill: var(--dim); }
.cell { fill: var(--accent); } .cell.chosen { stroke: var(--fg); stroke-width: 2; }
${Array.from({ length: 8 }, (_, i) => `.s${i} { fill: var(--s${i}); } .curve.s${i} { fill: none; stroke: var(--s${i}); stroke-width: 2; }`).join("\n")}
`;
