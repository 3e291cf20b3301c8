import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { jsonText } from '../../cli/terminal/json.ts';

export default class EngineOpenapi extends PartnerCommand {
  static override summary = 'Print the OpenAPI 3.1 document of the API';
  static override description =
    'Every operation with its parameters, bodies, answers and errors, for generators, mock servers and editors. A served engine answers the same document at /v1/openapi.json, without a key. What the specification does not have is marked x-partner-extension; `partner help api` is the document to read.';
  static override examples = ['partner engine openapi > openapi.json', 'partner engine openapi --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(EngineOpenapi);
    const { openApiDocument } = await import('../../contract/openapi.ts');
    const document = openApiDocument();
    return { json: document, text: () => jsonText(document) };
  }
}
