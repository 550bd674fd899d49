/** A strategy and its options, in a form that is made from what the server says of them. */
import { useId } from "preact/hooks";
import type { OptionSchema } from "../api/types.ts";
import { strategies } from "../state/collections.ts";
import { say } from "../text/index.ts";
import { fieldKind, type OptionTexts } from "../text/options.ts";
import { Note } from "./notes.tsx";

export interface Choice {
  strategy: string;
  /** What was written into the fields, by option. */
  written: OptionTexts;
}

export function StrategyPicker({
  choice,
  onChange,
  label,
}: {
  choice: Choice;
  onChange(choice: Choice): void;
  label?: string;
}) {
  const words = say().question;
  const id = useId();
  const known = strategies.value;
  const chosen = known.find(({ name }) => name === choice.strategy);
  const needs = chosen?.needs ?? [];
  const options = Object.entries(chosen?.options.properties ?? {});
  return (
    <div class="strategy">
      <div class="field">
        <label for={id}>{label ?? words.strategy}</label>
        <select
          id={id}
          value={choice.strategy}
          onChange={({ currentTarget }) => onChange({ strategy: currentTarget.value, written: {} })}
        >
          {known.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {chosen && (
          <p class="hint">
            {words.sentence(words.said(chosen.title))} {words.goodFor(words.said(chosen.goodFor))}
          </p>
        )}
      </div>
      {needs.length > 0 && <Note>{needs.map((need) => words.needs(words.needNames[need] ?? need)).join(", ")}</Note>}
      {options.length > 0 && (
        <details class="options">
          <summary>{words.optionsOf(choice.strategy)}</summary>
          <div class="options-body">
            {options.map(([name, schema]) => (
              <OptionField
                key={`${choice.strategy} ${name}`}
                name={name}
                schema={schema}
                value={choice.written[name] ?? ""}
                onChange={(value) => onChange({ ...choice, written: { ...choice.written, [name]: value } })}
              />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function OptionField({
  name,
  schema,
  value,
  onChange,
}: {
  name: string;
  schema: OptionSchema;
  value: string;
  onChange(value: string): void;
}) {
  const words = say().question;
  const id = useId();
  const kind = fieldKind(schema);
  const usual = schema.default === undefined ? words.usual : usualText(schema.default);
  const common = { id, value, "aria-describedby": `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {kind === "json" && <span class="soft"> {words.json}</span>}
      </label>
      {kind === "boolean" || kind === "enum" ? (
        <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{kind === "boolean" ? booleanText(schema.default, usual) : usual}</option>
          {(kind === "boolean" ? ["true", "false"] : (schema.enum ?? [])).map((one) => (
            <option key={one} value={one}>
              {kind === "boolean" ? (one === "true" ? words.yes : words.no) : one}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type="text"
          inputMode={kind === "number" ? "decimal" : "text"}
          spellcheck={false}
          placeholder={usual}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <p class="hint" id={`${id}-hint`}>
        {schema.description && words.said(schema.description)}
      </p>
    </div>
  );
}

const usualText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function booleanText(value: unknown, usual: string): string {
  const words = say().question;
  return value === true ? words.yes : value === false ? words.no : usual;
}
