/** The product's routes as an OpenAPI 3.1 document, made from their table. */
import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { errorShape, PREFIX, type Route } from "./route.ts";

type Json = Record<string, unknown>;

const schemaOf = (shape: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" }) as Json;
  return schema;
};

export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Huiliu",
      version: packageJson.version,
      description:
        "Search and answers over collections of documents. Elasticsearch's own API stands beside it, at the root.",
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: "/" }],
    paths,
  };
}

function operation({ id, summary, params, query, body, status = 200, answer }: Route): Json {
  const isShape = answer instanceof z.ZodType;
  const error = {
    description: "What is wrong and what to do",
    content: { "application/json": { schema: schemaOf(errorShape, "output") } },
  };
  return {
    operationId: id,
    summary,
    parameters: [...parameters(params, "path"), ...parameters(query, "query")],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              body instanceof z.ZodType
                ? { "application/json": { schema: schemaOf(body, "input") } }
                : {
                    "application/octet-stream": {
                      schema: { type: "string", format: "binary", description: body.description },
                    },
                  },
          },
        }),
    responses: {
      [status]: {
        description: isShape ? "Done" : answer.description,
        content: isShape
          ? { "application/json": { schema: schemaOf(answer, "output") } }
          : { [answer.contentType]: { schema: { type: "string" } } },
      },
      "4XX": error,
      "5XX": error,
    },
  };
}

function parameters(shape: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (!shape) return [];
  const { properties = {}, required = [] } = schemaOf(shape, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}
