import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, requiredArg } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import { htmlReader } from '../../listings/import/facts/html-text.ts';
import { readImportState } from '../../listings/import/import-state.ts';
import { listingFiles } from '../../listings/import/listing-files.ts';
import { planImport } from '../../listings/import/plan-import.ts';
import { readImport } from '../../listings/import/read-import.ts';
import { SYSTEMS, type SystemName } from '../../listings/import/systems/index.ts';
import { writeImport } from '../../listings/import/write-import.ts';
import { IMPORT_FORMATS } from '../../listings/import/write-listing.ts';
import { assertFilled, openReader, placeMeanings, sharedFields } from './import-sources.ts';
import { importExit, importHints, importJson, importView, pruneQuestion } from './import-view.ts';

export default class JobsImport extends PartnerCommand {
  static override summary = 'Write job files from the postings of an applicant-tracking system or a feed';
  static override description =
    'Each posting becomes a file that says what was guessed and what a person must still decide. Run again, it brings what the source has changed into the files, and leaves what was edited: exit 9 where both sides changed. Only public, read-only addresses are read, and no key is sent.';
  static override examples = [
    'partner jobs import examples/import/greenhouse.json --out jobs',
    'partner jobs import examples/import/lever.json --out jobs --prune --yes',
    'partner jobs import examples/import --out jobs --dry-run',
  ];
  static override args = {
    source: requiredArg('Files, directories, addresses, and boards such as greenhouse:NAME; - reads stdin'),
  };
  static override strict = false;
  static override flags = {
    out: Flags.string({ required: true, helpValue: 'DIR', description: 'The directory of the job files' }),
    from: choiceFlag(Object.keys(SYSTEMS) as SystemName[])({
      description: 'The system, where it is not recognised',
    }),
    format: choiceFlag(IMPORT_FORMATS)({ description: 'Of new files (default yaml)' }),
    questions: Flags.boolean({ description: "Ask a board for each posting's questions" }),
    prune: Flags.boolean({ description: 'Remove the files of postings that are gone from their source' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask before files are removed' }),
    'keep-edits': Flags.boolean({
      description: 'Where both sides changed, keep the file, and say so no more',
    }),
    restore: Flags.boolean({ description: 'Write files again that were removed by hand' }),
    'dry-run': Flags.boolean({ description: 'Show what would be done, and write nothing' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsImport);
    const { out, from, format = 'yaml', questions, yes, 'dry-run': isDry } = flags;
    const sources = assertFilled(argv as string[], out);
    const state = readImportState(out) ?? new Map();
    const progress = showProgress(this.streams, 'reading the postings');
    const reader = openReader(this.context, this.callFlags().timeoutMs);
    this.toClose.push(reader.close);
    const meanings = placeMeanings(await this.bundledPlaces());
    const { interrupted } = this.context;
    const how = { stdin: this.streams.stdin, interrupted, ...reader, from, withQuestions: questions };
    const reading = { ...meanings, toText: await htmlReader() };
    const read = await readImport(sources, how, reading, (postings) =>
      progress.say(`read ${postings.toLocaleString('en')} postings`),
    ).finally(() => progress.stop());
    for (const warning of read.warnings) await this.note(`warning: ${warning}`);
    const known = new Set(Array.from(state.values(), ({ source }) => source));
    const emptied = read.emptySources.filter((source) => known.has(source));
    const planning = {
      format,
      prunes: flags.prune === true,
      keepsEdits: flags['keep-edits'] === true,
      restores: flags.restore === true,
      shared: await sharedFields(out, this.streams),
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
