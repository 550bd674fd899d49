/** Why a passage ranks where it does: each list's share, each word's, and the whole calculation as a tree. */
import { api } from "../api/http.ts";
import { inCollection } from "../state/collections.ts";
import { useLoaded } from "../state/load.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { scoreText } from "../text/values.ts";
import { ErrorNote, Waiting } from "./notes.tsx";
import { Said } from "./said.tsx";
import { Scroll } from "./scroll.tsx";

interface Detail {
  value: number;
  description: string;
  details?: Detail[];
}

interface ListExplained {
  list: string;
  rank?: number;
  score?: number;
  best?: number;
  adds?: number;
  terms: { field: string; term: string; score: number; frequency?: number; documents?: number }[];
  missing: string[];
  why?: string;
  explanation?: Detail;
}

interface Explained {
  why: string;
  lists: ListExplained[];
}

const MOST_TERMS = 20;

export function Explanation({ query, passage, body }: { query: string; passage: string; body: object }) {
  const { value, error, reload } = useLoaded(
    (signal) => api<Explained>("POST", inCollection("/explain"), { body: { query, passage, ...body }, signal }),
    [query, passage, JSON.stringify(body)],
  );
  const words = say().explain;
  return (
    <section class="explanation" aria-label={words.title}>
      {error !== undefined ? (
        <ErrorNote error={error} retry={reload} />
      ) : !value ? (
        <Waiting lines={4} />
      ) : (
        <>
          <p class="why" dir="auto">
            {value.why}
          </p>
          <Shares lists={value.lists} />
          {value.lists.map((list) => (
            <OneList key={list.list} list={list} />
          ))}
        </>
      )}
    </section>
  );
}

/** What each list adds to the fused score, as one bar. */
function Shares({ lists }: { lists: ListExplained[] }) {
  const total = lists.reduce((sum, { adds }) => sum + (adds ?? 0), 0);
  if (lists.length < 2 || !(total > 0)) return null;
  return (
    <div class="shares" aria-hidden="true">
      {lists.map(({ list, adds = 0 }, i) => (
        <span
          key={list}
          class={`share stream-${i % 6}`}
          style={{ flexGrow: adds / total }}
          title={`${list}: ${scoreText(adds)}`}
        />
      ))}
    </div>
  );
}

function OneList({ list }: { list: ListExplained }) {
  const words = say().explain;
  const most = Math.max(0, ...list.terms.map(({ score }) => score));
  const facts = [
    list.rank === undefined ? words.notInList : words.listRank(list.rank),
    ...(list.score === undefined ? [] : [`${say().search.score} ${scoreText(list.score)}`]),
    ...(list.best === undefined ? [] : [words.best(scoreText(list.best))]),
    ...(list.adds === undefined ? [] : [words.share(scoreText(list.adds))]),
  ];
  return (
    <div class="explained-list">
      <h3>
        <Said value={list.list} /> <span class="soft">{facts.join(" · ")}</span>
      </h3>
      {list.why && (
        <p class="soft" dir="auto">
          {list.why}
        </p>
      )}
      {list.terms.length > 0 && (
        <Scroll label={words.terms}>
          <table class="terms">
            <thead>
              <tr>
                <th>{words.term}</th>
                <th>{words.field}</th>
                <th class="number">{words.adds}</th>
                <th>
                  <span class="hidden">{words.adds}</span>
                </th>
                <th class="number">{words.frequency}</th>
                <th class="number">{words.inPassages}</th>
              </tr>
            </thead>
            <tbody>
              {list.terms.slice(0, MOST_TERMS).map(({ field, term, score, frequency, documents }) => (
                <tr key={`${field} ${term}`}>
                  <td>
                    <Said value={term} />
                  </td>
                  <td class="soft">
                    <Said value={field} />
                  </td>
                  <td class="number">{scoreText(score)}</td>
                  <td class="bar-cell">
                    <span class="bar-fill" style={{ width: `${most > 0 ? (score / most) * 100 : 0}%` }} />
                  </td>
                  <td class="number">{frequency === undefined ? "" : +frequency.toFixed(2)}</td>
                  <td class="number">{documents}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {list.missing.length > 0 && (
        <p class="soft">
          {words.missing} <bdi>{list.missing.slice(0, 30).map(harmless).join(", ")}</bdi>
        </p>
      )}
      {list.explanation && (
        <details class="tree">
          <summary>{words.tree}</summary>
          <Scroll label={words.tree}>
            <Tree detail={list.explanation} depth={0} />
          </Scroll>
        </details>
      )}
    </div>
  );
}

/** Deeper trees are made by nobody's question. */
const DEEPEST = 30;

function Tree({ detail, depth }: { detail: Detail; depth: number }) {
  return (
    <ul>
      <li>
        <span class="tree-value">{scoreText(detail.value)}</span> <Said value={detail.description} />
        {depth < DEEPEST && detail.details?.map((inner, i) => <Tree key={i} detail={inner} depth={depth + 1} />)}
      </li>
    </ul>
  );
}
