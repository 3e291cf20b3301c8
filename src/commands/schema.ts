import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { optionalArg, parseChoiceFlag, switchFlag } from '../cli/flags/flag-values.ts';
import { jsonText } from '../cli/terminal/view.ts';

export default class Schema extends PartnerCommand {
  static override summary = 'Print the JSON Schema of a job file';
  static override description =
    'Editors check a job file against the schema in its "$schema" field, which is never sent. `partner help formats` describes the columns that --csv prints.';
  static override examples = [
    'partner schema > job-file.json',
    'partner schema job',
    { description: 'Print a table for a spreadsheet', command: 'partner schema --csv > jobs.csv' },
  ];
  static override args = { name: optionalArg('Schema name (job-file if omitted)') };
  static override flags = {
    csv: switchFlag('Print a CSV template with two example listings'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(Schema);
    const { jsonSchema, SCHEMA_NAMES } = await import('../listings/schema.ts');
    const names = flags.csv ? (['job-file'] as const) : SCHEMA_NAMES;
    const name = parseChoiceFlag('the schema', args.name ?? 'job-file', names);
    if (flags.csv) {
      const { tableTemplate } = await import('../listings/write/sheet.ts');
      const csv = tableTemplate();
      return { json: { csv }, text: () => csv };
    }
    const schema = jsonSchema(name);
    return { json: schema, text: () => jsonText(schema) };
  }
}
