import { readFileSync } from "node:fs";
import { openEngine } from "./src/elasticsearch/engine.ts";
// usage: tsx zzprobe.ts URL FILE ; FILE: JSON lines: {index?:{...}, req:[[method,path,body],...]} ; IDX in path is replaced
const [url, file] = process.argv.slice(2);
const engine = await openEngine();
const own = async (method: string, path: string, body?: string) => { const a = await engine.request({ method, path, body, headers: body === undefined ? {} : { "content-type": "application/json" } }); return { status: a.status, body: a.body === "" ? null : JSON.parse(a.body) }; };
const node = async (method: string, path: string, body?: string) => { const a = await fetch(url + path, { method, body, headers: body === undefined ? {} : { "content-type": "application/json" } }); const t = await a.text(); return { status: a.status, body: t === "" ? null : JSON.parse(t) }; };
const clean = (x: any): any => { if (Array.isArray(x)) return x.map(clean); if (x && typeof x === "object") { const o: any = {}; for (const k of Object.keys(x).sort()) if (!["took","index_uuid","_shards","uuid","creation_date","provided_name","version","reason_","stack_trace"].includes(k)) o[k] = clean(x[k]); return o; } return x; };
const cut=(a:string,b:string)=>{let i=0;while(i<a.length&&a[i]===b[i])i++;const f=Math.max(0,i-80);return (f?"…":"")+a.slice(f,f+330);};
let n = 0, bad = 0, refused = 0;
const lines = readFileSync(file, "utf8").split("\n").filter((l) => l.trim() !== "" && !l.startsWith("#"));
for (const [i, line] of lines.entries()) {
  const p = JSON.parse(line); const name = `an-probe-${process.pid}-${i}`;
  const reqs: [string, string, any][] = [];
  if (p.index) reqs.push(["PUT", "/IDX", p.index]);
  for (const r of p.req ?? []) reqs.push(typeof r === "object" && !Array.isArray(r) ? ["POST", p.index ? "/IDX/_analyze" : "/_analyze", r] : r);
  for (const [m, pa, b] of reqs) {
    const path = pa.replace("IDX", name); const body = b === undefined ? undefined : typeof b === "string" ? b : JSON.stringify(b);
    const [x, y] = await Promise.all([node(m, path, body), own(m, path, body)]); n++;
    const sx = JSON.stringify(clean(x)), sy = JSON.stringify(clean(y));
    const wx = sx.replaceAll(name, "IDX"), wy = sy.replaceAll(name, "IDX");
    if (wy.includes("unsupported_feature")) { refused++; if (m==="PUT") {console.log("REFUSED", JSON.stringify(b).slice(0, 200), y.body.error.reason, "| node:", wx.slice(0, 200)); break; } console.log("REFUSED", JSON.stringify(b).slice(0, 200), y.body.error.reason, "| node:", wx.slice(0, 200)); continue; }
    if (wx !== wy) { bad++; console.log(`DIFF ${m} ${pa} ${(body ?? "").slice(0, 300)}\n  node ${cut(wx,wy)}\n  ours ${cut(wy,wx)}`); }
  }
  if (p.index) await node("DELETE", "/" + name).catch(() => 0);
}
console.log(n, "requests", bad, "differ", refused, "refused");
await engine.close();
