/** huiliu copy: a collection, or any index, from one place to another. */
import type { ClientOptions } from "@elastic/elasticsearch";
import type { CopyCallOptions } from "../../collection/types.ts";
import type { ElasticsearchByAddress } from "../../config/config.ts";
import { isClusterAddress } from "../../elasticsearch/address.ts";
import type { CopyOptions } from "../../elasticsearch/copy.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { type Context, EXIT, type Io } from "../context.ts";
import { noDataFolder } from "../empty.ts";
import { isClusterError } from "../errors.ts";
import { jsonLine } from "../json.ts";
import type { Settings } from "../settings.ts";
import { commandProgress } from "../terminal/progress.ts";
import { nameLine } from "../terminal/text.ts";

/** What one of two clusters is shown. */
type SideOptions<Side extends "from" | "to"> = {
  [Name in `${Side}ApiKeyEnv` | `${Side}Username` | `${Side}PasswordEnv` | `${Side}Ca`]?: string;
};

export interface CopyCommandOptions extends SideOptions<"from">, SideOptions<"to"> {
  collection: string;
  index?: string;
  as?: string;
  json?: boolean;
  quiet?: boolean;
  settings: Settings;
}

/** What was copied, in the same words for a collection and an index. */
interface Copied {
  name: string;
  place: string;
  files?: number;
  documents: number;
  copied: number;
  resumed: boolean;
  aborted: boolean;
  settingsLeftOut?: string[];
}

export async function copy(context: Context, from: string, to: string, options: CopyCommandOptions): Promise<number> {
  const { io, signal } = context;
  const started = io.now();
  const unit = options.index === undefined ? "passages" : "documents";
  const display = commandProgress(io, { quiet: options.quiet, unit });
  const watch = {
    signal,
    ...(display ? { onProgress: display.update } : {}),
    onRetry: ({ reason }: { reason: string }) => {
      const text = `waiting: ${nameLine(reason)}`;
      if (display) display.line(text);
      else io.err(`${text}\n`);
    },
  };
  try {
    const copied =
      options.index === undefined
        ? await ofCollection(context, from, to, options, watch)
        : await ofIndex(context, from, to, { ...options, index: options.index }, watch);
    display?.end();
    const seconds = (io.now() - started) / 1000;
    if (options.json) io.out(jsonLine({ ...copied, seconds: Math.round(seconds * 1000) / 1000 }));
    else if (copied.aborted) io.err(`stopped: ${copied.documents} ${unit} are copied; run the same command to go on\n`);
    else if (!options.quiet) say(io, copied, unit, seconds);
    return copied.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    display?.end();
    if (isClusterError(error)) io.err("stopped: what was copied is kept; run the same command to go on\n");
    throw error;
  }
}

type Watch = Pick<CopyOptions, "signal" | "onProgress"> & Pick<CopyCallOptions, "onRetry">;

async function ofCollection(
  context: Context,
  from: string,
  to: string,
  options: CopyCommandOptions,
  watch: Watch,
): Promise<Copied> {
  const { collection: name, as } = options;
  const [source, target] = await placesOf(context.io, from, to, options);
  const collection = await context.openCollection(name, {
    ...source,
    // The folder of both is written to.
    ...((await isSameFolder(from, to)) ? { create: false } : { readOnly: true }),
  });
  try {
    const { passages, ...rest } = await collection.copyTo(
      { ...target, ...(as === undefined ? {} : { name: as }) },
      watch,
    );
    return { ...rest, documents: passages };
  } finally {
    await collection.close();
  }
}

