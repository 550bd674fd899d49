/** A passage's metadata as pairs. What stands elsewhere already is left out. */
import type { Metadata } from "../api/types.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { Said } from "./said.tsx";

const ELSEWHERE = new Set(["file", "heading", "headingPath", "extension", "folder", "title", "modified"]);
const MOST = 40;

export function MetadataList({ metadata }: { metadata: Metadata }) {
  const pairs = Object.entries(metadata).filter(([key]) => !ELSEWHERE.has(key));
  if (pairs.length === 0) return null;
  return (
    <dl class="metadata" aria-label={say().search.metadata}>
      {pairs.slice(0, MOST).map(([key, value]) => (
        <div key={key}>
          <dt>
            <bdi>{harmless(key)}</bdi>
          </dt>
          <dd>
            <Said value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
