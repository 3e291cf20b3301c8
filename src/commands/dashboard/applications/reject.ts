import { DecisionCommand } from './decision-command.ts';

export default class ApplicationsReject extends DecisionCommand {
  static override summary = 'Reject applications, on the bundled engine';
  static override examples = [
    'partner dashboard applications reject 41',
    'partner dashboard applications reject 41 42 --json',
  ];

  protected override readonly decision = 'rejected';
}
