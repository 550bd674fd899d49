/** A mean with the interval that it lies in. */
import type { Interval } from "../api/reports.ts";

export function Measured({ interval: { mean, low, high }, sign = false }: { interval: Interval; sign?: boolean }) {
  return (
    <>
      {sign && mean >= 0 ? "+" : ""}
      {mean.toFixed(3)}
      <small class="soft">
        {low.toFixed(3)} … {high.toFixed(3)}
      </small>
    </>
  );
}
