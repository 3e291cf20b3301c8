import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, createRequiredArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import { htmlReader } from '../../import/facts/html-text.ts';
import { readImportState } from '../../import/import-state.ts';
import { listingFiles } from '../../import/listing-files.ts';
import { IMPORT_FORMATS } from '../../import/listing-text.ts';
import { planImport } from '../../import/plan-import.ts';
import { readImport } from '../../import/read-import.ts';
import { SYSTEMS, type SystemName } from '../../import/systems/index.ts';
import { writeImport } from '../../import/write-import.ts';
import { importExit, importHints, importJson, importView, pruneQuestion } from '../../reports/import-view.ts';
import { assertFilled, loadSharedFields, openReader, placeMeanings } from './import-sources.ts';

export default class JobsImport extends PartnerCommand {
  static override summary = 'Import postings from an ATS or a feed as job files';
  static override description =
    'Each posting becomes a job file that marks guessed values and fields you still have to set. Later imports update the files with changes from the source and keep your edits. If a field changed on both sides, the exit code is 9. URLs are requested with GET and without a key.';
  static override examples = [
    'partner jobs import examples/import/greenhouse.json --out jobs',
    'partner jobs import examples/import/lever.json --out jobs --prune --yes',
    'partner jobs import examples/import --out jobs --dry-run',
  ];
  static override args = {
    source: createRequiredArg('Files, directories, URLs or boards such as greenhouse:NAME (- reads stdin)'),
  };
  static override strict = false;
  static override flags = {
    out: Flags.string({ required: true, helpValue: 'DIR', description: 'Directory for the job files' }),
    from: choiceFlag(Object.keys(SYSTEMS) as SystemName[])({
      description: "Source system, if it isn't detected",
    }),
    format: choiceFlag(IMPORT_FORMATS)({ default: 'yaml', description: 'Format of new files' }),
    questions: switchFlag("Fetch each posting's questions from its board"),
    prune: switchFlag('Delete files whose postings were removed from the source'),
    yes: switchFlag('Skip the prompt before deleting files', { char: 'y' }),
    'keep-edits': switchFlag('Resolve conflicts by keeping the edits in your files'),
    restore: switchFlag('Restore files that you deleted'),
    'dry-run': switchFlag('Preview the import without writing files'),
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsImport);
    const { out, from, format, questions, yes, 'dry-run': isDry } = flags;
    const sources = assertFilled(argv as string[], out);
    const state = readImportState(out) ?? new Map();
    const progress = showProgress(this.streams, 'Reading the postings');
    const reader = openReader(this.context, this.callFlags().timeoutMs);
    this.toClose.push(reader.close);
    const { interrupted } = this.context;
    const how = { stdin: this.streams.stdin, interrupted, ...reader, from, withQuestions: questions };
    const { warnings, requiredUnder, findPlaceText, ...given } = await loadSharedFields(out, this.streams);
    const meanings = placeMeanings(await this.openPlaceIndex(), findPlaceText);
    const reading = { ...meanings, toText: await htmlReader(), requiredUnder };
    const read = await readImport(sources, how, reading, (postings) =>
      progress.say(`Read ${postings.toLocaleString('en')} postings`),
    ).finally(() => progress.stop());
    for (const warning of [...read.warnings, ...warnings]) await this.note(`warning: ${warning}`);
    const known = new Set(Array.from(state.values(), ({ source }) => source));
    const emptied = read.emptySources.filter((source) => known.has(source));
    const planning = {
      format,
      prunes: flags.prune === true,
      keepsEdits: flags['keep-edits'] === true,
      restores: flags.restore === true,
      ...given,
      ...meanings,
    };
    const items = await planImport(read, state, listingFiles(out), planning);
    const removed = items.filter(({ status }) => status === 'removed');
    if (!isDry) {
      if (removed.length > 0 && !yes) await this.mustConfirm(pruneQuestion(removed, out), '--yes');
      await writeImport(out, items, state, interrupted);
    }
    return {
      json: importJson(items, { ...read, emptied }),
      text: () => importView(items, this.view),
      hint: importHints(items, { ...read, emptied }, shellWord(out), isDry),
      exit: importExit(items, { ...read, emptied }),
    };
  }
}