async function ofIndex(
  { io }: Context,
  from: string,
  to: string,
  options: CopyCommandOptions & { index: string },
  watch: Watch,
): Promise<Copied> {
  const [{ openCluster }, { openEngine }, { copyIndex }, { originalOf }, { isDataFolderMissing }] = await Promise.all([
    import("../../elasticsearch/cluster.ts"),
    import("../../elasticsearch/engine.ts"),
    import("../../elasticsearch/copy.ts"),
    import("../../elasticsearch/copy-index.ts"),
    import("../../engine/errors.ts"),
  ]);
  const { index, as = index } = options;
  const [sourcePlace, targetPlace] = await placesOf(io, from, to, options);
  const opened = async ({ elasticsearch, data }: Place, how: { readOnly?: boolean; create: boolean }) => {
    if (elasticsearch) return openCluster(elasticsearch);
    const folder = data!;
    const engine = await openEngine({ data: folder, ...how }).catch((error: unknown) => {
      throw isDataFolderMissing(error) ? noDataFolder(folder) : error;
    });
    return { client: engine.client(), place: folder, close: () => engine.close() };
  };
  const same = await isSameFolder(from, to);
  if (same && as === index)
    throw new InvalidArgumentError(
      "as",
      as,
      "an index cannot be copied to itself: give the copy another name with --as",
    );
  const source = await opened(sourcePlace, { readOnly: !same, create: false });
  try {
    // Before a folder is made for what is not there.
    await originalOf(source.client, index, watch);
    const target = same ? source : await opened(targetPlace, { create: true });
    try {
      const {
        index: name,
        removed: _,
        ...result
      } = await copyIndex({
        from: { client: source.client, index },
        to: { client: target.client, index: as },
        replicas: isClusterAddress(to),
        ...watch,
      });
      return { name, place: target.place, ...result };
    } finally {
      if (target !== source) await target.close();
    }
  } finally {
    await source.close();
  }
}

interface Place {
  data?: string;
  elasticsearch?: ClientOptions;
}

/** Both places that were named: folders, or clusters with what each is shown. */
async function placesOf(io: Io, from: string, to: string, options: CopyCommandOptions): Promise<[Place, Place]> {
  return [await placeOf(io, from, "from", options), await placeOf(io, to, "to", options)];
}

/**
 * A cluster is shown what its side's options say; where they say nothing, what the configuration says of this address, and the environment of any.
 * Who is named by an option is not joined with whom the environment knows: that is somebody of another cluster.
 */
async function placeOf(io: Io, name: string, side: "from" | "to", options: CopyCommandOptions): Promise<Place> {
  const own = Object.entries({
    apiKeyEnv: options[`${side}ApiKeyEnv`],
    username: options[`${side}Username`],
    passwordEnv: options[`${side}PasswordEnv`],
    ca: options[`${side}Ca`],
  }).filter(([, value]) => value !== undefined);
  if (!isClusterAddress(name)) {
    if (own.length === 0) return { data: name };
    const flag = `--${side}-${own[0]![0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new InvalidArgumentError(flag, own[0]![1], `${flag} is for a cluster, and ${name} is a folder`);
  }
  const { clusterOptions } = await import("../../config/elasticsearch.ts");
  const { elasticsearch } = options.settings.config;
  const { node, ...configured }: ElasticsearchByAddress =
    typeof elasticsearch === "object" && elasticsearch.node === name ? elasticsearch : { node: name };
  const { apiKeyEnv: _, username: __, passwordEnv: ___, ...connection } = configured;
  const named = own.some(([key]) => key !== "ca");
  return {
    elasticsearch: clusterOptions({ node, ...(named ? connection : configured), ...Object.fromEntries(own) }, io.env),
  };
}

async function isSameFolder(from: string, to: string): Promise<boolean> {
  if (isClusterAddress(from) || isClusterAddress(to)) return false;
  const { resolve } = await import("node:path");
  return resolve(from) === resolve(to);
}

function say(io: Io, copied: Copied, unit: string, seconds: number): void {
  const { name, place, documents, files, settingsLeftOut = [] } = copied;
  const of = files === undefined ? "" : ` of ${files} ${files === 1 ? "file" : "files"}`;
  const now = copied.copied === documents ? "" : `, ${copied.copied} of them now`;
  io.out(`${nameLine(name)} in ${nameLine(place)} has ${documents} ${unit}${of}${now}; ${seconds.toFixed(1)} s\n`);
  if (settingsLeftOut.length > 0) {
    io.err(`note: settings that the copy does not have: ${nameLine(settingsLeftOut.join(", "))}\n`);
  }
}
