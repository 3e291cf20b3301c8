import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { jsonText } from '../cli/terminal/json.ts';
import { PartnerError } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';

export default class Schema extends PartnerCommand {
  static override summary = 'Print the JSON Schema of a job file, for editors';
  static override description = 'Name it in a job file as "$schema": it is accepted there and never sent.';
  static override examples = ['partner schema > job-file.json', 'partner schema job'];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'Which schema; job-file unless given' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(Schema);
    const { jsonSchema, SCHEMA_NAMES } = await import('../listings/schema.ts');
    const name = SCHEMA_NAMES.find((known) => known === (args.name ?? 'job-file'));
    if (name === undefined) throw unknownSchema(String(args.name), SCHEMA_NAMES);
    const schema = jsonSchema(name);
    return { json: schema, text: () => jsonText(schema) };
  }
}

function unknownSchema(given: string, known: readonly string[]): PartnerError {
  const near = nearest(given, known);
  return new PartnerError('USAGE', {
    message: `there is no schema called \`${given}\`; there are ${known.join(', ')}`,
    hint: near === undefined ? undefined : `did you mean ${near}?`,
  });
}
