/** Points of a plane around the one that was asked for. The list beside it says the same in words, so readers skip the picture. */

export interface MapPoint {
  id: string;
  x: number;
  y: number;
  /** How near it is: larger points are nearer. */
  near: number;
  stream: number;
}

const WIDTH = 640;
const HEIGHT = 460;
const EDGE = 24;

export function PlotMap({
  origin,
  points,
  looked,
  onLook,
  onOpen,
}: {
  origin: { x: number; y: number };
  points: readonly MapPoint[];
  looked: string | undefined;
  onLook(id: string | undefined): void;
  onOpen(id: string): void;
}) {
  const all = [origin, ...points];
  const scaleX = scale(
    all.map(({ x }) => x),
    EDGE,
    WIDTH - EDGE,
  );
  const scaleY = scale(
    all.map(({ y }) => y),
    HEIGHT - EDGE,
    EDGE,
  );
  const nearest = Math.max(...points.map(({ near }) => near));
  const farthest = Math.min(...points.map(({ near }) => near));
  const size = (near: number) => 5 + (nearest > farthest ? ((near - farthest) / (nearest - farthest)) * 5 : 2);
  const at = points.find(({ id }) => id === looked);
  return (
    <svg class="map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" onMouseLeave={() => onLook(undefined)}>
      {at && <line class="map-line" x1={scaleX(origin.x)} y1={scaleY(origin.y)} x2={scaleX(at.x)} y2={scaleY(at.y)} />}
      {/* The farthest first, so that nearer ones lie above. */}
      {[...points].reverse().map(({ id, x, y, near, stream }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the picture does the same for the keyboard
        <circle
          key={id}
          class={id === looked ? `map-point fill-${stream} looked` : `map-point fill-${stream}`}
          cx={scaleX(x)}
          cy={scaleY(y)}
          r={size(near)}
          onMouseEnter={() => onLook(id)}
          onClick={() => onOpen(id)}
        />
      ))}
      <g class="map-origin" transform={`translate(${scaleX(origin.x)} ${scaleY(origin.y)})`}>
        <circle r="9" />
        <circle r="3" class="map-core" />
      </g>
    </svg>
  );
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return (value) => (high > low ? from + ((value - low) / (high - low)) * (to - from) : (from + to) / 2);
}
