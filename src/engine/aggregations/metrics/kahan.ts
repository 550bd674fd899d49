/** Kahan's summation as Elasticsearch does it (CompensatedSum). */
export class CompensatedSum {
  value = 0;
  delta = 0;

  reset(value: number, delta: number): void {
    this.value = value;
    this.delta = delta;
  }

  add(value: number): void {
    // What is not finite makes the sum so.
    if (!Number.isFinite(value)) this.value = value + this.value;
    if (!Number.isFinite(this.value)) return;
    const corrected = value + this.delta;
    const updated = this.value + corrected;
    this.delta = corrected - (updated - this.value);
    this.value = updated;
  }
}
