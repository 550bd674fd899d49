/** `sparse_vector`: tokens with weights, of which a query's tokens take the product. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addFeature } from "../doc-buffer.ts";
import type { FieldType } from "../model.ts";
import { metaParameter } from "../parameters.ts";
import { refuseValueFormat } from "../value-fetcher.ts";
import { isStructure, makeField, queryText, tokenName, ValueError } from "./common.ts";
import { featureFrequency } from "./feature-value.ts";

type Path = readonly (string | number)[];

/** Elasticsearch's names of tokens, true and false under one. */
const kindOf = (value: JsonValue): string => {
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  if (typeof value === "number" || value instanceof JsonNumber) return "VALUE_NUMBER";
  return tokenName(value);
};

function failed(error: EngineError, path: Path): ValueError {
  return new ValueError(error, { path, aboutField: false });
}

function readWeight(value: JsonValue, path: Path): number {
  if (typeof value === "boolean" || isStructure(value)) {
    throw failed(
      illegalArgument(
        `[sparse_vector] fields take hashes that map a feature to a strictly positive float, but got unexpected token ${kindOf(value)}`,
      ),
      path,
    );
  }
  const weight = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(weight)) {
    throw failed(new EngineError("number_format_exception", `For input string: "${String(value)}"`), path);
  }
  return weight;
}

/** What stands in a list, also in lists within it. */
function* flat(list: readonly JsonValue[], path: Path = []): Generator<[Path, JsonValue]> {
  for (const [i, item] of list.entries()) {
    const place = [...path, i];
    if (Array.isArray(item)) yield* flat(item, place);
    else yield [place, item];
  }
}

export const sparseVectorType: FieldType = {
  type: "sparse_vector",
  inMultiFields: false,
  parameters: [metaParameter],
  create: (options) => {
    const { path } = options;
    const info: FieldInfo = {
      name: path,
      index: "freqs",
      weights: true,
      norms: false,
      docValues: "none",
      points: "none",
    };
    const add = (doc: Parameters<typeof addFeature>[0], value: JsonValue, at: Path): void => {
      if (!isStructure(value)) {
        throw failed(
          illegalArgument(
            `[sparse_vector] fields must be json objects, expected a START_OBJECT but got: ${kindOf(value)}`,
          ),
          at,
        );
      }
      for (const [token, weight] of Object.entries(value as JsonObject)) {
        if (weight === null) continue;
        const place = [...at, token];
        const number = readWeight(weight, place);
        try {
          addFeature(doc, info, token, featureFrequency(path, token, number));
        } catch (error) {
          throw error instanceof EngineError ? failed(error, place) : error;
        }
      }
    };
    const notSortable = (): never => {
      throw illegalArgument("[sparse_vector] fields do not support sorting, scripting or aggregating");
    };
    return makeField({
      options,
      type: "sparse_vector",
      family: "opaque",
      info,
      indexed: true,
      hasDocValues: false,
      existsBy: "_field_names",
      takesStructures: true,
      readsNull: true,
      addValue: (doc, value) => {
        if (!Array.isArray(value)) add(doc, value, []);
        else for (const [at, item] of flat(value)) add(doc, item, at);
        return Array.isArray(value) && value.length === 0 ? undefined : false;
      },
      docValueFormat: notSortable,
      valueFetcher: (given = {}) => {
        refuseValueFormat(path, "sparse_vector", given);
        return { kind: "whole", nullValue: undefined, readAll: (value) => (Array.isArray(value) ? value : [value]) };
      },
      termValue: queryText,
      rangeBound: () => {
        throw illegalArgument(`Field [${path}] of type [sparse_vector] does not support range queries`);
      },
    });
  },
};
