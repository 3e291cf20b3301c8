import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { oneOf } from '../cli/flags/flag-values.ts';
import { jsonText } from '../cli/terminal/json.ts';

export default class Schema extends PartnerCommand {
  static override summary = 'Print the JSON Schema of a job file, for editors, or a table to start from';
  static override description =
    'Name the schema in a job file as "$schema": it is accepted there and never sent. The table of --csv has a header for each column and two listings as examples; `partner help formats` says what its cells may hold.';
  static override examples = [
    'partner schema > job-file.json',
    'partner schema job',
    { description: 'A table for a spreadsheet', command: 'partner schema --csv > jobs.csv' },
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'Which schema; job-file unless given' }),
  };
  static override flags = {
    csv: Flags.boolean({ description: 'Print a CSV table with two example listings instead' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(Schema);
    const { jsonSchema, SCHEMA_NAMES } = await import('../listings/schema.ts');
    const name = oneOf('the schema', args.name ?? 'job-file', flags.csv ? ['job-file'] : SCHEMA_NAMES);
    if (flags.csv) {
      const { tableTemplate } = await import('../listings/write/sheet.ts');
      const csv = tableTemplate();
      return { json: { csv }, text: () => csv };
    }
    const schema = jsonSchema(name as (typeof SCHEMA_NAMES)[number]);
    return { json: schema, text: () => jsonText(schema) };
  }
}
