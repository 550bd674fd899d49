/** Metadata counted, as bars that set filters. */
import { api } from "../api/http.ts";
import type { Facet } from "../api/types.ts";
import { inCollection } from "../state/collections.ts";
import { type Condition, conditionOf, has, requestFilters } from "../state/filters.ts";
import { useLoaded } from "../state/load.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { ErrorNote, Waiting } from "./notes.tsx";

export function Facets({
  query,
  conditions,
  onToggle,
}: {
  query: string;
  conditions: readonly Condition[];
  onToggle(condition: Condition): void;
}) {
  const words = say().search;
  const filters = requestFilters(conditions);
  const { value, error, reload } = useLoaded(
    (signal) =>
      api<{ total: number; facets: Facet[] }>("POST", inCollection("/facets"), {
        body: { query, ...(filters ? { filters } : {}) },
        signal,
      }),
    [inCollection(""), query, JSON.stringify(filters)],
  );
  return (
    <section class="facets" aria-labelledby="facets-title">
      <h2 id="facets-title">{words.facets}</h2>
      {error !== undefined ? (
        <ErrorNote error={error} retry={reload} />
      ) : !value ? (
        <Waiting lines={6} />
      ) : value.facets.length === 0 ? (
        <p class="soft">{words.noFacets}</p>
      ) : (
        <>
          <p class="hint">{words.facetsNote}</p>
          {value.facets.map((facet) => (
            <FacetChart key={facet.field} facet={facet} conditions={conditions} onToggle={onToggle} />
          ))}
        </>
      )}
    </section>
  );
}

function FacetChart({
  facet,
  conditions,
  onToggle,
}: {
  facet: Facet;
  conditions: readonly Condition[];
  onToggle(condition: Condition): void;
}) {
  const words = say().search;
  const most = Math.max(1, ...facet.buckets.map(({ count }) => count));
  const name = harmless(facet.field);
  const columns = facet.kind !== "values";
  const bucket = (i: number) => {
    const { label, count } = facet.buckets[i]!;
    const condition = conditionOf(facet, i);
    const text = harmless(facet.kind === "dates" ? dateLabel(label, facet.interval) : label);
    return {
      text,
      count,
      share: count / most,
      props: {
        type: "button" as const,
        "aria-pressed": has(conditions, condition),
        title: `${text}: ${count}`,
        disabled: count === 0,
        onClick: () => onToggle(condition),
      },
    };
  };
  return (
    <fieldset class="facet">
      <legend>
        <bdi>{name}</bdi>
      </legend>
      {columns ? (
        <>
          <div class="columns">
            {facet.buckets.map(({ key }, i) => {
              const { text, share, count, props } = bucket(i);
              return (
                <button key={String(key)} class="column" aria-label={words.onlyFilter(name, text, count)} {...props}>
                  <span class="column-bar" style={{ height: `${count === 0 ? 0 : Math.max(4, share * 100)}%` }} />
                </button>
              );
            })}
          </div>
          <div class="columns-ends">
            <span>{bucket(0).text}</span>
            <span>{bucket(facet.buckets.length - 1).text}</span>
          </div>
        </>
      ) : (
        <ul class="bars">
          {facet.buckets.map(({ key }, i) => {
            const { text, share, count, props } = bucket(i);
            return (
              <li key={String(key)}>
                <button class="bar" {...props}>
                  <span class="bar-label">
                    <span class="hidden">{words.only(name)} </span>
                    <bdi>{text}</bdi>
                  </span>
                  <span class="bar-count">{count}</span>
                  <span class="bar-track">
                    <span class="bar-fill" style={{ width: `${share * 100}%` }} />
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {facet.other > 0 && <p class="hint">{words.others(facet.other)}</p>}
    </fieldset>
  );
}

/** A date as exact as its bucket. */
function dateLabel(label: string, interval = ""): string {
  const unit = interval.slice(-1);
  const length = unit === "y" ? 4 : unit === "M" ? 7 : unit === "d" ? 10 : 16;
  return label.slice(0, length).replace("T", " ");
}
