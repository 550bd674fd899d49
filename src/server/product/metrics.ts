/** What the server did, for Prometheus. Labels come from a fixed set, so that no caller can make them grow. */
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Limits } from "../limits.ts";
import { PREFIX, type Route } from "./route.ts";

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];
const METHODS = new Set(["GET", "POST", "PUT", "DELETE", "HEAD"]);

interface Series {
  count: number;
  seconds: number;
  /** Requests up to each bound. */
  below: number[];
}

export interface Metrics {
  /** Text in Prometheus's format. */
  text(): string;
}

/** Counts every request that passes through the routes added after it. */
export function addMetrics(
  app: Hono<{ Bindings: HttpBindings }>,
  routes: readonly Route[],
  jobs: () => Record<string, number>,
  limits?: Pick<Limits, "running" | "waiting">,
): Metrics {
  const series = new Map<string, Series>();
  const started = Date.now() / 1000 - process.uptime();
  const names = routes.map(({ id, path, method }) => ({ id, method, pattern: pattern(path) }));
  app.use(async (context, next) => {
    const begun = performance.now();
    try {
      await next();
    } finally {
      const seconds = (performance.now() - begun) / 1000;
      const { path } = context.req;
      const method = METHODS.has(context.req.method) ? context.req.method : "other";
      const labels = `route="${routeName(path, method, names)}",method="${method}",status="${context.res.status}"`;
      let found = series.get(labels);
      if (!found) {
        found = { count: 0, seconds: 0, below: BOUNDS.map(() => 0) };
        series.set(labels, found);
      }
      found.count++;
      found.seconds += seconds;
      for (const [i, bound] of BOUNDS.entries()) if (seconds <= bound) found.below[i]!++;
    }
  });
  return {
    text() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return [
        ...histogram("huiliu_http_request_duration_seconds", "Time to the answer's first byte", series),
        ...gauge(
          "huiliu_jobs",
          "Indexing jobs by state",
          Object.entries(jobs()).map(([state, n]) => [`state="${state}"`, n]),
        ),
        ...(limits
          ? gauge("huiliu_requests", "Requests that run, and that wait for one of these to end", [
              ['state="running"', limits.running],
              ['state="waiting"', limits.waiting],
            ])
          : []),
        ...gauge("process_resident_memory_bytes", "Resident memory", [["", rss]]),
        ...gauge("nodejs_heap_used_bytes", "JavaScript heap in use", [["", heapUsed]]),
        ...gauge("process_cpu_seconds_total", "Processor time", [["", (user + system) / 1e6]], "counter"),
        ...gauge("process_start_time_seconds", "Start of the process, seconds since 1970", [["", started]]),
        "",
      ].join("\n");
    },
  };
}

function pattern(path: string): RegExp {
  return new RegExp(`^${PREFIX}${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}

function routeName(
  path: string,
  method: string,
  names: readonly { id: string; method: string; pattern: RegExp }[],
): string {
  if (path === "/_mcp" || path.startsWith("/_mcp/")) return "mcp";
  if (path === "/_ui" || path.startsWith("/_ui/")) return "playground";
  if (!path.startsWith(`${PREFIX}/`)) return "elasticsearch";
  const lower = method.toLowerCase();
  return names.find((each) => each.method === lower && each.pattern.test(path))?.id ?? "unknown";
}

function histogram(name: string, help: string, series: ReadonlyMap<string, Series>): string[] {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const [labels, { count, seconds, below }] of series) {
    for (const [i, bound] of BOUNDS.entries()) lines.push(`${name}_bucket{${labels},le="${bound}"} ${below[i]}`);
    lines.push(
      `${name}_bucket{${labels},le="+Inf"} ${count}`,
      `${name}_sum{${labels}} ${seconds}`,
      `${name}_count{${labels}} ${count}`,
    );
  }
  return lines;
}

function gauge(name: string, help: string, values: [labels: string, value: number][], type = "gauge"): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`),
  ];
}
