import { choiceAt, InputError, intAt, numberAt, objectAt } from '@lockstep/kernel';
import type { Schema } from './schema.ts';

/** [PB-M1.1] Data as a schema wants them, in a copy: what is left out is its default, what is wrong is named by path. */
export function fill(schema: Schema, raw: unknown, path: string): unknown {
  const value = raw === undefined ? schema.default : raw;
  if (schema.oneOf !== undefined) return fill(kindOf(schema.oneOf, value, path), value, path);
  switch (schema.type) {
    case 'number':
      return numberAt(value, path, schema.minimum, schema.maximum);
    case 'integer':
      return intAt(value, path, schema.minimum!, schema.maximum!);
    case 'string':
      return textAt(schema, value, path);
    case 'array':
      return schema.prefixItems === undefined ? listAt(schema, value, path) : tupleAt(schema.prefixItems, value, path);
    case 'object':
    case undefined:
      return schema.properties === undefined ? dictionaryAt(schema, value, path) : recordAt(schema.properties, value, path);
  }
}

/** Of objects that say their kind. */
function kindOf(kinds: readonly Schema[], raw: unknown, path: string): Schema {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new InputError(path, 'an object', raw);
  const words = kinds.map(({ properties }) => properties!['kind']!.const!);
  return kinds[words.indexOf(choiceAt((raw as { kind?: unknown }).kind, `${path}.kind`, words))]!;
}

function textAt({ enum: words, const: word, minLength = 0, maxLength = Infinity }: Schema, raw: unknown, path: string): string {
  if (words !== undefined) return choiceAt(raw, path, words);
  if (word !== undefined) return choiceAt(raw, path, [word]);
  if (typeof raw !== 'string' || lengthOf(raw) < minLength || lengthOf(raw) > maxLength) throw new InputError(path, 'a short text', raw);
  return raw;
}

/** As JSON Schema counts: characters, not their halves. */
const lengthOf = (text: string): number => Array.from(text).length;

function tupleAt(schemas: readonly Schema[], raw: unknown, path: string): unknown[] {
  if (!Array.isArray(raw) || raw.length !== schemas.length) throw new InputError(path, 'a point [x, y]', raw);
  return schemas.map((schema, i) => fill(schema, raw[i], `${path}[${i}]`));
}

function listAt({ items, minItems = 0, maxItems = Infinity }: Schema, raw: unknown, path: string): unknown[] {
  if (!Array.isArray(raw)) throw new InputError(path, 'a list', raw);
  if (raw.length < minItems || raw.length > maxItems) throw new InputError(path, `a list of ${minItems}..${maxItems}`, raw);
  return raw.map((value, i) => fill(items!, value, `${path}[${i}]`));
}

function recordAt(properties: Readonly<Record<string, Schema>>, raw: unknown, path: string): Record<string, unknown> {
  const names = Object.keys(properties);
  const given = objectAt(raw, path, names);
  return Object.fromEntries(names.map((name) => [name, fill(properties[name]!, given[name], `${path}.${name}`)]));
}

function dictionaryAt({ additionalProperties }: Schema, raw: unknown, path: string): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new InputError(path, 'an object', raw);
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key, fill(additionalProperties as Schema, value, `${path}.${key}`)]),
  );
}
