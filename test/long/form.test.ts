import { leftAtQuestions } from '../cli/form-window.ts';
import { terminals } from '../cli/terminal.ts';

describe('the form of `jobs create`, at a terminal', () => {
  const openTerminal = terminals();

  it('is left by Ctrl-C at every question, and goes on there with nothing lost', () =>
    leftAtQuestions(openTerminal, () => true));
});
