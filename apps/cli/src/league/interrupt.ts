import { EXIT, leaveWith } from '../exit.ts';
import { remark } from '../output.ts';

/** Ctrl+C once: no new game is begun. Twice: all is left as it is, which loses nothing but the games that were going on. */
export class Interrupt {
  stopped = false;
  private readonly resume: string;
  private readonly onSignal = (): void => {
    if (this.stopped) process.exit(EXIT.interrupted);
    this.stopped = true;
    remark(`stopping after the games that are going on; go on with: ${this.resume}`);
  };

  constructor(resume: string) {
    this.resume = resume;
    process.on('SIGINT', this.onSignal);
    process.on('SIGTERM', this.onSignal);
  }

  end(): void {
    process.off('SIGINT', this.onSignal);
    process.off('SIGTERM', this.onSignal);
    if (!this.stopped) return;
    remark(`stopped; go on with: ${this.resume}`);
    leaveWith(EXIT.interrupted);
  }
}
