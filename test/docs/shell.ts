/** Lines of shell in the documentation, as far as its tests understand them. */

/** The commands of a block: comments and blank lines left out, lines that end in a backslash joined. */
export function commandsOf(block: string): string[] {
  return block
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Words of a line, without its comment. */
export function words(line: string): string[] {
  const found = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const comment = found.findIndex((word) => word.startsWith("#"));
  return (comment < 0 ? found : found.slice(0, comment)).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}

export interface CurlRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  /** A body as it stands, or the file that holds it. */
  body?: string;
  file?: string;
  /** -f: a status from 400 on is a failure. */
  mayFail: boolean;
}

/** What a line of curl asks for. An option that the documentation has no need of is an error. */
export function curlRequest(args: string[]): CurlRequest {
  const request: CurlRequest = { url: "", method: "", headers: {}, mayFail: false };
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (["-N", "-s", "-sS", "-f", "-sf"].includes(word)) continue;
    if (word === "-i") request.mayFail = true;
    else if (word === "-X") request.method = rest.shift()!;
    else if (word === "-H") {
      const [, name, value] = /^([^:]+):\s*(.*)$/.exec(rest.shift()!)!;
      request.headers[name!] = value!;
    } else if (word === "-d" || word === "--data-binary") {
      const value = rest.shift()!;
      if (value.startsWith("@")) request.file = value.slice(1);
      else request.body = value;
    } else if (word.startsWith("-")) throw new Error(`curl ${word}`);
    else request.url = word.includes("://") ? word : `http://${word}`;
  }
  request.method ||= request.body === undefined && request.file === undefined ? "GET" : "POST";
  return request;
}
