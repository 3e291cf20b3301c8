import * as z from 'zod';
import { BudgetInputSchema, QuestionInputSchema } from './job.ts';
import { BUDGET_WINDOWS, SELECT_FORMATS } from './values.ts';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Body of an error response (docs/service.md, section 2.7). */
export const ErrorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional().describe('Problems by field name'),
  }),
});

export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...derived } = z.toJSONSchema(schema, { io: 'input', override: addRules });
  return derived;
}

export function toComponents(schemas: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const derived = z.toJSONSchema(registry, { io: 'input', override: addRules, uri });
  return Object.fromEntries(
    Object.entries(derived.schemas).map(([name, { $schema: _, $id, ...schema }]) => [name, schema]),
  );
}

function addRules({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  if (zodSchema === QuestionInputSchema) Object.assign(jsonSchema, OPTIONS_RULE);
  const { def } = zodSchema._zod;
  if (def.type === 'array' && def.element === BudgetInputSchema) Object.assign(jsonSchema, WINDOWS_RULE);
}

/** SELECT formats require distinct options. Other formats don't allow options (decision 25). */
const OPTIONS_RULE: JsonSchema = {
  if: { properties: { answerFormat: { enum: [...SELECT_FORMATS] } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { options: { minItems: 1, uniqueItems: true } }, required: ['options'] },
  else: { properties: { options: false } },
};

/** Section 8, rule 2: at most one budget per window. */
const WINDOWS_RULE: JsonSchema = {
  allOf: BUDGET_WINDOWS.map((window) => ({
    contains: { type: 'object', properties: { window: { const: window } }, required: ['window'] },
    minContains: 0,
    maxContains: 1,
  })),
};
