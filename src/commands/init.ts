import { existsSync } from 'node:fs';
import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { choiceFlag, textFlag } from '../cli/flags/flag-values.ts';
import { askChoice, askLine } from '../cli/terminal/ask.ts';
import { clean, type Detail, details, section, shellWord, successText } from '../cli/terminal/view.ts';
import { assertSafeBaseUrl } from '../client/base-url.ts';
import { formatCount } from '../contract/words.ts';
import table from './init.json' with { type: 'json' };
import { assertRoot, detectCi, findSourceKind, listSteps, type Setup, writeNewFiles } from './init-files.ts';

const { questions } = table;
const CI_NAMES = Object.keys(table.ci) as Setup['ci'][];

export default class Init extends PartnerCommand {
  static override summary = 'Set up a repository that publishes jobs from CI';
  static override description =
    'Creates a CI workflow and a jobs/ directory with shared fields, an editor schema and a README. The workflow runs `plan` on each pull or merge request, runs `apply` on the main branch, and checks for drift every night. A board, URL or saved feed is imported. Tables and job files are copied. Existing files are never changed, and keys are never written to a file.';
  static override examples = [
    'partner init',
    'partner init --from examples/formats/jobs.csv --ci github --base-url https://api.example.com/v1 --no-input',
    { description: 'Start without postings', command: 'partner init --from none --ci gitlab' },
  ];
  static override flags = {
    from: textFlag('PATH|SYSTEM:BOARD|URL', 'Source of the postings (`none` starts without postings)'),
    ci: choiceFlag(CI_NAMES)({ description: 'CI system of the workflow (detected if omitted)' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(Init);
    const isSource = (line: string) => line === 'none' || line.includes(':') || existsSync(line);
    const wrong = (line: string) => (isSource(line) ? undefined : `${line} doesn't exist`);
    const ask = () => askLine(this.streams, { ...questions.from, wrong });
    const source = flags.from ?? (existsSync('jobs') ? 'none' : await ask());
    const ci = flags.ci ?? (await this.askCi());
    if (ci !== 'none') assertRoot();
    const baseUrl = await this.findServer();
    const kind = await findSourceKind(source, this.streams);
    const setup = { ci, kind, source, baseUrl };
    const imported = kind === 'board' || kind === 'export' ? await this.importPostings(source) : undefined;
    const done = await writeNewFiles(setup);
    const [steps, view] = [listSteps(setup), this.view];
    const server = baseUrl ? ` --base-url ${shellWord(baseUrl)}` : '';
    const next = table.next[kind].map((line) => (line.includes(' plan ') ? line + server : line));
    const files = Object.entries(done).flatMap(([how, paths]) =>
      paths.map((path): Detail => [how, clean(path)]),
    );
    const todo = steps.map((step, at): Detail => [`${at + 1}.`, step]);
    const secrets = ci === 'none' ? [] : ['PARTNER_API_KEY'];
    return {
      json: { ...done, ...imported?.json, ci, baseUrl, secrets, steps, next },
      text: () =>
        successText(`${formatCount(done.written.length, 'file')} written, ${done.kept.length} kept`, view) +
        details(files, view) +
        section('To do', details(todo, view), view) +
        section('Next', next.map((line) => `  ${line}\n`).join(''), view),
      exit: imported?.exit,
    };
  }

  private async askCi(): Promise<Setup['ci']> {
    const current = detectCi();
    const choices = CI_NAMES.map((value) => ({ name: table.ci[value], value }));
    if (!this.streams.canAsk) return current ?? 'none';
    return askChoice(this.streams, { ...questions.ci, choices, current });
  }

  /** Asks for the server unless a flag or a variable selects it. Throws USAGE and INSECURE_BASE_URL. */
  private async findServer(): Promise<string | undefined> {
    const target = await this.target();
    const current = target.kind === 'remote' ? target.baseUrl : undefined;
    const isAsked = this.streams.canAsk && !/^(?:flag|PARTNER_)/.test(target.from.baseUrl);
    const url = isAsked ? await askLine(this.streams, { ...questions.server, current }) : current;
    const allowInsecure = this.globals['allow-insecure'] === true;
    return url ? assertSafeBaseUrl(url, { allowInsecure }) : undefined;
  }

  /** Runs `jobs import`. With --json, its document becomes part of this command's. */
  private async importPostings(source: string) {
    const { default: JobsImport } = await import('./jobs/import.ts');
    const { json, quiet, timeout } = this.globals;
    const parts: string[] = [];
    const keepPart = { writeOut: { value: async (part: string) => void parts.push(part) } };
    const streams = json ? Object.create(this.streams, keepPart) : this.streams;
    const globals = [json && '--json', quiet && '--quiet', timeout && `--timeout=${timeout}`];
    const argv = [...globals.flatMap((flag) => flag || []), '--out', 'jobs', '--', source];
    const exit = await JobsImport.start('jobs import', argv, { ...this.context, streams });
    return { exit, json: json && { import: JSON.parse(parts.join('')) } };
  }
}
