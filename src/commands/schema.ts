import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { oneOf } from '../cli/flags/flag-values.ts';
import { jsonText } from '../cli/terminal/json.ts';

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
    const schema = jsonSchema(oneOf('the schema', args.name ?? 'job-file', SCHEMA_NAMES));
    return { json: schema, text: () => jsonText(schema) };
  }
}
