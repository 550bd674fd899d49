/** A passage that was found: where it stands, what matched, and what leads on from it. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Hit } from "../api/types.ts";
import { linkTo } from "../state/route.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import type { Tags } from "../text/marks.ts";
import { scoreText } from "../text/values.ts";
import { openDocument } from "./document-panel.tsx";
import { Icon } from "./icon.tsx";
import { MetadataList } from "./metadata.tsx";
import { FileName, Marked, PassageText, Said } from "./said.tsx";

export function HitCard({ hit, tags, explained }: { hit: Hit; tags: Tags; explained(): ComponentChildren }) {
  const words = say().search;
  const id = useId();
  const [why, setWhy] = useState(false);
  const fragments = hit.highlights?.["content"];
  return (
    <li class="hit" tabIndex={-1} data-hit>
      <span class="rank" aria-hidden="true">
        {hit.rank}
      </span>
      <article class="hit-body" aria-labelledby={id}>
        <header class="hit-head">
          <h2 id={id}>
            <span class="hidden">{hit.rank}. </span>
            <Said value={hit.heading ?? hit.metadata["title"] ?? hit.file ?? hit.id} />
          </h2>
          {hit.score !== undefined && (
            <span class="score" title={String(hit.score)}>
              {words.score} {scoreText(hit.score)}
            </span>
          )}
        </header>
        <p class="hit-place">
          {hit.file !== undefined && <FileName file={hit.file} />}
          {hit.ranks?.map(({ list, rank }) => (
            <span key={list} class="tag">
              {words.list(harmless(list), rank)}
            </span>
          ))}
        </p>
        {fragments?.length ? <Marked fragments={fragments} tags={tags} /> : <PassageText text={hit.text} />}
        <MetadataList metadata={hit.metadata} />
        <footer class="hit-actions">
          {hit.file !== undefined && (
            <button type="button" class="quiet" data-open onClick={() => openDocument(hit.file!, hit.id)}>
              <Icon name="documents" size={18} />
              {words.open}
            </button>
          )}
          <button type="button" class="quiet" aria-expanded={why} onClick={() => setWhy(!why)}>
            <Icon name="info" size={18} />
            {words.why}
          </button>
          <a class="quiet" href={linkTo("neighbours", { p: hit.id })}>
            <Icon name="neighbours" size={18} />
            {words.near}
          </a>
        </footer>
        {why && explained()}
      </article>
    </li>
  );
}
