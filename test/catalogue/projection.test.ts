import { describe, expect, it } from "vitest";
import { project } from "../../src/catalogue/projection.ts";

describe("vectors as points of a plane", () => {
  it("keep their distances where they lie in a plane", () => {
    const plane = [
      [0, 0],
      [3, 1],
      [-2, 5],
      [7, -4],
    ];
    // Two directions of a space of five, at right angles.
    const vectors = plane.map(([a, b]) => [a! * 0.6, a! * 0.8, 0, b!, 2]);
    const { points, shares } = project(vectors);
    expect(shares[0] + shares[1]).toBeCloseTo(1, 6);
    expect(shares[0]).toBeGreaterThan(shares[1]);
    for (let i = 0; i < 4; i++)
      for (let j = 0; j < i; j++) {
        const before = Math.hypot(plane[i]![0]! - plane[j]![0]!, plane[i]![1]! - plane[j]![1]!);
        expect(Math.hypot(points[i]!.x - points[j]!.x, points[i]!.y - points[j]!.y)).toBeCloseTo(before, 5);
      }
  });
  it("are points too where there is nothing to spread: one vector, or all the same", () => {
    expect(project([[1, 2, 3]])).toEqual({ points: [{ x: 0, y: 0 }], shares: [0, 0] });
    expect(
      project([
        [1, 2],
        [1, 2],
        [1, 2],
      ]).points,
    ).toEqual(Array(3).fill({ x: 0, y: 0 }));
  });
  it("are the same each time", () => {
    const vectors = Array.from({ length: 30 }, (_, i) => Array.from({ length: 8 }, (_, k) => Math.sin(i * 8 + k)));
    expect(project(vectors)).toEqual(project(vectors));
  });
});
