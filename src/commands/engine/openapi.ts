import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { jsonText } from '../../cli/terminal/view.ts';

export default class EngineOpenapi extends PartnerCommand {
  static override summary = 'Print the OpenAPI 3.1 document of the API';
  static override description =
    'Describes every operation for code generators, mock servers and editors. `engine serve` returns the same document at /v1/openapi.json, which requires no key. Additions to the specification are marked x-partner-extension. `partner help api` shows the same content as a page.';
  static override examples = ['partner engine openapi > openapi.json', 'partner engine openapi --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(EngineOpenapi);
    const { openApiDocument } = await import('../../contract/openapi.ts');
    const document = openApiDocument();
    return { json: document, text: () => jsonText(document) };
  }
}
