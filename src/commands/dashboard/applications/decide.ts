import { DecisionCommand } from './decision-command.ts';

export class ApplicationsAccept extends DecisionCommand {
  static override summary = 'Accept applications, on the bundled engine';
  static override examples = [
    'partner dashboard applications accept 41',
    'partner dashboard applications accept 41 42 --json',
  ];

  protected override readonly decision = 'accepted';
}

export class ApplicationsReject extends DecisionCommand {
  static override summary = 'Reject applications, on the bundled engine';
  static override examples = [
    'partner dashboard applications reject 41',
    'partner dashboard applications reject 41 42 --json',
  ];

  protected override readonly decision = 'rejected';
}
